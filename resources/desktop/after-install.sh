#!/bin/sh
# After a deb or rpm was unpacked. Names in ${} are filled in when the package is built; shell variables have no braces.
APP='/opt/${sanitizedProductName}'

ln -sf "$APP/${executable}" '/usr/bin/${executable}'

# The setuid helper of the window's own sandbox is for kernels without user namespaces only.
if [ -L /proc/self/ns/user ] && unshare --user true 2>/dev/null; then
  chmod 0755 "$APP/chrome-sandbox"
else
  chown root:root "$APP/chrome-sandbox"
  chmod 4755 "$APP/chrome-sandbox"
fi

# Where AppArmor keeps programs from creating user namespaces (Ubuntu 23.10 and later), two programs need leave: the
# app for the sandbox of its window, bwrap for the sandboxes of its shells. A profile that is there already stays, and
# one that this AppArmor cannot read is left out.
install_profile() {
  [ -e "$2" ] && ! cmp -s "$1" "$2" && [ "$3" = keep ] && return 0
  apparmor_parser --skip-kernel-load "$1" >/dev/null 2>&1 || return 0
  install -m 0644 "$1" "$2"
  if [ -x /usr/bin/ischroot ] && /usr/bin/ischroot; then return 0; fi
  apparmor_parser --replace --write-cache --skip-read-cache "$2" || true
}
if [ "$(cat /proc/sys/kernel/apparmor_restrict_unprivileged_userns 2>/dev/null)" = 1 ] &&
  command -v apparmor_parser >/dev/null 2>&1; then
  install_profile "$APP/resources/apparmor-profile" '/etc/apparmor.d/${executable}' replace
  install_profile "$APP/resources/apparmor/bwrap-userns-restrict" /etc/apparmor.d/bwrap-userns-restrict keep
fi

if command -v update-desktop-database >/dev/null 2>&1; then
  update-desktop-database /usr/share/applications || true
fi
