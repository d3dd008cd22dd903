import { expect, test } from 'vitest';

import { type Json, printJson } from '../../generator/emit/json.ts';

/** Objects and lists in each other, each of which counts how often its keys are read. */
function nested(depth: number, onRead: () => void): Json {
  const counting = <T extends object>(value: T): T =>
    new Proxy(value, {
      ownKeys(target) {
        onRead();
        return Reflect.ownKeys(target);
      },
    });
  let value: Json = 'innermost';
  for (let level = 0; level < depth; level += 1) {
    value = counting(level % 2 === 0 ? { key: value } : [value]);
  }
  return value;
}

test('a part is read a bounded number of times, however deep it is', () => {
  const readsPerPart = [300, 600, 1200].map((depth) => {
    let reads = 0;
    const value = nested(depth, () => (reads += 1));
    expect(JSON.parse(printJson(value))).toEqual(JSON.parse(JSON.stringify(nested(depth, () => {}))));
    return reads / depth;
  });
  // A part takes some characters of a line, so that few fit on one.
  expect(Math.max(...readsPerPart)).toBeLessThan(60);
});

test('a value is on one line if it fits and has no lists that take several, and a long item on as few as hold it', () => {
  const field = { type: 'string', description: 'x'.repeat(100) };
  const long = {
    type: 'string',
    items: { enum: ['a'.repeat(80), 'b'.repeat(80)] },
    description: 'x'.repeat(140),
    minItems: 1,
    maxItems: 2,
  };
  const value = {
    short: { a: [1, 2, {}], b: null },
    long: ['y'.repeat(60), 'z'.repeat(60)],
    properties: { name: field, inner: { type: 'object', properties: { deep: true }, required: ['deep'] } },
    required: ['name'],
    responses: { Bad: field, Long: long },
  };
  expect(printJson(value)).toBe(
    [
      '{',
      '  "short": { "a": [1, 2, {}], "b": null },',
      '  "long": [',
      `    "${'y'.repeat(60)}",`,
      `    "${'z'.repeat(60)}"`,
      '  ],',
      '  "properties": {',
      `    "name": { "type": "string", "description": "${'x'.repeat(100)}" },`,
      '    "inner": {',
      '      "type": "object",',
      '      "properties": {',
      '        "deep": true',
      '      },',
      '      "required": [',
      '        "deep"',
      '      ]',
      '    }',
      '  },',
      '  "required": [',
      '    "name"',
      '  ],',
      '  "responses": {',
      `    "Bad": { "type": "string", "description": "${'x'.repeat(100)}" },`,
      '    "Long": { "type": "string",',
      `      "items": { "enum": ["${'a'.repeat(80)}",`,
      `          "${'b'.repeat(80)}"] },`,
      `      "description": "${'x'.repeat(140)}",`,
      '      "minItems": 1, "maxItems": 2 }',
      '  }',
      '}',
    ].join('\n'),
  );
});
