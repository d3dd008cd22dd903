import type { ColumnType } from '../schema/fields.ts';
import { literal, quote } from '../store/ddl.ts';
import type { Conversion } from './plan.ts';

/** How values of a type are stored as another. */
interface Rule {
  /** A condition that holds for every value that comes back equal; without one, all do. */
  readonly isEqual?: (value: string) => string;
  readonly result: (value: string) => string;
}

const safe = '9007199254740991';

/** Casts fail on what they cannot read: a pattern is asked first. */
const readable = (value: string, pattern: string, then: string): string =>
  `case when ${value} ~ ${literal(pattern)} then ${then} else false end`;

const toText: Rule = { result: (value) => `${value}::text` };

const numberToBoolean: Rule = { isEqual: (value) => `${value} in (0, 1)`, result: (value) => `${value} = 1` };

const booleanToNumber: Rule = { result: (value) => `case ${value} when true then 1 when false then 0 end` };

const rules: Readonly<Record<ColumnType, Readonly<Partial<Record<ColumnType, Rule>>>>> = {
  text: {
    bigint: {
      isEqual: (value) => readable(value, '^(0|-?[1-9][0-9]{0,15})$', `abs(${value}::bigint) <= ${safe}`),
      result: (value) => `${value}::bigint`,
    },
    'double precision': {
      isEqual: (value) =>
        readable(
          value,
          '^-?(0|[1-9][0-9]{0,30})([.][0-9]{1,30})?(e[+-][0-9]{2,3})?$',
          `case when ${value}::numeric = 0 or abs(${value}::numeric) between 1e-307 and 1.7976931348623157e308 ` +
            `then ${value}::double precision::text = ${value} else false end`,
        ),
      result: (value) => `${value}::double precision`,
    },
    boolean: { isEqual: (value) => `${value} in ('true', 'false')`, result: (value) => `${value} = 'true'` },
  },
  bigint: {
    text: toText,
    'double precision': {
      isEqual: (value) => `abs(${value}) <= ${safe}`,
      result: (value) => `${value}::double precision`,
    },
    boolean: numberToBoolean,
  },
  'double precision': {
    text: toText,
    bigint: {
      isEqual: (value) => `${value} = trunc(${value}) and abs(${value}) <= ${safe}`,
      result: (value) => `${value}::bigint`,
    },
    boolean: numberToBoolean,
  },
  boolean: { text: toText, bigint: booleanToNumber, 'double precision': booleanToNumber },
};

function ruleOf({ from, column }: Conversion): Rule {
  const rule = rules[from][column.type];
  if (!rule) throw new Error(`There is nothing to convert from ${from} to ${column.type}.`);
  return rule;
}

/** One statement: all values, or none where one that would not come back equal has been stored since they were counted. */
export function convert(conversion: Conversion): string[] {
  const { table, column } = conversion;
  const { isEqual, result } = ruleOf(conversion);
  const name = quote(column.name);
  const using = isEqual
    ? `case when ${name} is null then null when ${isEqual(name)} then ${result(name)} ` +
      `else ('not equal: ' || ${name})::${column.type} end`
    : result(name);
  const actions = [
    `alter column ${name} drop default`,
    `alter column ${name} type ${column.type} using ${using}`,
    ...(column.default === null ? [] : [`alter column ${name} set default ${literal(column.default)}`]),
  ];
  return [`alter table ${quote(table)}\n  ${actions.join(',\n  ')}`];
}

/** A condition: the value comes back equal. */
export const isConvertible = (conversion: Conversion, value: string): string =>
  ruleOf(conversion).isEqual?.(value) ?? 'true';
