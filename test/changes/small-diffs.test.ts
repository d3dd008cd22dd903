import { diffLines } from 'diff';
import { describe, expect, test } from 'vitest';
import { isMap, parseDocument, type YAMLMap } from 'yaml';
import { generate } from '../../generator/generate.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import { formats } from '../../runtime/kernel/model/formats.ts';
import { testProject } from '../support/server.ts';

const specs: ReadonlyMap<string, string> = new Map(
  [...readSpecs(testProject)].filter(([path]) => path.endsWith('.yaml')),
);

async function filesOf(edited: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, string>> {
  const { files, diagnostics } = await generate(edited);
  if (files.size === 0) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return files;
}

const before = await filesOf(specs);

interface FileDiff {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

function countLines(one: string, other: string): Pick<FileDiff, 'added' | 'removed'> {
  const parts = diffLines(one, other);
  const sumOf = (key: 'added' | 'removed'): number =>
    parts.reduce((count, part) => count + (part[key] ? part.count : 0), 0);
  return { added: sumOf('added'), removed: sumOf('removed') };
}

/** The files that an edit changes, with their lines. */
async function diff(edited: ReadonlyMap<string, string>): Promise<FileDiff[]> {
  const after = await filesOf(edited);
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => ({ path, ...countLines(before.get(path) ?? '', after.get(path) ?? '') }));
}

/** The specs with other fields in one of them. */
function withFields(path: string, edit: (fields: YAMLMap) => void): Map<string, string> {
  const document = parseDocument(specs.get(path) ?? '');
  const fields = document.get('fields');
  if (!isMap(fields)) throw new Error(`${path} has no fields.`);
  edit(fields);
  return new Map(specs).set(path, String(document));
}

/** The specs with one field more, in the middle. */
const withField = (path: string, field: unknown = null): Map<string, string> =>
  withFields(path, (fields) => {
    const document = parseDocument('');
    fields.items.splice(Math.ceil(fields.items.length / 2), 0, document.createPair('middle_field', field));
  });

const kindOf = (path: string): unknown => parseDocument(specs.get(path) ?? '').get('kind');
const resources = [...specs.keys()].filter((path) => path !== 'spec/service.yaml');
const withRows = resources.filter((path) => kindOf(path) !== 'singleton');

const sum = (diffs: readonly FileDiff[]): number => diffs.reduce((all, { added, removed }) => all + added + removed, 0);

const grown = await Promise.all(withRows.map(async (path) => ({ path, diffs: await diff(withField(path)) })));
const mostFiles = Math.max(...grown.map(({ diffs }) => diffs.length));
const mostLines = Math.max(...grown.map(({ diffs }) => sum(diffs)));

describe(`an optional field more: at most 5 files and 13 lines (measured: ${mostFiles} and ${mostLines})`, () => {
  test('in every record and line item', () => {
    expect(grown.length).toBeGreaterThanOrEqual(10);
    for (const { path, diffs } of grown) {
      expect(diffs.length, path).toBeLessThanOrEqual(5);
      expect(sum(diffs), path).toBeLessThanOrEqual(13);
    }
  });

  test.each<unknown>([
    'integer',
    'number',
    'boolean',
    ...Object.keys(formats).map((format) => ({ format })),
    { enum: ['one', 'two'] },
    { type: 'integer', default: 1, min: 0, max: 9, read_only: true },
    { max_length: 200, pattern: '^[a-z]+$', default: 'x', doc: 'A sentence that says what the field is for.' },
  ])('of %j: at most 5 files and 13 lines', async (field) => {
    const diffs = await diff(withField('spec/sales/order.yaml', field));
    expect(diffs.length).toBeLessThanOrEqual(5);
    expect(sum(diffs)).toBeLessThanOrEqual(13);
  });
});

describe('one more name in the list of a resource', () => {
  const path = 'spec/sales/order.yaml';
  const withName = (key: 'filter' | 'sort' | 'search', name: string): Promise<FileDiff[]> => {
    const document = parseDocument(specs.get(path) ?? '');
    document.addIn(['list', key], name);
    return diff(new Map(specs).set(path, String(document)));
  };
  const changed = async (diffs: Promise<readonly FileDiff[]>): Promise<unknown> =>
    (await diffs).map(({ path: file, added, removed }) => [file, added, removed]);

  test('a filter: its word in the query, its line in the client, a line or two for each parameter, its operators on one line, and its index', async () => {
    expect(await changed(withName('filter', 'currency'))).toEqual([
      ['sales/order.schema.ts', 1, 1],
      ['sales/order.client.ts', 1, 0],
      ['openapi.json', 11, 0],
      ['schema.sql', 2, 0],
    ]);
  });

  test('a sort: its word in the query, in the client, in a parameter whose lines it may break, and in a list, and an index for each direction', async () => {
    expect(await changed(withName('sort', 'currency'))).toEqual([
      ['sales/order.schema.ts', 1, 1],
      ['sales/order.client.ts', 1, 1],
      ['openapi.json', 4, 3],
      ['schema.sql', 4, 0],
    ]);
  });
});

describe('a new resource', () => {
  const fields = 'fields:\n  deal_name: { required: true }\n  amount: number\n';
  const record = `kind: record\ndoc: A sale that may come about.\n${fields}`;
  const item = `kind: line-item\ndoc: A part of a sale.\nparent: { field: deal_name }\n${fields}`;

  test.each([
    ['record', record],
    ['line item', item],
  ])(
    '%s: its three files, a line in each shared file, three in the client, and nothing but additions',
    async (_, text) => {
      const diffs = await diff(new Map(specs).set('spec/crm/deal.yaml', text));
      const of = (path: string): FileDiff | undefined => diffs.find((file) => file.path === path);
      expect(diffs.map(({ path }) => path).toSorted()).toEqual([
        'app.ts',
        'client.ts',
        'crm/deal.client.ts',
        'crm/deal.routes.ts',
        'crm/deal.schema.ts',
        'openapi.json',
        'routes.ts',
        'schema.sql',
        'tables.ts',
      ]);
      for (const path of ['routes.ts', 'tables.ts', 'app.ts']) expect(of(path)).toEqual({ path, added: 1, removed: 0 });
      expect(of('client.ts')).toEqual({ path: 'client.ts', added: 3, removed: 0 });
      for (const path of ['openapi.json', 'schema.sql']) expect(of(path)?.removed, path).toBe(0);
    },
  );

  test.each(['spec/a/first.yaml', 'spec/z/last.yaml'])('%s moves a comma and a semicolon at most', async (path) => {
    const after = await filesOf(new Map(specs).set(path, record));
    for (const [file, text] of before) {
      const grownText = after.get(file) ?? '';
      expect(countLines(text, grownText).removed, file).toBeLessThanOrEqual(1);
      expect(countLines(withoutEnds(text), withoutEnds(grownText)).removed, file).toBe(0);
    }
  });
});

/** A text without what ends a line where a list goes on, or does not. */
const withoutEnds = (text: string): string => text.replaceAll(/[,;]$/gm, '');

/** The lines without their order. Columns that are not declared, and the fields of an example, are the first ones. */
const sortedLines = (text: string): string[] =>
  withoutEnds(text)
    .replaceAll(/^( *)"(?:columns|example|body)": (?:\{\n[^]*?\n\1\}|.*)$/gm, '')
    .split('\n')
    .toSorted();

describe('an edit without a meaning', () => {
  test('comments, blank lines and line ends of Windows change no file', async () => {
    const commented = [...specs].map(([path, text]) => {
      const lines = text.trimEnd().split('\n');
      const edited = lines.map((line) => `${line}${line.trim() === '' ? '' : ' # a remark'}`);
      return [path, `# Remarks\n\n${edited.join('\n\n')}\n\n# The end\n`] as const;
    });
    expect(await diff(new Map(commented))).toEqual([]);
  });

  test('another layout, other quotes and the order of keys change no file', async () => {
    const flat = [...specs].map(([path, text]) => {
      const data = parseDocument(text).toJS() as Record<string, unknown>;
      const reversed = Object.fromEntries(Object.entries(data).toReversed());
      return [path, JSON.stringify(reversed)] as const;
    });
    expect(await diff(new Map(flat))).toEqual([]);
  });

  test('fields in another order change the order of lines and nothing else', async () => {
    const reversed = resources.map((path) => {
      const edited = withFields(path, (fields) => {
        fields.items = fields.items.toReversed();
      });
      return [path, edited.get(path) ?? ''] as const;
    });
    const after = await filesOf(new Map([...specs, ...reversed]));
    expect([...after.keys()]).toEqual([...before.keys()]);
    // The console shows the first fields.
    const withoutColumns = (text = ''): string => text.replaceAll(/^ *"columns": \[[^\]]*\],?\n/gm, '');
    for (const [file, text] of after) {
      const [one, other] = [text, before.get(file)].map((content) => sortedLines(withoutColumns(content)));
      expect(one, file).toEqual(other);
    }
    for (const file of ['app.ts', 'routes.ts', 'tables.ts', 'server.ts', 'client.ts'])
      expect(after.get(file)).toBe(before.get(file));
  });
});
