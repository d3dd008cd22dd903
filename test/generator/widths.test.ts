import { expect, test } from 'vitest';

import { generate } from '../../generator/generate.ts';
import { formatted, longLines } from './text.ts';

const service = 'name: shop\ntitle: Shop\ndoc: Sells things.\nversion: 1.0.0\nlicense: MIT\n';

const nameOf = (length: number): string => 'a_name_of_many_parts_that_goes_on_'.repeat(2).slice(0, length - 1) + 'x';

/** A service whose every name and text is of about one length, so that all lines grow with it. */
function specsOf(length: number): Map<string, string> {
  const name = nameOf(length);
  const dashed = name.replaceAll('_', '-');
  const text = 'lorem ipsum '
    .repeat(10)
    .slice(0, length * 2)
    .trim();
  const record = `
kind: record
name: ${name}
doc: ${text} ${text} ${text}
list:
  filter: [${name}_2, ${name}]
  sort: [${name}, ${name}_3, status]
  search: [${name}, ${name}_2, status]
fields:
  ${name}: { default: ${text} }
  ${name}_2: { enum: [${text}, b], default: b, doc: ${text} ${text} }
  ${name}_3: { type: number, min: 1, max: 2, default: 1 }
  status: { default: ${text} }
transitions:
  go: { from: ${text}, to: b }
  ${dashed}: { from: [${text}, b], to: c }`;
  const item = `
kind: line-item
name: ${nameOf(length - 1)}
title: ${text}
doc: ${text}
max_body: 2 MiB
parent: { field: ${name}, resource: area/record }
list: { filter: [status, ${name}_2] }
fields:
  status:
  ${name}_2:
  ${name}: { required: true, max_length: 100 }`;
  const singleton = `
kind: singleton
name: ${nameOf(length - 2)}
doc: ${text}
fields:
  ${name}: { required: true, enum: [a, ${text}] }
  ${name}_2: { read_only: true, default: ${text} }`;
  return new Map([
    ['spec/service.yaml', service],
    ['spec/area/record.yaml', record],
    [`spec/area/${dashed}-item.yaml`, item],
    ['spec/area/singleton.yaml', singleton],
  ]);
}

const lengths = Array.from({ length: 31 }, (_, index) => index + 20);

test.each(lengths)('with names of %i characters, every line is as the formatter prints it', async (length) => {
  const { files, diagnostics } = await generate(specsOf(length));
  expect(diagnostics).toEqual([]);
  const code = [...files].filter(([path]) => path.endsWith('.ts'));
  const wanted = await Promise.all(code.map(async ([path, text]) => [path, await formatted(path, text)]));
  expect(code).toEqual(wanted);
  expect([...files].flatMap(([path, text]) => longLines(path, text))).toEqual([]);
});
