import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { tablesOf } from '../../generator/changes/database.ts';
import { readService } from '../../generator/check/service.ts';
import { searchColumn } from '../../runtime/features/search/search.ts';
import type { Value } from '../../runtime/kernel/model/fields.ts';
import { type Column, isAlwaysSet, type Table } from '../../runtime/kernel/model/table.ts';
import { converted } from '../../runtime/features/conversions/compare.ts';
import { migrateSchema, planMigration } from '../../runtime/migrations/driver.ts';
import type { ActualColumns, ActualSchema, DestructiveChanges } from '../../runtime/migrations/types.ts';
import { literal, organizationColumn, quote, rowCounters, versionColumn } from '../../runtime/kernel/sql/schema.ts';
import { resources, textsOf } from '../generator/arbitrary.ts';
import { createPostgres, describePostgres, type PostgresDatabase } from '../support/postgres.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import { insert, postgresSchema, type Schema, sqliteSchema } from './databases.ts';
import { features } from '../../runtime/features.ts';
import { sqliteDialect } from '../../runtime/migrations/sqlite-dialect.ts';
import { indexes } from '../../runtime/migrations/indexes.ts';
import { rebuildCounter } from '../../runtime/migrations/counters.ts';

/** A table without unique fields, in which random rows would clash, and without decimals and lists. */
const plain = (table: Table): Table => ({
  ...table,
  unique: [],
  columns: table.columns.map((column) => {
    // Random values name no record.
    const { references: _, ...others } = column;
    return column.type === 'decimal' || column.type === 'json'
      ? { name: column.name, type: 'text', isNullable: column.isNullable, default: null, readOnly: false }
      : others;
  }),
});

/** The tables of a random valid spec. */
const tables: fc.Arbitrary<Table[]> = resources
  .map((written) => readService(textsOf(written)).service)
  .filter((service) => service !== undefined)
  .map((service) => tablesOf(service).map(plain));

type Type = Exclude<Column['type'], 'decimal' | 'json'>;
const types: readonly Type[] = ['text', 'bigint', 'double precision', 'boolean'];

const valueOf: Readonly<Record<Type, fc.Arbitrary<Value>>> = {
  text: fc.oneof(fc.string(), fc.constantFrom('', '0', '-7', '12.5', 'true', "o'clock", 'Zoë 🙂')).filter(
    // PostgreSQL stores no zero character, as the service does not.
    (text) => !text.includes('\0') && text.isWellFormed(),
  ),
  bigint: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, 1, -1)),
  'double precision': fc
    .oneof(
      fc
        .double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 })
        .filter((value) => value === 0 || Math.abs(value) > 1e-300),
      fc.constantFrom(0, 1, -2.5, 3e10),
    )
    .map((value) => value + 0),
  boolean: fc.boolean(),
};

/** The fates of a column that an edit of a spec does not remove. */
const fates = ['stays', 'stays', 'stays', 'stays', 'is renamed', 'leaves', 'gets another type'] as const;

const isField = ({ parent }: Table, column: Column): boolean =>
  !isAlwaysSet(column) && column.name !== 'idx' && column.name !== parent?.field;

const columnAfter = (column: Column): fc.Arbitrary<Column | undefined> =>
  fc.tuple(fc.constantFrom(...fates), fc.constantFrom(...types), fc.nat(99)).map(([fate, type, number]) => {
    if (fate === 'leaves') return undefined;
    if (fate === 'is renamed')
      return { ...column, name: `renamed_${number}_${column.name}`, renamedFrom: [column.name] };
    return fate === 'gets another type' ? { ...column, type, default: null } : column;
  });

const added: fc.Arbitrary<Column[]> = fc.uniqueArray(
  fc
    .tuple(fc.stringMatching(/^new_[a-z]{1,5}$/), fc.constantFrom(...types))
    .chain(([name, type]) =>
      fc.option(valueOf[type]).map((value) => ({ name, type, isNullable: true, default: value, readOnly: false })),
    ),
  { maxLength: 3, selector: ({ name }) => name },
);

/** The fields of a list under their new names, without those that have left. */
const namesAfter = (names: readonly string[], columns: readonly Column[]): string[] =>
  names.flatMap(
    (name) => columns.find((column) => column.name === name || column.renamedFrom?.includes(name) === true)?.name ?? [],
  );

const isText = (name: string, columns: readonly Column[]): boolean =>
  columns.some((column) => column.name === name && column.type === 'text');

/** A table after an edit of its resource; undefined where the resource leaves. */
function tableAfter(table: Table): fc.Arbitrary<Table | undefined> {
  const fields = table.columns.filter((column) => isField(table, column));
  const columns = fc
    .tuple(fc.tuple(...fields.map(columnAfter)), added)
    .map(([kept, fresh]) => [
      ...table.columns.filter((column) => !isField(table, column) && !column.name.endsWith('_at')),
      ...fresh,
      ...kept.filter((column) => column !== undefined),
      ...table.columns.filter(({ name }) => name === 'created_at' || name === 'updated_at'),
    ]);
  return fc
    .tuple(fc.constantFrom('stays', 'stays', 'stays', 'is renamed', 'leaves'), columns, fc.nat(9))
    .map(([fate, after, number]) => {
      if (fate === 'leaves') return undefined;
      // Now and then another field names the parent.
      const other = after.find((column) => column.type === 'text' && isField(table, column));
      const parent = table.parent && number === 0 && other ? { ...table.parent, field: other.name } : table.parent;
      return {
        ...table,
        columns: after,
        list: {
          filter: namesAfter(table.list.filter, after),
          sort: namesAfter(table.list.sort, after),
          search: namesAfter(table.list.search, after).filter((name) => isText(name, after)),
        },
        ...(parent && { parent }),
        ...(fate === 'is renamed' && { name: `renamed_${table.name}`, renamedFrom: [table.name] }),
      };
    });
}

/** A spec, rows that its service has stored, and the spec after some edits. */
const pairs = fc.tuple(tables, tables).chain(([before, others]) =>
  fc.record({
    before: fc.constant(before),
    after: fc.tuple(...before.map(tableAfter)).map((edited) => {
      const left = edited.filter((table) => table !== undefined);
      return [...left, ...others.filter(({ name }) => !before.some((table) => table.name === name))];
    }),
    rows: fc.tuple(
      ...before.map(({ columns, kind }) =>
        fc.array(
          fc.tuple(
            ...columns.map((column) => {
              if (isAlwaysSet(column)) return fc.constant('t');
              return column.isNullable ? fc.option(valueOf[column.type as Type]) : valueOf[column.type as Type];
            }),
          ),
          {
            maxLength: kind === 'singleton' ? 0 : 4,
          },
        ),
      ),
    ),
  }),
);

const schemaOf = async ({ database }: Schema): Promise<ActualSchema> => (await database.readSchema()).actual;

/** Takes every step, also the incompatible ones. */
const migrate = async (
  { database }: Schema,
  desired: readonly Table[],
  requested?: DestructiveChanges,
): Promise<unknown> =>
  migrateSchema(features.list, database, desired, { incompatible: true, ...(requested && { requested }) });

/** The columns of a table but for the organization, which is always the same here. */
function shownOf(columns: ActualColumns): { names: string[]; kinds: string[] } {
  const shown = [...columns].filter(([name]) => name !== organizationColumn && name !== searchColumn);
  return { names: shown.map(([name]) => name), kinds: shown.map(([, type]) => type) };
}

/** Every row of every table as it is stored, singletons' ids and times aside; without the words that are made of it. */
async function contents(schema: Schema): Promise<Map<string, Value[][]>> {
  const { tables: actual } = await schemaOf(schema);
  const found = new Map<string, Value[][]>();
  for (const [name, columns] of actual) {
    // SQLite has an index of words in tables of its own.
    if (/^_.*[.]search[.]/.test(name)) continue;
    const { names, kinds } = shownOf(columns);
    found.set(name, await schema.rows(`select ${names.map(quote).join(', ')} from ${quote(name)} order by 1`, kinds));
  }
  return found;
}

/** An actual schema to compare: columns by name without their order, and only those that are desired. */
function desiredPart({ tables: actual, indexes: actualIndexes }: ActualSchema, desired: readonly Table[]) {
  return {
    tables: desired.map(({ name, columns }) => [
      name,
      columns.map((column) => [column.name, actual.get(name)?.get(column.name)]),
    ]),
    indexes: desired
      .flatMap((table) => indexes(table, sqliteDialect, features.list))
      .map(({ name }) => [name, actualIndexes.get(name)]),
    rowCounters: [...(actual.get(rowCounters)?.keys() ?? [])],
  };
}

async function holds(open: () => Promise<Schema>, { before, after, rows }: Pair): Promise<void> {
  await using schema = await open();
  await migrate(schema, before);
  for (const [place, table] of before.entries()) {
    for (const [number, values] of (rows[place] as Value[][]).entries()) {
      const row = Object.fromEntries(table.columns.map(({ name }, i) => [name, values[i] as Value]));
      const own = { id: `${table.name}_${number}`, [versionColumn]: number + 1 };
      await schema.exec(insert(table.name, { ...row, ...own }));
    }
    if (table.kind === 'singleton') continue;
    for (const statement of rebuildCounter(table)) await schema.exec(statement);
  }
  const singletons = await contents(schema);

  const { blockers } = await planMigration(features.list, schema.database, after);
  const requested: DestructiveChanges = {
    drop: [],
    convert: blockers.map((text) => /--convert ([^`]+)`/.exec(text)?.[1]).filter((name) => name !== undefined),
  };
  if (blockers.length > 0) {
    await expect(migrate(schema, after)).rejects.toThrow('Nothing was changed');
    expect(await contents(schema)).toEqual(singletons);
    expect(requested.convert).toHaveLength(blockers.length);
  }

  // The expected rows, with the new name of each table and column and the converted values.
  const tableOf = (name: string) => after.find((table) => table.name === name || table.renamedFrom?.includes(name));
  let isLossy = false;
  const expected = new Map<string, Record<string, Value>[]>();
  for (const table of before) {
    const target = tableOf(table.name);
    const stored = singletons.get(table.name) as Value[][];
    expected.set(
      target?.name ?? table.name,
      stored.map((values) => {
        // The column of the version follows those of the fields.
        const row: Record<string, Value> = { [versionColumn]: values[table.columns.length] as Value };
        for (const column of target?.columns ?? []) row[column.name] = column.default;
        for (const [i, column] of table.columns.entries()) {
          const value = values[i] as Value;
          const to = target?.columns.find(
            ({ name, renamedFrom }) => name === column.name || renamedFrom?.includes(column.name),
          );
          if (!to || to.type === column.type || value === null) row[to?.name ?? column.name] = value;
          else {
            row[to.name] = converted(value, column, to);
            isLossy ||= row[to.name] === null;
          }
        }
        return row;
      }),
    );
  }
  if (isLossy) {
    await expect(migrate(schema, after, requested)).rejects.toThrow('would not survive');
    expect(await contents(schema)).toEqual(singletons);
    return;
  }
  await migrate(schema, after, requested);

  const actual = await schemaOf(schema);
  for (const [name, stored] of expected) {
    const columns = actual.tables.get(name);
    expect(columns, name).toBeDefined();
    const { names, kinds } = shownOf(columns ?? new Map());
    const found = await schema.rows(`select ${names.map(quote).join(', ')} from ${quote(name)} order by "id"`, kinds);
    expect(found.map((values) => Object.fromEntries(names.map((column, i) => [column, values[i]])))).toEqual(
      stored.toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1)),
    );
  }
  for (const table of after) {
    if (table.kind === 'singleton') continue;
    const field = table.parent ? quote(table.parent.field) : "''";
    const counts = await schema.rows(
      `select ${field}, count(*) from ${quote(table.name)} where ${field} is not null group by 1 order by 1`,
      ['text', 'bigint'],
    );
    const kept = await schema.rows(
      `select "parent", sum("count") from ${quote(rowCounters)} where "table" = ${literal(table.name)} group by 1 ` +
        'having sum("count") <> 0 order by 1',
      ['text', 'bigint'],
    );
    expect(kept).toEqual(counts);
  }

  expect(await planMigration(features.list, schema.database, after)).toMatchObject({ steps: [], blockers: [] });
  await using fresh = await open();
  await migrate(fresh, after);
  expect(desiredPart(actual, after)).toEqual(desiredPart(await schemaOf(fresh), after));
}

type Pair = typeof pairs extends fc.Arbitrary<infer T> ? T : never;

beforeEach(repeatable);

const about = 'no row and no value is lost, and the schema is as made from nothing';

describe('random pairs of specs, SQLite', () => {
  test(about, async () => {
    await fc.assert(
      fc.asyncProperty(pairs, (pair) => holds(async () => sqliteSchema(), pair)),
      { numRuns: rounds(10, 30, 400), seed, endOnFailure: true },
    );
  });
});

describePostgres('random pairs of specs, PostgreSQL', () => {
  let database: PostgresDatabase;
  beforeAll(async () => {
    database = await createPostgres();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  test(about, async () => {
    await fc.assert(
      fc.asyncProperty(pairs, (pair) => holds(() => postgresSchema(database.url), pair)),
      { numRuns: rounds(2, 8, 150), seed, endOnFailure: true },
    );
  });
});
