import { expect, test } from 'vitest';

import { expectProblem } from '../support/problem.ts';
import { sharedServer, startServer } from '../support/server.ts';

const server = sharedServer();
const withoutKey = { authorization: null };
const get = (path: string, method = 'GET') => server.request(method, path, undefined, withoutKey);

test('the address of the service leads to the reference, by a path that a prefix can stand before', async () => {
  for (const method of ['GET', 'HEAD']) {
    const { status, headers, text } = await get('/', method);
    expect([status, headers.get('location'), text]).toEqual([302, 'docs', '']);
  }
  expectProblem(await get('/?x=1'), 400, 'invalid_query');
  expectProblem(await get('/', 'POST'), 405, 'method_not_allowed');
});

test('a browser gets a page with links to the console and the reference', async () => {
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const { status, headers, text } = await server.request('GET', '/', undefined, { ...withoutKey, accept });
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(headers.get('vary')).toContain('Accept,');
  const files = [...text.matchAll(/ href="([^"]+)"/g)].map(([, file]) => file as string);
  expect(files).toEqual(expect.arrayContaining(['console', 'docs']));
  for (const file of files) expect((await get(`/${file}`)).status, file).toBe(200);
});

test('the page and its files need no key, no other host, and no code in the page', async () => {
  const { status, headers, text } = await get('/docs');
  expect(status).toBe(200);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(text).not.toMatch(/ on\w+=| style=|<style|<script(?![^>]* src=)/);
  const files = [...text.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, file]) => file as string);
  expect(files.length).toBeGreaterThan(4);
  for (const file of files) {
    expect(file).toMatch(/^(?:docs\/[\w.-]+|openapi\.json)$/);
    expect((await get(`/${file}`)).status, file).toBe(200);
  }
});

test('the modules of the page are there, as JavaScript', async () => {
  const asked = new Set(['main.js']);
  for (const name of asked) {
    const { status, headers, text } = await get(`/docs/${name}`);
    expect([status, headers.get('content-type')], name).toEqual([200, 'text/javascript; charset=utf-8']);
    for (const [, imported] of text.matchAll(/^import .* from '\.\/(.*)';$/gm)) asked.add(imported as string);
    expect(text).not.toMatch(/^import (?:type|.*\.ts')/m);
  }
  expect(asked.size).toBeGreaterThan(3);
});

test('with a slash at its end, the address of a page leads to it', async () => {
  for (const page of ['/docs', '/console']) {
    const { status, headers } = await get(`${page}/`);
    expect([status, headers.get('location')]).toEqual([302, `..${page}`]);
    expectProblem(await get(`${page}/?x=1`), 400, 'invalid_query');
  }
});

test.each([
  '/docs/main.ts',
  '/docs/package.json',
  '/docs/swagger-ui-bundle.js.map',
  '/docs/index.html',
  '/docs/../package.json',
  '/docs/..%2fpackage.json',
  '/docs/%2e%2e/%2e%2e/package.json',
  '/docs//main.js',
  '/docs/main.js/',
  '/docs/main.js%00',
  '/docs/tsconfig.json',
  '/DOCS',
])('%s is no file of it', async (path) => {
  expect(await get(path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

test('DOCS=off leaves it out', async () => {
  await using without = await startServer({ env: { DOCS: 'off', CONSOLE: 'off' } });
  for (const path of ['/', '/docs', '/docs/swagger-ui.css']) {
    expectProblem(await without.request('GET', path), 404, 'not_found');
  }
});
