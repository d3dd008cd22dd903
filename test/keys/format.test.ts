import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { digestOf, idNamed, idOfKey, newKey, shownKey } from '../../runtime/features/keys/format.ts';

/** As the documentation states it for secret scanners. */
const guide = readFileSync(new URL('../../docs/api-keys.md', import.meta.url), 'utf8');
const documented = new RegExp(/(?<=`)\\bs2s[^`]*/.exec(guide)?.[0] ?? 'none');

const keys = Array.from({ length: 500 }, newKey);

test('a key has the documented form, may stand in API_KEYS, and is found in a text', () => {
  for (const { id, key, digest } of keys) {
    expect(key).toMatch(/^[A-Za-z0-9\-._~+/]{16,}$/);
    expect(documented.exec(`API_KEY="${key}";`)?.[0]).toBe(key);
    expect(key.startsWith(`${shownKey(id)}_`)).toBe(true);
    expect(idOfKey(key)).toBe(id);
    expect(digestOf(key)).toBe(digest);
  }
});

test('keys differ, and use every digit everywhere', () => {
  expect(new Set(keys.map(({ id }) => id)).size).toBe(keys.length);
  const secrets = keys.map(({ key }) => key.slice(15));
  expect(new Set(secrets.join('')).size).toBe(62);
  for (let at = 0; at < 36; at++) expect(new Set(secrets.map((secret) => secret[at])).size).toBeGreaterThan(50);
});

test('a key of which one character is missing, too many or no digit has no id', () => {
  for (const { key } of keys.slice(0, 10)) {
    for (let at = 0; at < key.length; at++) {
      const [before, after] = [key.slice(0, at), key.slice(at + 1)];
      for (const text of [before + after, `${before}x${key.slice(at)}`, `${before}-${after}`])
        expect(idOfKey(text), text).toBeUndefined();
    }
  }
});

test.each(['', 's2s_', ' ', 'S2S_', 'x'.repeat(51)])('%j is no key', (text) => {
  expect(idOfKey(text)).toBeUndefined();
});

test('a key is named by its id, by its beginning, and by itself', () => {
  const { id, key } = newKey();
  for (const name of [id, shownKey(id), key]) expect(idNamed(name)).toBe(id);
});
