import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { projectRoot } from './server.ts';

/**
 * Runs the compiler on a project, with more options. Several checkers instantiate the same types of zod again: one takes half
 * of the CPU time.
 *
 * @param project its folder, or its file of settings
 * @returns what the compiler prints
 */
export const compile = (project: string, ...options: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const args = ['--singleThreaded', '--pretty', 'false', '-p', project, ...options];
    execFile(join(projectRoot, 'node_modules/.bin/tsc'), args, (error, stdout, stderr) => {
      // Its exit code is a number if it has run.
      if (error && typeof error.code !== 'number') reject(error);
      else resolve(stdout + stderr);
    });
  });
