import { expect, test } from 'vitest';
import { printCode } from '../../generator/emit/code.ts';
import { parse } from '../../generator/read/parse.ts';
import type { Scope } from '../../generator/rules/checking.ts';
import { compileCondition } from '../../generator/rules/compile.ts';
import { bool, date, decimalOf, int, string, timestamp, type Type } from '../../generator/rules/types.ts';
import { formatted } from './text.ts';

const variable = (type: Type, canBeNull = false) => ({ type, canBeNull });
const scope: Scope = {
  timeZone: 'Europe/Berlin',
  fields: new Map([
    ['starts_on', variable(date)],
    ['ends_on', variable(date, true)],
    ['amount', variable(decimalOf(2))],
    ['count', variable(int)],
    ['back_at', variable(timestamp)],
    ['class', variable(bool)],
    ['name', variable(string)],
  ]),
};

test('expressions are printed as TypeScript that a reviewer reads', async () => {
  const printed = async (text: string): Promise<string> => {
    const found = compileCondition(text, scope, (_, message) => {
      throw new Error(message);
    });
    const code = found ? await formatted('x.ts', printCode(found.expression.code)) : '';
    return code.replace(/;\n$/, '');
  };
  expect(await printed('ends_on != null && ends_on >= starts_on')).toBe('ends_on !== null && ends_on >= starts_on');
  expect(await printed('amount * 2 > 1.50 && class')).toBe(
    "decimal.compare(decimal.multiply(amount, '2'), '1.50') > 0 && class_",
  );
  expect(await printed('count % 2 == 0 || starts_on < today() - duration("7d")')).toBe(
    "remainder(count, 2) === 0 || starts_on < moved(dayIn('Europe/Berlin', time), -(7 * day))",
  );
  expect(await printed('2 * days(starts_on, back_at) > 3')).toBe(
    "integer(2 * (between(starts_on, dayIn('Europe/Berlin', back_at)) / day)) > 3",
  );
  expect(await printed('(now() - back_at) / duration("1h") > 1.5')).toBe('finite(between(back_at, time) / hour) > 1.5');
  expect(await printed('starts_on + duration("7d") * count > today()')).toBe(
    "moved(starts_on, integer(7 * day * count)) > dayIn('Europe/Berlin', time)",
  );
});

/** The part of a YAML file that a diagnostic about the last word of the text under `that` marks. */
function marked(yaml: string): string {
  const { file, diagnostics } = parse('x.yaml', yaml);
  if (!file) throw new Error(JSON.stringify(diagnostics));
  const text = (file.data as { that: string }).that;
  const start = text.lastIndexOf('count');
  const { line, column, endColumn } = file.locationOf({ path: ['that'], of: 'value', part: [start, start + 5] });
  return `${line}:${column} ${yaml.split('\n')[line - 1]?.slice(column - 1, endColumn - 1)}`;
}

test('a word of an expression has its place in every style of YAML', () => {
  expect(marked('that: name != "" && count')).toBe('1:21 count');
  expect(marked("a: 1\nthat: 'name != ''it''''s'' && count' # x")).toBe('2:31 count');
  expect(marked(String.raw`that: "name != \"\u00e9\x41\U0001F600\"\t && \n count"`)).toBe('1:49 count');
  expect(marked('that: "name != \\\n   \\"x\\" &&\n\n   count"')).toBe('4:4 count');
  expect(marked('that: name\n  != "x" &&\n  count')).toBe('3:3 count');
  expect(marked('that: >-\n  name != "x"\n\n     &&\n  count\nb: 1')).toBe('5:3 count');
  expect(marked('that: |4 # comment count\n      name\n    && count\n')).toBe('3:8 count');
  expect(marked('that:\n  !!str "count"')).toBe('2:10 count');
});
