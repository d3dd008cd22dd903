import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readService } from '../../generator/check/service.ts';
import { editorSchemas } from '../../generator/editor/schema.ts';
import {
  type FieldTypeName,
  fieldTypeNames,
  fieldTypes,
  kindFields,
  maxFields,
} from '../../generator/model/language.ts';
import { fieldTypeRow } from '../../generator/model/field-types.ts';
import type { FieldType } from '../../generator/model/model.ts';
import type { SpecFile } from '../../generator/read/parse.ts';
import { modeline, schemaFiles } from '../../generator/read/paths.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import { kinds } from '../../runtime/kernel/model/operations.ts';
import { type GoldenCase, goldenCases } from '../generator/golden.ts';
import { projectRoot, testProject } from '../support/server.ts';
import { invisible } from './invisible.ts';
import { fileOf, rejectionsOf, schemaOf } from './validator.ts';

const specs = new Map([...readSpecs(testProject)].filter(([path]) => path.endsWith('.yaml')));

describe('the files', () => {
  test.each([...editorSchemas()])('%s is what the language gives', (file, text) => {
    expect(readFileSync(join(projectRoot, file), 'utf8'), 'Run `npm run editor` and commit what it changes.').toBe(
      text,
    );
  });

  test.each(Object.values(schemaFiles))('%s has a title and a description for every key', (file) => {
    const keys = keysOf(schemaOf(file));
    expect(keys.length).toBeGreaterThan(5);
    for (const { path, schema } of keys) {
      expect(schema, path).toMatchObject({
        title: expect.stringMatching(/\S/),
        description: expect.stringMatching(/\S/),
      });
    }
  });

  test.each([...specs])('%s names its schema in its first line', (path, text) => {
    const [first = ''] = text.split('\n');
    // As in the root of a project, but two folders below it.
    expect(first).toBe(modeline(path).replace('$schema=', '$schema=../../'));
    const [, schema = ''] = /\$schema=(\S+)$/.exec(first) ?? [];
    expect(existsSync(join(testProject, dirname(path), schema))).toBe(true);
  });
});

describe('a spec that the check accepts', () => {
  test.each([...specs])('%s', (path, text) => expectAccepted(path, text));

  const valid = goldenCases.filter(({ isValid }) => isValid);
  test.each(valid.map(({ name, specs: files }) => [name, files] as const))('golden case %s', (_, files) => {
    for (const [path, text] of files) expectAccepted(path, text);
  });
});

test('an editor suggests no type of a field that the check refuses', () => {
  const { definitions } = schemaOf(schemaFiles.resource) as { definitions: Record<string, Record<string, never>> };
  const suggested = ['mapping', ...fieldTypeNames].flatMap((name) => {
    const type = definitions[name]?.['properties']?.['type'] as { enum?: string[]; const?: string } | undefined;
    return [...(type?.enum ?? []), ...(type?.const === undefined ? [] : [type.const])];
  });
  expect(new Set(suggested)).toEqual(new Set(fieldTypeNames.filter((name) => name !== 'string')));
});

describe('a spec that the check refuses', () => {
  test('at least nine in ten of the golden errors that a schema can see', () => {
    const errors = goldenCases.flatMap(errorsOf);
    const visible = errors.filter(({ isVisible }) => isVisible);
    const missed = visible.filter(({ isCaught }) => !isCaught);
    const share = 1 - missed.length / visible.length;
    console.log(
      `The schema catches ${visible.length - missed.length} of the ${visible.length} golden errors that it can see ` +
        `(${(share * 100).toFixed(1)} %); ${errors.length - visible.length} more are out of its sight.`,
      ...missed.map(({ told }) => `\nmissed: ${told}`),
    );
    expect(share).toBeGreaterThanOrEqual(0.9);
  });

  test('every combination of the keys of a field is judged alike', () => {
    const verdicts = fieldTypeNames.flatMap((type) => combinations(type));
    for (let start = 0; start < verdicts.length; start += maxFields) {
      const fields = verdicts.slice(start, start + maxFields);
      const text = `kind: record\ndoc: A thing.\nfields:\n${fields.map((field, i) => `  f${i}: ${field}\n`).join('')}`;
      const { diagnostics } = readService(new Map([['spec/area/thing.yaml', text]]));
      const byCheck = new Set(
        diagnostics.filter(({ file }) => file !== 'spec/service.yaml').map(({ line }) => line - 4),
      );
      const file = fileOf('spec/area/thing.yaml', text)!;
      const bySchema = new Set(rejectionsOf(file).map(({ path }) => Number(path[1]?.slice(1))));
      fields.forEach((field, i) => expect(bySchema.has(i), field).toBe(byCheck.has(i)));
    }
    expect(verdicts.length).toBeGreaterThan(2 ** 9);
  });

  test.each(kinds)('names that a field of a %s cannot have', (kind) => {
    const parent = kind === 'line-item' ? 'parent: { field: a }\n' : '';
    const text = (name: string): string =>
      `kind: ${kind}\ndoc: A thing.\n${parent}fields:\n  a: { required: true }\n  ${name}:\n`;
    for (const name of [...kindFields[kind], 'constructor', 'prototype', '__proto__', 'A', 'a-b', 'ä', 'a__b', '_a']) {
      const paths = rejectionsOf(fileOf('spec/area/thing.yaml', text(name))!).map(({ path }) => path.join('/'));
      expect(new Set(paths), name).toEqual(new Set([`fields/${name}`]));
    }
    for (const name of ['identity', 'id_2', 'constructor_name', 'class', 'default', 'order', 'to_string']) {
      expectAccepted('spec/area/thing.yaml', text(name));
    }
  });

  test.each([
    ['a key of another kind', 'kind: singleton\ndoc: A.\nparent: { field: a }\nfields:\n  a:\n', 'parent'],
    ['an unknown kind', 'kind: recrod\ndoc: A.\n', 'kind'],
    ['no kind', 'doc: A.\nfields:\n  a:\n', ''],
    ['no fields', 'kind: record\ndoc: A.\nfields: {}\n', 'fields'],
    ['a key that is not there', 'kind: record\ndoc: A.\nfields:\n  a: { requird: true }\n', 'fields/a/requird'],
    ['an unknown type', 'kind: record\ndoc: A.\nfields:\n  a: { type: interger }\n', 'fields/a/type'],
    ['an unknown short type', 'kind: record\ndoc: A.\nfields:\n  a: interger\n', 'fields/a'],
    ['a default of another type', 'kind: record\ndoc: A.\nfields:\n  a: { default: 3 }\n', 'fields/a/default'],
    [
      'a renamed value without its former name',
      'kind: record\ndoc: A.\nfields:\n  a: { enum: [{ value: b }] }\n',
      'fields/a/enum/0',
    ],
    ['a value twice', 'kind: record\ndoc: A.\nfields:\n  a: { enum: [a, b, a] }\n', 'fields/a/enum/2'],
    ['a long name', `kind: record\nname: ${'a'.repeat(51)}\ndoc: A.\nfields:\n  a:\n`, 'name'],
    [
      'two kinds of parent',
      'kind: line-item\ndoc: A.\nparent: { field: a, resource: crm/b, type_field: c }\nfields:\n  a:\n',
      'parent/type_field',
    ],
    [
      'a transition like an operation',
      'kind: record\ndoc: A.\nfields:\n  status:\ntransitions:\n  update: { from: a, to: b }\n',
      'transitions/update',
    ],
  ])('%s, at its location', (_, text, path) => {
    const rejections = rejectionsOf(fileOf('spec/area/thing.yaml', text)!);
    expect(rejections.map((rejection) => rejection.path.join('/'))).toContain(path);
    expect(readService(new Map([['spec/area/thing.yaml', text]])).diagnostics.map(({ file }) => file)).toContain(
      'spec/area/thing.yaml',
    );
  });
});

function expectAccepted(path: string, text: string): void {
  const file = fileOf(path, text);
  expect(file && rejectionsOf(file), `${path}\n${text}`).toEqual([]);
}

interface GoldenError {
  readonly told: string;
  readonly isVisible: boolean;
  readonly isCaught: boolean;
}

/** The errors of a golden case, and whether the schema rejects something at the location of each. */
function errorsOf({ name, specs: files, expected }: GoldenCase): GoldenError[] {
  const lines = (expected.get('diagnostics.txt') ?? '').split('\n').filter((line) => line !== '');
  return lines.flatMap((line) => {
    const [, file = '', at = '', message = ''] = /^([^:]+):(\d+:\d+): (.*)$/.exec(line) ?? [];
    const told = `${name}: ${line}`;
    if (message.startsWith('warning: ')) return [];
    if (invisible.some(([pattern]) => pattern.test(message))) return { told, isVisible: false, isCaught: false };
    const spec = file.endsWith('.yaml') ? fileOf(file, files.get(file) ?? '') : undefined;
    const isVisible = file.endsWith('.yaml') && !isOfPath(message, spec?.data) && !(spec && isInExpression(spec, at));
    const isCaught = spec !== undefined && rejectionsOf(spec).some(({ path }) => locationsOf(spec, path).includes(at));
    return { told, isVisible, isCaught };
  });
}

/** Whether the fault is in a name that comes from the path of the file, which no schema sees. */
const isOfPath = (message: string, data: unknown): boolean =>
  /^the name (?:\S+ is longer than|must not begin)/.test(message) &&
  !(typeof data === 'object' && data !== null && 'name' in data);

/** Whether a location is inside of an expression, of which a schema sees that it is a string. */
function isInExpression(spec: SpecFile, at: string): boolean {
  const [atLine, atColumn] = at.split(':').map(Number);
  return expressionsIn(spec.data).some((path) => {
    const { line, column, endColumn } = spec.locationOf({ path, of: 'value' });
    return line === atLine && column <= Number(atColumn) && Number(atColumn) <= Number(endColumn);
  });
}

/** The paths of all expressions. */
function expressionsIn(data: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof data === 'string') return ['when', 'that', 'computed'].includes(path.at(-1) ?? '') ? [path] : [];
  if (typeof data !== 'object' || data === null) return [];
  return Object.entries(data).flatMap(([key, value]) => expressionsIn(value, [...path, key]));
}

/** The locations where the check may report a fault at a path: the key, the value, or the value around it. */
function locationsOf(spec: SpecFile, path: readonly string[]): string[] {
  const whole = path.length > 2 ? [spec.locationOf({ path: path.slice(0, -1), of: 'value' })] : [];
  const own = [spec.locationOf({ path, of: 'key' }), spec.locationOf({ path, of: 'value' })];
  return [...own, ...whole].map(({ line, column }) => `${line}:${column}`);
}

/** The keys that a schema describes, at every level. */
function keysOf(schema: unknown, at = ''): { path: string; schema: unknown }[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const entries = Object.entries(schema);
  const own = 'properties' in schema ? Object.entries(schema.properties as object) : [];
  return [
    // A property that is false is a rule about keys.
    ...own
      .filter(([, property]) => property !== false)
      .map(([key, property]) => ({ path: `${at}/${key}`, schema: property })),
    // A condition only asks.
    ...entries.filter(([key]) => key !== 'if').flatMap(([key, part]) => keysOf(part, `${at}/${key}`)),
  ];
}

const exampleOf = (type: FieldType): string => JSON.stringify(fieldTypeRow(type).example(type));

/** Fields of a type, with every set of its keys, and with values that are right by themselves. */
function combinations(type: FieldTypeName): string[] {
  const values: Readonly<Record<string, string>> = {
    format: 'date',
    required: 'true',
    nullable: 'true',
    read_only: 'true',
    default:
      type === 'string'
        ? 'b'
        : type === 'decimal'
          ? '"2"'
          : type === 'list'
            ? '[a]'
            : exampleOf({ type, min: 1, max: 3 } as FieldType),
    min_length: '1',
    max_length: '20',
    pattern: '"[ab2]"',
    enum: '[a, b]',
    min: type === 'decimal' ? '"1"' : '1',
    max: type === 'decimal' ? '"3"' : '3',
    of: 'string',
    max_items: '3',
    unique_items: 'true',
    digits: '4',
    scale: '2',
  };
  const keys = Object.keys(values).filter((key) => key in fieldTypes[type].shape);
  return Array.from({ length: 2 ** keys.length }, (_, bits) => {
    const chosen = keys.filter((_key, index) => (bits >> index) & 1);
    const own = type === 'string' && chosen.includes('format') ? { ...values, default: '2026-01-31' } : values;
    return `{ ${[...(type === 'string' ? [] : [`type: ${type}`]), ...chosen.map((key) => `${key}: ${own[key]}`)].join(', ')} }`;
  });
}
