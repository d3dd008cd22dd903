import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { compile } from '../support/compiler.ts';
import { projectRoot } from '../support/server.ts';

/** The settings of a separate project; the types of Node and zod cannot be found from its folder. */
const compilerOptions = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
  noEmit: true,
  allowImportingTsExtensions: true,
  strict: true,
  skipLibCheck: false,
  noUnusedLocals: true,
};

test("the client compiles in a browser's project, and needs nothing of the server and no package", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'records-consumer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = [join(projectRoot, 'test/client/consumer.ts')];
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const printed = await compile(folder, '--listFiles');
  const isOfClient =
    /\/(?:client|rules\/expressions|kernel\/values)\/[\w-]+\.ts$|[./](?:client|rules)\.ts$|\/error-codes\.ts$|\/lib\.[\w.]+\.d\.ts$/;
  // Errors are lines among those of the files.
  expect(printed.split('\n').filter((line) => line !== '' && !isOfClient.test(line))).toEqual([]);
});
