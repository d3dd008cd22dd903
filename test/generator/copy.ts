import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

import { projectRoot } from '../support/server.ts';

/** A line that is added to a file of a copy of the project, behind the line `after`. */
export interface Row {
  readonly file: string;
  readonly after: string;
  readonly line: string;
}

/** The three rows of an operation `pin`, which sets a field to the current time: what it is, what it does, its words. */
export const pinRows: readonly [Row, Row, Row] = [
  {
    file: 'runtime/kernel/model/operations.ts',
    after: 'const rows = {',
    line: "pin: { method: 'POST', path: '/:id/pin', action: 'write', kinds: ['record'], handler: 'change', response: 'record', status: 200, failures: [400, 404, 412] },",
  },
  {
    file: 'runtime/kernel/records/prepare.ts',
    after:
      'const preparations: { readonly [O in WriteName]: (request: WriteRequest) => PreparedWrite | Promise<PreparedWrite> } = {',
    line: "pin: ({ table, id, versions }) => ({ table, write: { op: 'update', table: table.name, id, set: { pinned_at: currentTime() }, expected: {}, time: currentTime(), ...(versions && { versions }) }, success: 'written' }),",
  },
  {
    file: 'generator/model/operations.ts',
    after: 'const texts: { readonly [O in OperationName | ArchiveOperation]: (resource: Resource) => Texts } = {',
    line: "pin: (resource) => ({ summary: `Pin ${singular(resource)}`, description: 'Sets `pinned_at`.', responseDoc: 'The record as it is now.' }),",
  },
];

/** A copy of parts of the project. It is inside of the project, where imports find its packages; its own checks skip names with a dot. */
export class Copy implements Disposable {
  readonly root = mkdtempSync(join(projectRoot, 'test/.tmp-copy-'));

  constructor(...parts: readonly string[]) {
    for (const part of parts) cpSync(join(projectRoot, part), join(this.root, part), { recursive: true });
    symlinkSync(join(projectRoot, 'node_modules'), join(this.root, 'node_modules'));
  }

  add({ file, after, line }: Row): void {
    const path = join(this.root, file);
    const content = readFileSync(path, 'utf8');
    expect(content.split(`${after}\n`)).toHaveLength(2);
    writeFileSync(
      path,
      content.replace(`${after}\n`, () => `${after}\n${line}\n`),
    );
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
