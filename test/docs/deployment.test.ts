import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { projectRoot, testProject } from '../support/server.ts';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

const dockerfile = read('Dockerfile');

/** The packages that a folder of sources names: where one is imported, and where a file of it is looked up. */
function packagesNamedIn(folder: string): Set<string> {
  const named = new Set<string>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts')) continue;
    const code = readFileSync(join(folder, path), 'utf8');
    const places = code.matchAll(/\b(?:from|import|import\.meta\.resolve)\s*\(?\s*['`]((?:@[a-z-]+\/)?[a-z][\w.-]*)/g);
    for (const [, name = ''] of places) named.add(name);
  }
  return named;
}

const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };

test('the image has every package that a server uses', () => {
  const removed = [...dockerfile.matchAll(/ dependencies\.(\S+)/g)].map(([, name = '']) => name);
  expect(removed).toContain('ts-morph');
  expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(removed));
  const used = packagesNamedIn(join(projectRoot, 'runtime')).union(packagesNamedIn(join(testProject, 'generated')));
  expect([...used]).toEqual(expect.arrayContaining(['hono', 'pg', 'zod', 'swagger-ui-dist']));
  expect(removed.filter((name) => used.has(name))).toEqual([]);
});

test('Docker is given what the Dockerfile copies, and nothing else', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
  const given = read('.dockerignore').split('\n');
  expect(given).toContain('*');
  expect(copied.toSorted()).toEqual(given.flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : [])).toSorted());
});

test('the server of compose.yaml waits for its database, and refuses to start without secrets', () => {
  const { services } = parse(read('compose.yaml')) as {
    services: Record<string, { environment: Record<string, string>; healthcheck?: object; depends_on?: object }>;
  };
  expect(services['database']?.healthcheck).toBeDefined();
  expect(services['server']?.depends_on).toEqual({ database: { condition: 'service_healthy' } });
  expect(services['server']?.environment['API_KEYS']).toMatch(/^\$\{API_KEYS:\?/);
  expect(services['database']?.environment['POSTGRES_PASSWORD']).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
});

test('what starts the server does so as `npm start`', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
  const options = scripts.start.replace(/^.* node /, '');
  expect(read('docs/deployment/records.service')).toContain(`\nExecStart=/usr/bin/node ${options}\n`);
  const [, entrypoint = '[]'] = /^ENTRYPOINT (\[.*\])$/m.exec(dockerfile) ?? [];
  expect((JSON.parse(entrypoint) as string[]).join(' ')).toBe(`/usr/bin/node ${options}`);
});
