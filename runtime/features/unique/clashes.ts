import type { Value } from '../../kernel/model/fields.ts';
import { ApiError } from '../../kernel/model/errors.ts';
import type { Words, WriteRejection } from '../../kernel/records/write.ts';
import { organizationColumn } from '../../kernel/sql/schema.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { Statement, Steps } from '../../kernel/sql/types.ts';
import { hiddenTexts, type UniqueKey, uniqueKeys } from './columns.ts';
import { quote } from '../../kernel/sql/values.ts';
import type { WritePart } from '../../kernel/sql/write-part.ts';
import type { FeatureCode } from '../../kernel/model/error-codes.ts';

export const notUnique = {
  code: 'not_unique',
  behind: 'idempotency_key_in_use',
  status: 409,
  title: 'Not unique',
  meaning: 'Another record has the same values in fields that are unique.',
  remedy: 'Change one of the fields in `errors`, or use the record that `conflicting_id` names.',
} as const satisfies FeatureCode;

declare module '../../kernel/records/write.ts' {
  interface Rejections {
    /** Another record has the values of unique fields: its id, unless the same batch would have created it. */
    not_unique: { fields: readonly string[]; id?: string };
  }
}

/** Rejects the values that another record has in unique fields. */
export const uniqueValues: WritePart = {
  isFor: (_, { unique }) => unique !== undefined,
  search: ({ sql, id, set, write }) => findClash(sql, id, set, write.later),
};

/** Finds a record whose values keep those of `set` from being stored; undefined if there is none, or none any more. */
function* findClash(
  sql: TableSql,
  id: string,
  set: Readonly<Record<string, Value>>,
  later: readonly Value[] = [],
): Steps<WriteRejection | undefined> {
  const keys = uniqueKeys(sql.table).filter(({ fields }) => fields.some((field) => field in set));
  if (keys.length === 0) return undefined;
  const found = yield { statements: keys.map((key) => selectClash(sql, key, id, set)), keepsTransactionOpen: true };
  const clashes = found.flatMap(([row], at) => (row ? [{ fields: keys[at]?.fields ?? [], id: row[0] as string }] : []));
  const clash = clashes.find((one) => !later.includes(one.id)) ?? clashes[0];
  return clash && { outcome: 'not_unique', ...clash };
}

/** Selects the id of the record with the values that a record is to have in unique fields; those not in `set` are stored. */
export function selectClash(
  sql: TableSql,
  key: UniqueKey,
  id: string,
  set: Readonly<Record<string, Value>>,
): Statement {
  const given: Record<string, Value> = { ...set };
  for (const { name, fields, valueOf } of hiddenTexts(sql.table)) {
    if (fields.some((field) => field in set)) given[name] = valueOf(set, sql.organization);
  }
  const [, ...unique] = key.columns;
  const columns = unique.filter((column) => column in given);
  const values = [id, ...columns.map((column) => given[column] as Value)];
  return sql.statement(`clash ${key.name} ${columns.join()}`, values, () => {
    const own = sql.organizationRows([`"id" = ${sql.param(1)}`]);
    const same = unique.map((column) => {
      const at = columns.indexOf(column);
      const value =
        at === -1 ? `(select ${quote(column)} from ${own})` : sql.stored(sql.column(column), sql.param(at + 2));
      return `_other.${quote(column)} = ${value}`;
    });
    const other = sql.inOrganization(`_other.${quote(organizationColumn)}`);
    const conditions = [other, `_other."id" <> ${sql.param(1)}`, ...same].join(' and ');
    return `select _other."id" from ${quote(sql.table.name)} as _other where ${conditions}`;
  });
}

export const describeClash: Words<'not_unique'> = {
  not_unique({ fields, id: stored }, { table: { title, path } }, isReadable) {
    const id = isReadable(path) ? stored : undefined;
    const [subject, holder] =
      stored === undefined
        ? [`An earlier operation creates a ${title} with`, 'an earlier operation']
        : id === undefined
          ? [`Another ${title} has`, `another ${title}`]
          : [`The ${title} ${id} has`, id];
    const messageOf = (name: string): string => {
      const others = fields.filter((other) => other !== name);
      const rest = others.length === 0 ? '' : `, and so is ${others.join(' and ')}`;
      return `is the same as in ${holder}${rest}`;
    };
    return new ApiError(notUnique, `${subject} the same ${fields.join(' and ')}.`, {
      errors: fields.map((name) => ({ pointer: `/${name}`, code: 'not_unique', message: messageOf(name) })),
      ...(id !== undefined && { conflicting_id: id }),
    });
  },
};
