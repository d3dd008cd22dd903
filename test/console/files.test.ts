import { expect, test } from 'vitest';

import { expectProblem } from '../support/problem.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer();
const off = sharedServer({ env: { CONSOLE: 'off' } });

const withoutKey = { authorization: null };

const get = async (path: string): Promise<{ text: string; headers: Headers }> => {
  const answer = await server.request('GET', path, undefined, withoutKey);
  expect(answer.status, path).toBe(200);
  return answer;
};

/** The URLs that a text names, as paths. */
const pathsIn = (text: string, pattern: RegExp, base: string): string[] =>
  [...text.matchAll(pattern)].map(([, url = '']) => new URL(url, `http://host${base}`).pathname);

const imports = /\b(?:from|import)\s*["']([\w./-]+)["']/g;

const laterImports = /\bimport\(["']([\w./-]+)["']\)/g;

async function module(path: string): Promise<string> {
  const { text, headers } = await get(path);
  expect(headers.get('content-type'), path).toBe('text/javascript; charset=utf-8');
  for (const [, specifier] of text.matchAll(imports)) expect(specifier, path).toMatch(/^\.\.?\/[\w./-]+\.js$/);
  return text;
}

test('the page names every module that the console begins with, by relative URLs', async () => {
  const page = await get('/console');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.text).not.toMatch(/(?:href|src)="\//);
  const listed = new Set(pathsIn(page.text, /rel="modulepreload" href="([^"]+)"/g, '/console'));
  const [main = ''] = pathsIn(page.text, /<script type="module" src="([^"]+)">/g, '/console');
  const first = new Set<string>([main]);
  const later = new Set<string>();
  for (const path of first) {
    const text = await module(path);
    for (const imported of pathsIn(text, imports, path)) first.add(imported);
    for (const imported of pathsIn(text, laterImports, path)) later.add(imported);
  }
  expect(first.size).toBeGreaterThan(20);
  expect([...listed].toSorted()).toEqual([...first].toSorted());
  expect(later.size).toBeGreaterThan(0);
  for (const path of later) for (const imported of pathsIn(await module(path), imports, path)) later.add(imported);
  for (const path of pathsIn(page.text, /rel="(?:stylesheet|icon)" href="([^"]+)"/g, '/console')) await get(path);
});

test('the page runs nothing but its own files', async () => {
  const { text, headers } = await get('/console');
  const policy = (headers.get('content-security-policy') ?? '').split('; ');
  expect(policy).toEqual(
    expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]),
  );
  expect(policy.join()).not.toContain('unsafe');
  expect(text).not.toMatch(/<style|\bstyle=|\bon\w+=|<script>/);
  expect(server.output).not.toContain('ExperimentalWarning');
});

test('CONSOLE=off turns it off', async () => {
  for (const path of ['/console', '/console/style.css']) {
    expectProblem(await off.request('GET', path, undefined, withoutKey), 404, 'not_found');
  }
});
