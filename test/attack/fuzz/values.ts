import type { Document, Schema } from '../../document/document.ts';
import type { Random } from '../../support/random.ts';
import { fitted, textMatching } from '../../support/samples.ts';

/** Texts that services stumble over, between bars. */
const texts =
  '| |0|null|NaN|-|\0|\ud800|\udfff|\ufeff|\u202e|🙂|é|e\u0301|\'|"|\\|%|%00|../../etc|{{|\' or 1=1 --|"; drop table x; --|' +
  '__proto__|constructor|2026-02-30|0000-00-00';

const longTexts = [
  'x'.repeat(65_536),
  'x'.repeat(65_537),
  '🙂'.repeat(40_000),
  '9'.repeat(400),
  `${'a'.repeat(300)}@a`,
];
const numbers = [0, -0, 1.5, -1, 1e308, 5e-324, 2 ** 53, -(2 ** 53)];
const others: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  { a: 1 },
  { constructor: { prototype: 1 } },
];
const tooMany = Array.from({ length: 1_001 }, () => ({ id: 'x', idx: 1 }));

/** Values that services stumble over, in the place of any value. */
const hostile: readonly unknown[] = [...texts.split('|'), ...longTexts, ...numbers, ...others, tooMany];

export const hostileValue = (random: Random): unknown => random.of(hostile);

const examples: Readonly<Record<string, string>> = {
  date: '2026-11-21',
  'date-time': '2026-11-21T12:00:00Z',
  time: '12:00:00Z',
  uuid: '9f86d081-884c-4d65-9a2f-000000000001',
  email: 'name@example.com',
  uri: 'https://example.com/a?b=c',
};

/** A value that a schema takes. */
export function valueOf(document: Document, reference: Schema, random: Random): unknown {
  const schema = document.resolve(reference) as Schema;
  if (schema.enum) return random.of(schema.enum);
  switch (random.of([schema.type ?? 'string'].flat())) {
    case 'null':
      return null;
    case 'boolean':
      return random.chance(0.5);
    case 'integer':
    case 'number': {
      const { minimum = -1_000, maximum = 1_000 } = schema;
      return Math.ceil(minimum + random.next() * (maximum - minimum));
    }
    case 'array': {
      const count = 1 + random.below(Math.min(3, schema.maxItems ?? 3));
      return Array.from({ length: count }, () => valueOf(document, schema.items ?? {}, random));
    }
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || random.chance(0.3));
      return Object.fromEntries(chosen.map(([name, property]) => [name, valueOf(document, property, random)]));
    }
    default:
      if (schema.format !== undefined) return examples[schema.format] ?? 'x';
      if (schema.pattern !== undefined) return textMatching(schema.pattern, random.below(1_000));
      return fitted(`Text ${random.below(1_000)} "Zoë" 🙂`, {
        minLength: schema.minLength,
        maxLength: schema.maxLength,
      });
  }
}
