import { globSync } from 'node:fs';
import { join } from 'node:path';

import { projectRoot } from './server.ts';

/** Folders that it does not look into: other tests make and delete some of them meanwhile. */
const isOther = (path: string): boolean => /^(?:api|golden|\.tmp-[^/]*)(?:\/|$)/.test(path.replaceAll('\\', '/'));

/** The paths, below `test`, of the code of all tests but those of this service. */
export const testFiles = (): string[] =>
  globSync('**/*.ts', { cwd: join(projectRoot, 'test'), exclude: isOther }).map((path) => path.replaceAll('\\', '/'));
