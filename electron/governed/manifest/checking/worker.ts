/** The thread that checks manifests: compiling a pattern may take seconds and hundreds of MiB, which are its own. */
import { parentPort } from 'node:worker_threads';
import { parseManifest } from '../parse-manifest.ts';
import type { CheckJob } from './check-thread.ts';

parentPort?.on('message', ({ text, types }: CheckJob) => parentPort?.postMessage(parseManifest(text, types)));
