import { HOST_NAME, USER } from '../../../shared/terminal/inside.ts';

const BASHRC = `# Only for interactive shells.
[[ $- == *i* ]] || return 0
shopt -s checkwinsize histappend
PS1='\\[\\e[32m\\]\\u@\\h\\[\\e[0m\\]:\\[\\e[34m\\]\\w\\[\\e[0m\\]\\$ '
alias ls='ls --color=auto' grep='grep --color=auto'
`;

const PROFILE = `# For login shells.
PS1='$ '
if [ -n "\${BASH_VERSION-}" ] && [ -r /etc/bash.bashrc ]; then . /etc/bash.bashrc; fi
`;

/**
 * The sandbox's own /etc: enough for a shell to know its user and show a good prompt. Static, and public: it stands
 * in the launcher's arguments, which every user of the machine can read.
 */
const etcFiles: Readonly<Record<string, string>> = {
  '/etc/passwd': `root:x:0:0:root:/root:/usr/sbin/nologin\n${USER.name}:x:${USER.id}:${USER.id}:${USER.name}:${USER.home}:/bin/bash\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n`,
  '/etc/group': `root:x:0:\n${USER.name}:x:${USER.id}:\nnogroup:x:65534:\n`,
  '/etc/hostname': `${HOST_NAME}\n`,
  '/etc/hosts': `127.0.0.1 localhost ${HOST_NAME}\n::1 localhost ${HOST_NAME}\n`,
  '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nshadow: files\nhosts: files dns\n',
  '/etc/profile': PROFILE,
  '/etc/bash.bashrc': BASHRC,
};

/** Path in the sandbox → content. Bash reads the second where its distribution gave it no system-wide file. */
export const GENERATED_FILES: Readonly<Record<string, string>> = {
  ...etcFiles,
  [`${USER.home}/.bashrc`]: '[ -r /etc/bash.bashrc ] && . /etc/bash.bashrc\n',
};
