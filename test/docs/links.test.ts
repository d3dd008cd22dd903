import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

import { projectRoot } from '../support/server.ts';

/** The size of a README that is read to its end, in bytes. */
const longestReadme = 6_000;

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

const folder = 'docs';
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(projectRoot, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`),
];

/** The lines that Markdown reads as text: neither comments of a shell are headings, nor indexes of an array links. */
const withoutCodeBlocks = (text: string): string => text.replaceAll(/^```.*?^```$/gms, '');

/** The anchors that GitHub gives the headings of a document. */
function anchorsOf(path: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCodeBlocks(read(path)).matchAll(/^#+ +(.+)$/gm)) {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The links of a document to files of the repository and to their headings. */
function linksOf(path: string): string[] {
  const links = withoutCodeBlocks(read(path))
    .replaceAll(/`[^`]*`/g, '')
    .matchAll(/\]\(([^)\s]+)[^)]*\)/g);
  return [...links].map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target));
}

/** Whether a link leads to a file, and to a heading of it where it has an anchor. */
function resolves(document: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : normalize(join(dirname(document), path));
  return existsSync(join(projectRoot, target)) && (anchor === undefined || anchorsOf(target).has(anchor));
}

describe.each(documents)('%s', (document) => {
  test('every link resolves', () => {
    expect(linksOf(document).filter((link) => !resolves(document, link))).toEqual([]);
  });

  test('every npm script exists', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read(document).matchAll(/\bnpm run (?:-\S+ )*([\w:-]+)/g)].map(([, name = '']) => name);
    // Projects of `init` have one more.
    const known = new Set([...Object.keys(scripts), ...(document === 'docs/second-service.md' ? ['client'] : [])]);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

test('README leads to every document', () => {
  const missing = documents.filter((document) => document !== 'README.md' && !linksOf('README.md').includes(document));
  expect(missing).toEqual([]);
});

test(`README has at most ${longestReadme} bytes`, () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(longestReadme);
});
