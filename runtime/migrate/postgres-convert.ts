import type { ColumnType } from '../schema/fields.ts';
import type { Conversion } from './plan.ts';
import { literal, quote } from '../store/ddl.ts';

/** How values of a type are stored as another: which of them come back equal, and what becomes of them. */
interface Rule {
  /** A condition that holds for every value that comes back equal; without one, all do. */
  readonly isEqual?: (value: string) => string;
  readonly result: (value: string) => string;
}

const safe = '9007199254740991';
const toText: Rule = { result: (value) => `${value}::text` };

/** Casts fail on what they cannot read: a pattern is asked first. */
const readable = (value: string, pattern: string, then: string): string =>
  `case when ${value} ~ ${literal(pattern)} then ${then} else false end`;

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
    boolean: { isEqual: (value) => `${value} in (0, 1)`, result: (value) => `${value} = 1` },
  },
  'double precision': {
    text: toText,
    bigint: {
      isEqual: (value) => `${value} = trunc(${value}) and abs(${value}) <= ${safe}`,
      result: (value) => `${value}::bigint`,
    },
    boolean: { isEqual: (value) => `${value} in (0, 1)`, result: (value) => `${value} = 1` },
  },
  boolean: {
    text: toText,
    bigint: { result: (value) => `case ${value} when true then 1 when false then 0 end` },
    'double precision': { result: (value) => `case ${value} when true then 1 when false then 0 end` },
  },
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
  return [
    [
      `alter table ${quote(table)}`,
      `  alter column ${name} drop default,`,
      `  alter column ${name} type ${column.type} using ${using}` + (column.default === null ? '' : ','),
      ...(column.default === null ? [] : [`  alter column ${name} set default ${literal(column.default)}`]),
    ].join('\n'),
  ];
}

/** Counts the values that would not come back equal, with the id of one of them. */
export function unequalValues(conversion: Conversion): string {
  const name = quote(conversion.column.name);
  const { isEqual = () => 'true' } = ruleOf(conversion);
  return (
    `select count(*) as "count", min("id") as "id" from ${quote(conversion.table)} ` +
    `where ${name} is not null and not (${isEqual(name)})`
  );
}
