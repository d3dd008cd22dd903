import { expect, test } from 'vitest';

import { consoleScripts } from '../../runtime/apps/console/scripts.ts';
import { expectProblem } from '../support/problem.ts';
import { sharedServer, startServer } from '../support/server.ts';

const server = sharedServer();
const withoutKey = { authorization: null };
const get = (path: string, method = 'GET') => server.request(method, path, undefined, withoutKey);

const fileAt = async (path: string): Promise<{ text: string; headers: Headers }> => {
  const answer = await get(path);
  expect(answer.status, path).toBe(200);
  return answer;
};

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

test('the page of the reference and its files need no key, no other host, and no code in the page', async () => {
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
    expect(file).toMatch(/^(?:docs\/[\w.-]+|openapi\.json|console)$/);
    expect((await get(`/${file}`)).status, file).toBe(200);
  }
});

test('the modules of the reference are there, as JavaScript', async () => {
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

test('a browser that asks for a place of the console as a path is led to its fragment, behind any prefix', async () => {
  const ask = (path: string, method = 'GET', accept = 'text/html,*/*;q=0.8') =>
    server.request(method, path, undefined, { ...withoutKey, accept });
  for (const method of ['GET', 'HEAD']) {
    for (const [path, location] of [
      ['/console/crm/lead', '/console#/crm/lead'],
      ['/console/crm/lead/lead_1?x=1', '/console#/crm/lead/lead_1?x=1'],
      ['/console/activity', '/console#/activity'],
    ] as const) {
      const { status, headers } = await ask(path, method);
      expect(status, path).toBe(302);
      for (const prefix of ['', '/records'])
        expect(new URL(headers.get('location') ?? '', `http://host${prefix}${path}`).href).toBe(
          `http://host${prefix}${location}`,
        );
    }
  }
  expectProblem(await ask('/console/crm/lead', 'POST'), 404, 'not_found');
  expectProblem(await ask('/console/list/none.css', 'GET', '*/*'), 404, 'not_found');
  expect((await ask('/console/main.js')).status).toBe(200);
  expectProblem(await ask('/docs/crm/lead'), 404, 'not_found');
  expectProblem(await ask('/consoles/crm'), 404, 'not_found');
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

/** The URLs that a text names, as paths. */
const pathsIn = (text: string, pattern: RegExp, base: string): string[] =>
  [...text.matchAll(pattern)].map(([, url = '']) => new URL(url, `http://host${base}`).pathname);

const imports = /\b(?:from|import)\s*["']([\w./-]+)["']/g;

const laterImports = /\bimport\(["']([\w./-]+)["']\)/g;

async function module(path: string): Promise<string> {
  const { text, headers } = await fileAt(path);
  expect(headers.get('content-type'), path).toBe('text/javascript; charset=utf-8');
  for (const [, specifier] of text.matchAll(imports)) expect(specifier, path).toMatch(/^\.\.?\/[\w./-]+\.js$/);
  return text;
}

test('the page of the console begins with one script, and all scripts are loaded by relative URLs', async () => {
  const page = await fileAt('/console');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.text).not.toMatch(/(?:href|src)="\//);
  const [main = '', ...others] = pathsIn(page.text, /<script type="module" src="([^"]+)">/g, '/console');
  expect(others).toEqual([]);
  const first = await module(main);
  expect(pathsIn(first, imports, main)).toEqual([]);
  const later = new Set(pathsIn(first, laterImports, main));
  expect(later.size).toBeGreaterThan(0);
  for (const path of later) {
    const text = await module(path);
    for (const imported of [...pathsIn(text, imports, path), ...pathsIn(text, laterImports, path)]) later.add(imported);
  }
  // All but those of rules, which are loaded for the resources that have any.
  const reached = [...new Set([main, ...later])].map((path) => path.replace(/^\/console\/version\/[\w-]+\//, ''));
  expect(reached.toSorted()).toEqual(
    consoleScripts([])
      .map(({ name }) => name)
      .toSorted(),
  );
  for (const path of pathsIn(page.text, /rel="(?:stylesheet|icon)" href="([^"]+)"/g, '/console')) await fileAt(path);
});

test('the page of the console runs nothing but its own files', async () => {
  const { text, headers } = await fileAt('/console');
  const policy = (headers.get('content-security-policy') ?? '').split('; ');
  expect(policy).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]),
  );
  expect(policy.join()).not.toContain('unsafe');
  expect(text).not.toMatch(/<style|\bstyle=|\bon\w+=|<script>/);
  expect(server.output).not.toContain('ExperimentalWarning');
});

test('a browser keeps the files of a version of the console, and asks whether others have changed', async () => {
  const { text } = await server.request('GET', '/console', undefined, withoutKey);
  const main = /src="(console\/version\/[\w-]+\/main\.js)"/.exec(text)?.[1] ?? '';
  const style = /href="(console\/version\/[\w-]+\/style\.css)"/.exec(text)?.[1] ?? '';
  const cached = async (path: string): Promise<readonly [number, string | null]> => {
    const { status, headers } = await server.request('GET', path, undefined, withoutKey);
    return [status, headers.get('cache-control')];
  };
  for (const path of [main, style]) expect(await cached(`/${path}`)).toEqual([200, 'max-age=31536000, immutable']);
  // A tab of another version goes on: with what there is now, which it does not keep.
  for (const path of ['/console/version/older/main.js', '/console/main.js', '/console'])
    expect(await cached(path)).toEqual([200, 'no-cache']);
});

test('DOCS=off leaves out the reference, and CONSOLE=off the console', async () => {
  await using without = await startServer({ env: { DOCS: 'off', CONSOLE: 'off' } });
  for (const path of ['/', '/docs', '/docs/swagger-ui.css', '/console', '/console/style.css']) {
    expectProblem(await without.request('GET', path, undefined, withoutKey), 404, 'not_found');
  }
});
