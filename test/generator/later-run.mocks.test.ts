import { beforeEach, expect, test, vi } from 'vitest';
import * as yaml from 'yaml';

import { generate, Generator } from '../../generator/generate.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import { testProject } from '../support/server.ts';

vi.mock('yaml', async (original) => {
  const actual = await original<typeof yaml>();
  return { ...actual, parseDocument: vi.fn(actual.parseDocument) };
});

const specs = readSpecs(testProject);
const parsed = vi.mocked(yaml.parseDocument);

/** The specs with an edit of one. */
function edited(path: string, from: string, to: string): Map<string, string> {
  const text = specs.get(path) ?? '';
  expect(text).toContain(from);
  return new Map(specs).set(path, text.replace(from, to));
}

beforeEach(() => void parsed.mockClear());

test('a later run parses only the edited file, and its output is that of a first run', () => {
  const generator = new Generator();
  generator.generate(specs);
  expect(parsed).toHaveBeenCalledTimes([...specs.keys()].filter((path) => path.endsWith('.yaml')).length);
  parsed.mockClear();
  const after = edited('spec/crm/competitor.yaml', 'fields:\n', 'fields:\n  market:\n');
  const { files } = generator.generate(after);
  expect(parsed).toHaveBeenCalledTimes(1);
  expect(files).toEqual(generate(after).files);
  expect(generator.generate(specs).files).toEqual(generate(specs).files);
});

test('a changed constant reaches the resources that use it', () => {
  const generator = new Generator();
  generator.generate(specs);
  const after = edited('spec/service.yaml', 'default_storage: s3', 'default_storage: disk');
  const { files } = generator.generate(after);
  expect(files.get('files/attachment.schema.ts')).toContain("'disk'");
  expect(files).toEqual(generate(after).files);
});

test('a parent that is gone, and comes back, is checked in its line items', () => {
  const generator = new Generator();
  const messages = (texts: ReadonlyMap<string, string>): string[] =>
    generator.generate(texts).diagnostics.map(({ message }) => message);
  const without = new Map(specs);
  without.delete('spec/sales/order.yaml');
  expect(messages(specs)).toEqual([]);
  expect(messages(without)).toHaveLength(1);
  // Not twice, as if the file had kept what the others say about it.
  expect(messages(without)).toHaveLength(1);
  expect(messages(specs)).toEqual([]);
});
