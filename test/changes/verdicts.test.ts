import { describe, expect, test } from 'vitest';
import { changesBetween } from '../../generator/changes/api.ts';
import { readService } from '../../generator/check/service.ts';
import type { Service } from '../../generator/model/model.ts';
import { edits, specsOf, type Texts } from './edits.ts';

function read(texts: Texts): Service {
  const { service, diagnostics } = readService(specsOf(texts));
  if (!service) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return service;
}

const sorted = <T extends readonly [string, ...unknown[]]>(items: readonly T[]): T[] =>
  items.toSorted(([a], [b]) => (a < b ? -1 : 1));

describe.each(edits)('$edit', ({ before, after, changes }) => {
  const found = changesBetween(read(before), read(after));

  test('each change has its verdict', () => {
    expect(sorted(found.map(({ id, verdict, affects }) => [id, verdict, affects.join(', ')] as const))).toEqual(
      sorted(Object.entries(changes).map(([id, breaks]) => [id, breaks === '' ? 'safe' : 'breaking', breaks] as const)),
    );
  });

  test('each is told in a sentence, on one line, and no two have one id', () => {
    for (const { message } of found) expect(message).toMatch(/^[A-Z`].*\.$/);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  });

  test('an unchanged spec has no changes', () => {
    for (const texts of [before, after]) expect(changesBetween(read(texts), read(texts))).toEqual([]);
  });
});

test('the table has at least 100 edits', () => {
  expect(edits.length).toBeGreaterThanOrEqual(100);
  expect(new Set(edits.map(({ edit }) => edit)).size).toBe(edits.length);
});

test('every resource is new and safe if there was no spec', () => {
  const after = read({ 'crm/lead': 'kind: record\ndoc: A lead.\nfields: { name: { required: true } }' });
  expect(changesBetween(undefined, after)).toEqual([
    {
      id: 'crm/lead/added',
      resource: 'crm/lead',
      verdict: 'safe',
      affects: [],
      message: 'The record `/api/crm/lead` is new, with `list`, `create`, `retrieve`, `update` and `delete`.',
    },
  ]);
});

test('a constant is named by the fields whose default it is', () => {
  const [a, b] = ['s3', 'minio'].map((storage) =>
    read({
      service: `name: t\ntitle: T\ndoc: D\nversion: 1.0.0\nlicense: MIT\nconstants: { storage: ${storage} }`,
      'crm/file': 'kind: record\ndoc: A file.\nfields: { place: { default: { constant: storage } } }',
    }),
  ) as [Service, Service];
  expect(changesBetween(a, b).map(({ message }) => message)).toEqual([
    'A create that leaves `place` out stores `"minio"` (the constant `storage`) instead of `"s3"` (the constant `storage`). Nothing is refused, but new records differ.',
  ]);
});

test('a removal names the one new field of its type, in case that it was a rename', () => {
  const was = 'kind: record\ndoc: A lead.\nfields: { website }';
  const is = 'kind: record\ndoc: A lead.\nfields: { homepage, score: integer }';
  const [removal] = changesBetween(read({ 'crm/lead': was }), read({ 'crm/lead': is }));
  expect(removal?.message).toContain('If it is now called `homepage`, add `renamed_from: website` to it.');
});

test('a path that another resource has taken is said to serve it', () => {
  const record = (title: string, name = title): string =>
    `kind: record\nname: ${name}\ntitle: ${title}\ndoc: D.\nfields: { a }`;
  const before = read({ 'crm/lead': record('lead'), 'crm/deal': record('deal') });
  const after = read({ 'crm/lead': record('big_*deal*', 'deal'), 'sales/lead': record('lead') });
  expect(changesBetween(before, after).map(({ id, message }) => `${id}: ${message.split('. ').at(-1)}`)).toEqual([
    'crm/deal/moved: The old path responds 404.',
    'crm/deal/title/changed: The title changes in documents; requests and responses stay as they are.',
    'crm/deal/plural/changed: The plural changes in documents; requests and responses stay as they are.',
    'crm/lead/moved: The old path serves big\\_\\*deal\\*s now.',
  ]);
});

test('a resource that may have been renamed gets the hint that a field gets', () => {
  const resource = (kind = 'record'): string => `kind: ${kind}\ndoc: Somebody.\nfields: { name: }`;
  const removal = (after: Texts): string | undefined =>
    changesBetween(read({ 'crm/lead': resource(), 'crm/deal': resource() }), read(after)).find(
      ({ id }) => id === 'crm/lead/removed',
    )?.message;
  const hint = 'If it is now called `prospect`, add `renamed_from: lead` to it.';
  expect(removal({ 'crm/deal': resource(), 'crm/prospect': resource() })).toContain(hint);
  // Neither for another kind, nor where it could be one of several.
  expect(removal({ 'crm/deal': resource(), 'crm/prospect': resource('singleton') })).not.toContain('renamed_from');
  const several = { 'crm/deal': resource(), 'crm/prospect': resource(), 'crm/person': resource() };
  expect(removal(several)).not.toContain('renamed_from');
});

describe('a filter or an order says what an index of it costs', () => {
  test('those of texts say that PostgreSQL looks for long ones first', () => {
    const messageOf = (field: string): string | undefined => {
      const [before, after] = ['', 'list: { filter: [name] }'].map((list): Texts => ({
        'crm/lead': `kind: record\ndoc: A lead.\n${list}\nfields: { name: ${field} }`,
      }));
      return changesBetween(read(before!), read(after!)).find(({ id }) => id === 'crm/lead/list/filter/name/added')
        ?.message;
    };
    const looks = 'On PostgreSQL, an index holds texts of about 2,700 bytes: the start looks first';
    expect(messageOf('{}')).toContain('takes about 2 seconds for each million');
    expect(messageOf('{}')).toMatch(new RegExp(`${looks}.* Give the field a \`max_length\`[.]$`));
    expect(messageOf('{ max_length: 2000 }')).toMatch(new RegExp(`${looks}.*413[.]$`));
    for (const short of ['{ max_length: 600 }', '{ type: integer }', '{ enum: [a] }', '{ format: date }']) {
      expect(messageOf(short)).not.toContain('On PostgreSQL');
    }
  });
});

test('an integer that becomes a number says what its new limits refuse', () => {
  const lead = (score: string): Texts => ({ 'crm/lead': `kind: record\ndoc: A lead.\nfields: { score: ${score} }` });
  const messageOf = (before: string, after: string): string | undefined =>
    changesBetween(read(lead(before)), read(lead(after)))[0]?.message;
  expect(messageOf('{ type: integer, max: 100 }', '{ type: number, max: 10 }')).toContain(
    'Whole numbers outside of its new limits are refused with 422',
  );
  expect(messageOf('{ type: integer, max: 100 }', 'number')).toContain('Whole numbers are still accepted');
});

test('a value in the place of another one may be that', () => {
  const lead = (values: string): Texts => ({
    'crm/lead': `kind: record\ndoc: A.\nfields: { a: { enum: [${values}] } }`,
  });
  const hint = 'If it is called `"fresh"` now, add `renamed_from: new` to that.';
  const messageOf = (after: string): string | undefined =>
    changesBetween(read(lead('new, old')), read(lead(after))).find(({ id }) => id.endsWith('new/removed'))?.message;
  expect(messageOf('fresh, old')).toContain(hint);
  for (const after of ['fresh', 'fresh, late, old', 'old']) expect(messageOf(after)).not.toContain('renamed_from');
});

test('an operation id that changes is named', () => {
  const lead = 'kind: record\ndoc: A lead.\nfields: { name }';
  const taken = changesBetween(read({ 'crm/lead': lead }), read({ 'crm/lead': lead, 'crm/leads': lead }));
  expect(taken.find(({ id }) => id === 'crm/lead/plural/changed')?.message).toContain('`listLeads` becomes `listLead`');
});
