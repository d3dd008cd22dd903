import { parentPort, workerData } from 'node:worker_threads';
import { CliError } from '../errors.ts';
import { checkFile } from './check.ts';

/** The contents of a database, or in words why it is not whole. */
function report(file: string): unknown {
  try {
    return { contents: checkFile(file) };
  } catch (error) {
    if (error instanceof CliError) return { reason: error.message };
    throw error;
  }
}

// A port of Node has no origins.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
parentPort?.postMessage(report(workerData as string));
