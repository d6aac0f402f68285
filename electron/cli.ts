#!/usr/bin/env node
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { APPROVAL_TIMEOUT_BOUND, parseApprovalTimeout } from './approvals/wait-time.ts';
import { dataDir } from './settings/data-dir.ts';
import { addTranscriptCommands } from './transcripts-cli.ts';

const { version } = packageJson;
/** Beside the bundle when built; the build's output when run from the sources. */
const pageFolder = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? '../dist/renderer' : '../renderer',
);

const dataDirOption = () =>
  new Option('--data-dir <dir>', 'folder of the settings and of the record of sessions').env(
    'AIRLOCK_DATA_DIR',
  );

interface ServeArguments {
  readonly port: number;
  readonly approvalPort?: number;
  /** Milliseconds by then. */
  readonly approvalTimeout?: number;
  readonly dataDir?: string;
  readonly open: boolean;
  readonly json: boolean;
}

const program = new Command('airlock')
  .description('Shells inside sandboxes. Nothing leaves a sandbox until a person says so.')
  .version(version)
  .showHelpAfterError('(airlock --help lists the commands and options)');

program
  .command('serve')
  .description('run Airlock for a browser of this machine, until Ctrl-C')
  .option('--port <number>', 'port on 127.0.0.1; any free one when left out', parsePort, 0)
  .option(
    '--approval-port <number>',
    'port of the approval page, 0 for any free one; when left out the one after --port, if that is given',
    parsePort,
  )
  .option('--approval-timeout <seconds>', 'how long a decision may take; 120 when left out', parseTimeout)
  .addOption(dataDirOption())
  .option('--no-open', 'print the address without opening a browser')
  .option('--json', 'print one line of JSON with the address and the pid, and open no browser', false)
  .action(async (options: ServeArguments) => {
    const { serve, StartError } = await import('./serve.ts');
    try {
      await serve({
        ...options,
        approvalWaitMs: options.approvalTimeout,
        dataDir: dataDir(options.dataDir),
        version,
        pageFolder,
      });
      process.exit(0);
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      program.error(`error: ${error.message}`);
    }
  });

program
  .command('doctor')
  .description('say which sandbox engines work here, and what to do about the rest')
  .addOption(dataDirOption())
  .option('--json', 'print one line of JSON', false)
  .action(async (options: { dataDir?: string; json: boolean }) => {
    const { doctor } = await import('./doctor.ts');
    const usable = await doctor({ ...options, dataDir: dataDir(options.dataDir), version, pageFolder });
    process.exitCode = usable ? 0 : 1;
  });

program
  .command('verify')
  .description('check the audit log, its receipts and the published files, and name the first broken link')
  .addOption(dataDirOption())
  .option('--json', 'print one line of JSON', false)
  .action(async (options: { dataDir?: string; json: boolean }) => {
    const { verify } = await import('./verify.ts');
    const holds = await verify({ ...options, dataDir: dataDir(options.dataDir) });
    process.exitCode = holds ? 0 : 1;
  });

program
  .command('guest')
  .description('the guest of the micro-VM engine')
  .command('build')
  .description('build its kernel and file system from Debian’s packages; nothing is installed')
  .addOption(dataDirOption())
  .option(
    '--kernel-package <name>',
    'a kernel’s package, or one that depends on it',
    'linux-image-cloud-amd64',
  )
  .action(async (options: { dataDir?: string; kernelPackage: string }) => {
    const { guestBuild } = await import('./guest-build.ts');
    const built = await guestBuild({ ...options, dataDir: dataDir(options.dataDir) });
    process.exitCode = built ? 0 : 1;
  });

addTranscriptCommands(program, dataDirOption);

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
}

function parseTimeout(text: string): number {
  const milliseconds = parseApprovalTimeout(text);
  if (milliseconds !== null) return milliseconds;
  throw new InvalidArgumentError(APPROVAL_TIMEOUT_BOUND);
}

// Whoever read the output may be gone (a closed pipe or terminal); the sessions still have to be released.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

await program.parseAsync();
