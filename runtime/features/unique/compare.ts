import { maxNamed } from '../../kernel/model/limits.ts';
import type { Column, Table } from '../../kernel/model/table.ts';
import { literal, organizationColumn, quote } from '../../kernel/sql/schema.ts';
import { foldedColumns, foldedValue, isFoldedColumn, isUniqueIndex, type UniqueKey, uniqueKeys } from './columns.ts';
import type { MigrationPart } from '../../migrations/part.ts';
import { presentName } from '../../kernel/sql/values.ts';
import { describeClashes } from './stored-clashes.ts';
import { holdsFormerValues } from '../renames/former-values.ts';
import { addRequired, change, dropIndex, indexStep } from '../../migrations/steps.ts';
import type {
  Comparison,
  Demand,
  IndexStep,
  MigrationDialect,
  RowCheck,
  SchemaComparison,
  Step,
} from '../../migrations/types.ts';
import { findsNone } from '../../migrations/checks.ts';
import { foldedNames, foldedRewrite, refold } from './refolded.ts';
import { textsFit } from '../../migrations/texts-fit.ts';
import { createIndex, type Index } from '../../migrations/indexes.ts';

/** The steps that give a table its hidden columns of folded texts and its unique indexes, and drop what it no longer has. */
function* compareUnique(comparison: Comparison): Generator<Step> {
  const { table, columns, actual, dialect } = comparison;
  const folded = new Set(foldedColumns(table).values());
  const alter = `alter table ${quote(table.name)}`;
  const unique = uniqueKeys(table);
  const missing = unique.filter((index) => !isBuilt(comparison, index));
  const isFolded = (index: Index): boolean => index.columns.some((column) => folded.has(column));
  const isLate = (index: Index): boolean => isFolded(index) || isConverted(comparison, index);
  if (missing.some(isFolded)) {
    // Servers of another version store texts without folding them. The index is last: without it, they are folded again.
    yield { ...change('incompatible'), kind: 'rewrite', rewrite: foldedRewrite(table) };
  }
  for (const index of unique) {
    if (missing.includes(index)) yield* buildIndex(comparison, index, isLate(index));
    else yield* checkChanges(comparison, index);
    if (actual.indexes.has(index.otherName)) yield dropUnique(index.otherName, dialect);
  }
  if (foldedNames(table).some((name) => !actual.required.has(name))) {
    const stored = unique.filter((index) => isFolded(index) && !missing.includes(index));
    yield refold(table, stored, (field) => valueOf(comparison, field));
  }
  // Rows are changed when nothing is refused any more.
  yield* fillRows(comparison);
  for (const column of columns.keys()) {
    if (!isFoldedColumn(column) || folded.has(column)) continue;
    yield { ...change('incompatible', `${alter} drop column ${quote(column)}`), need: 'cleanup' };
  }
}

const fillName = (table: Table, { name }: Column): string => `${table.name}.${name} backfill`;

/** The unique columns that show a value in rows which hold none. */
const filledColumns = (table: Table): Column[] =>
  table.columns.filter(
    ({ name, backfill }) => backfill !== undefined && uniqueKeys(table).some(({ fields }) => fields.includes(name)),
  );

/** The unique columns of a table that hold what they show, as `requiredColumns` lists them. */
const filledNames = (table: Table): string[] => filledColumns(table).map((column) => fillName(table, column));

const isUnfilled = ({ table, actual }: Comparison, column: Column): boolean =>
  filledColumns(table).includes(column) && !actual.required.has(fillName(table, column));

/** The steps that store what rows show: an index compares no other values. */
const fillRows = (comparison: Comparison): Step[] =>
  comparison.table.columns
    .filter((column) => isUnfilled(comparison, column))
    .map((column) => {
      const { table, columns, dialect } = comparison;
      const hidden = foldedColumns(table).get(column.name);
      const [name, backfill] = [quote(column.name), column.backfill ?? null];
      const fold = hidden !== undefined && columns.has(hidden) ? `, ${quote(hidden)} = ${foldedLiteral(column)}` : '';
      const fill = `set ${name} = ${dialect.values.literal(column, backfill)}${fold} where ${name} is null`;
      return change('addition', `update ${quote(table.name)} ${fill}`, ...addRequired([fillName(table, column)]));
    });

const foldedLiteral = ({ backfill = null }: Column): string => literal(foldedValue(backfill));

/** The columns of an index in the database, by their names in the spec; undefined if there is none, none if it is unfinished. */
const builtColumns = ({ table, actualName, desired, actual }: Comparison, { name }: Index): string[] | undefined =>
  // The rename of a table drops its indexes.
  actualName === table.name
    ? actual.indexes.get(name)?.map((column) => desired.get(column)?.name ?? column)
    : undefined;

const isBuilt = (comparison: Comparison, index: Index): boolean =>
  builtColumns(comparison, index)?.join() === index.columns.join() && !isConverted(comparison, index);

/** Whether a column of an index gets another type, for which its indexes are dropped. */
const isConverted = ({ columns, desired, dialect }: Comparison, index: Index): boolean =>
  [...desired].some(([former, column]) => {
    const type = columns.get(former) ?? dialect.values.type(column);
    return type !== dialect.values.type(column) && index.columns.includes(column.name);
  });

/** @param isLate whether it holds columns that an earlier step fills or converts */
function* buildIndex(comparison: Comparison, index: UniqueKey, isLate: boolean): Generator<Step> {
  const { table, dialect } = comparison;
  const built = builtColumns(comparison, index);
  if (built && !isConverted(comparison, index)) {
    const drop = dropUnique(index.name, dialect);
    yield { ...drop, ...(built.length === 0 && { unfinished: index.name }) };
  }
  const fit = textsFit(comparison, index);
  if (fit) yield { ...change('addition'), kind: 'check', check: fit };
  const create = { ...indexStep(createIndex(index, dialect, dialect.concurrently)), need: 'server' } as const;
  const demand = distinct(comparison, index);
  const check = storedDuplicates(comparison, index);
  if (isLate) {
    yield { ...create, demand, lateCheck: duplicates(table.name, index, index.columns.map(quote)) };
  } else yield check ? { ...create, demand, check } : create;
}

const distinct = ({ table }: Comparison, { fields }: UniqueKey): Demand => ({
  what: 'distinct',
  table: table.name,
  columns: fields,
});

/** The check of an index that is there, before a step changes the values that it holds. */
function* checkChanges(comparison: Comparison, index: UniqueKey): Generator<Step> {
  const isChanged = index.columns.some((name) => valueOf(comparison, name) !== quote(formerName(comparison, name)));
  const check = isChanged && storedDuplicates(comparison, index);
  if (check) yield { ...change('addition'), kind: 'check', check, demand: distinct(comparison, index) };
}

/** The step that drops a unique index: a server stores what it would refuse. */
const dropUnique = (name: string, dialect: MigrationDialect): IndexStep => ({
  ...dropIndex(name, dialect),
  need: 'server',
});

/** The name of a column before the first step. */
const formerName = ({ desired }: Comparison, name: string): string =>
  [...desired].find(([, column]) => column.name === name)?.[0] ?? name;

/** An expression before the first step: the value that a column is going to have. */
function valueOf(comparison: Comparison, name: string): string {
  const { table, columns, desired, dialect } = comparison;
  const { values } = dialect;
  const former = formerName(comparison, name);
  const column = desired.get(former);
  if (!column) {
    const [field] = [...foldedColumns(table)].find(([, hidden]) => hidden === name) ?? [];
    const folded = table.columns.find((one) => one.name === field);
    return folded && isUnfilled(comparison, folded)
      ? `coalesce(${quote(name)}, ${foldedLiteral(folded)})`
      : quote(name);
  }
  if (!columns.has(former)) return values.literal(column, column.default ?? column.backfill ?? null);
  const value = holdsFormerValues(comparison, former, column)
    ? presentName(column, quote(former), values)
    : quote(former);
  return isUnfilled(comparison, column)
    ? `coalesce(${value}, ${values.literal(column, column.backfill ?? null)})`
    : value;
}

/** The check before the first step, when columns may have former names, or are still to be added with their defaults. */
function storedDuplicates(comparison: Comparison, index: UniqueKey): RowCheck | undefined {
  const values = index.columns.map((name) => valueOf(comparison, name));
  return values.includes('null') ? undefined : duplicates(comparison.table.name, index, values, comparison.actualName);
}

/** The check that no rows have the same values. */
export function duplicates(name: string, { fields }: UniqueKey, key: readonly string[], actualName = name): RowCheck {
  const filled = key.map((value) => `(${value}) is not null`).join(' and ');
  const query =
    `select "id", _first from (select "id", min("id") over _same as _first, count(*) over _same as _count ` +
    `from ${quote(actualName)} where ${filled} window _same as (partition by ${key.join(', ')})) as _one ` +
    `where _count > 1 order by _first, "id" limit ${maxNamed + 1}`;
  return findsNone(query, (rows) => {
    const groups = Map.groupBy(rows, ([, first]) => first).values();
    return [
      describeClashes(
        name,
        fields,
        [...groups].map((group) => group.map(([id]) => String(id))),
      ),
    ];
  });
}

/** An index of the other case goes when the one that replaces it is there. */
function keepIndex({
  tables,
  dialect,
}: SchemaComparison): (name: string, columns: readonly string[]) => Step[] | undefined {
  const kept = new Set(tables.flatMap(uniqueKeys).flatMap(({ name, otherName }) => [name, otherName]));
  return (name, columns) => {
    // An index of another program does not begin with the organization.
    const isOwn = columns.length === 0 || columns[0] === organizationColumn;
    if (!isUniqueIndex(name) || !isOwn) return undefined;
    return kept.has(name) ? [] : [dropUnique(name, dialect)];
  };
}

export const migration: MigrationPart = {
  notes: (table) => [...filledNames(table), ...foldedNames(table)],
  keepIndex,
  compare: compareUnique,
  rewrites: (tables) => tables.map(foldedRewrite),
};
