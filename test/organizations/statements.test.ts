import { Client } from 'pg';
import { afterEach, expect, test, vi } from 'vitest';

import type { Value } from '../../runtime/kernel/model/fields.ts';
import { isAlwaysSet, type Table } from '../../runtime/kernel/model/table.ts';
import { rowCounters } from '../../runtime/kernel/sql/schema.ts';
import { countUpTo } from '../../runtime/kernel/sql/counting.ts';
import { lastIndex } from '../../runtime/kernel/sql/parts.ts';
import { lockAll } from '../../runtime/kernel/sql/record-locks.ts';
import { lockItems } from '../../runtime/features/line-items/delete-items.ts';
import { setPositions } from '../../runtime/features/line-items/reorder.ts';
import { selectClash } from '../../runtime/features/unique/clashes.ts';
import { uniqueKeys } from '../../runtime/features/unique/columns.ts';
import { unknownOrigin } from '../../runtime/kernel/records/write.ts';
import { noteDeleted } from '../../runtime/features/trail/events.ts';
import { changeCounter, readCounter } from '../../runtime/kernel/sql/row-counters.ts';
import { TableSql } from '../../runtime/kernel/sql/table-sql.ts';
import { features } from '../../runtime/features.ts';
import { Dml } from '../../runtime/kernel/sql/dml.ts';
import type { Statement } from '../../runtime/kernel/sql/types.ts';
import { postgresDialect } from '../../runtime/engines/postgres/dialect.ts';
import { sqliteDialect } from '../../runtime/engines/sqlite/dialect.ts';
import type { Records } from '../../runtime/kernel/records/store.ts';
import type { Projection } from '../../runtime/kernel/records/page.ts';
import { company, tables } from '../store/contract.ts';
import { plannedByCitus, refusedByRouter } from '../support/citus-router.ts';
import { describeEngine, engines, itemsOf, textOf } from '../support/databases.ts';
import { organizationOf } from './administer.ts';

const time = '2026-01-01T00:00:00.000Z';

const valuesOf = (table: Table, fields: Readonly<Record<string, Value>> = {}): Value[] =>
  table.columns.map(({ name }) => fields[name] ?? null);

type BuildsStatements = (...args: never) => Statement | readonly Statement[];
type Method = { [M in keyof TableSql]: TableSql[M] extends BuildsStatements ? M : never }[keyof TableSql];
type Builder = (sql: TableSql) => readonly Statement[];

const nothing: readonly Statement[] = [];

/** Calls of each method that builds statements, for any table: a new method does not compile without a row. */
const builders: { readonly [M in Exclude<Method, 'statement'>]: Builder } = {
  get: (sql) => [sql.get('id')],
  only: (sql) => [sql.only()],
  newest: (sql) => [sql.newest()],
  insert: (sql) => [sql.insert(valuesOf(sql.table))],
  update: (sql) =>
    sql.table.columns.filter((column) => !isAlwaysSet(column)).map(({ name }) => sql.update('id', { [name]: null })),
  forUpdate: (sql) => [sql.forUpdate('id'), sql.forUpdate('id', ['id'])],
  some: (sql) => [sql.some(['id'], ['id'])],
  bytes: (sql) => [sql.bytes('id')],
  erase: (sql) => [sql.erase(['id'])],
  lock: (sql) => [sql.lock('id', 'againstDelete'), sql.lock('id', 'exclusive')],
  count: (sql) => [
    sql.count(sql.organizationRows(), []),
    sql.count(sql.organizationRows([`"id" = ${sql.param(1)}`]), ['id']),
  ],
  countFound: (sql) => (sql.table.list.search.length > 0 ? [sql.countFound(['a']), sql.countFound(['a'], 9)] : nothing),
};

/** Calls of the functions that build others. */
const otherBuilders: readonly Builder[] = [
  (sql) => (sql.table.parent ? [lockItems(sql, 'p'), lockItems(sql, 'p', [1, 'id'])] : nothing),
  (sql) => [lockAll(sql, '[]', 'exclusive'), lockAll(sql, '[]', 'forDelete')],
  (sql) =>
    uniqueKeys(sql.table).flatMap((key) => key.fields.map((field) => selectClash(sql, key, 'id', { [field]: 'a' }))),
  (sql) => (sql.table.parent ? [setPositions(sql, '[]')] : nothing),
  function lastIndexes(sql) {
    const { parent } = sql.table;
    if (!parent) return nothing;
    const place = { [parent.field]: 'p', ...(parent.typeField && { [parent.typeField]: 't' }) };
    return [{}, place].map((fields) => lastIndex(sql, sql.byName(valuesOf(sql.table, fields))));
  },
  (sql) => [1, -1, -Infinity].flatMap((rows) => changeCounter({ sql, parent: 'p', rows })),
  (sql) => noteDeleted(sql, unknownOrigin(), ['id']),
  (sql) => [readCounter(sql, sql.table.parent ? ['p'] : [])],
  (sql) => [countUpTo(sql, [{ column: 'id', operator: 'gt', values: ['id'] }], 9)],
];

const allBuilders = [...Object.values(builders), ...otherBuilders];

/** The text at this place up to the end of its parentheses, without what is in others. */
function scopeFrom(text: string): string {
  let depth = 0;
  let scope = '';
  for (const character of text) {
    if (character === ')' && --depth < 0) break;
    if (depth === 0 && character !== ')') scope += character;
    if (character === '(') depth++;
  }
  return scope;
}

const anyTable = new RegExp(`(${tables.map(({ name }) => `"${name}"`).join('|')}|${rowCounters})(?![\\w.":])`, 'g');

/** The places of a statement that name a table and leave out no organization. */
function unrestricted(text: string): string[] {
  return [...text.matchAll(anyTable)].flatMap(({ 0: name, index }) => {
    const before = text.slice(0, index).trimEnd();
    const rest = text.slice(index + name.length);
    const found = `${name} in ${text}`;
    if (before.endsWith('insert into')) {
      const isOwn = /^(?: \("_organization"[^)]*\))? (?:values \(|select )(?:cast\()?[?$]1\b/.test(rest);
      return isOwn ? [] : [found];
    }
    // The rows of others are left out of what was read.
    if (before.endsWith('"_organization" as "_owner" from') && /[)] where "_owner" = [?$]1$/.test(text)) return [];
    const scope = scopeFrom(rest);
    const [, alias = name] = /^ as (\w+)/.exec(scope) ?? [];
    const own = name === rowCounters ? '"_organization"' : `${alias}."_organization"`;
    const [, conditions = ''] = scope.split(' where ');
    const isOwn = new RegExp(`^${own} = [?$]1(?![0-9])`).test(conditions) && !/ or /.test(conditions);
    return isOwn ? [] : [found];
  });
}

test('what is not restricted is found', () => {
  const right = 'select 1 from "company" where "company"."_organization" = ?1';
  expect(unrestricted(right)).toEqual([]);
  for (const wrong of [
    'select 1 from "company"',
    'select 1 from "company" where "id" = ?1',
    'select 1 from "company" where "company"."_organization" = ?2',
    'select 1 from "company" where "company"."_organization" = ?1 and "id" = ?2 or true',
    'select 1 from "company" where exists (select 1 where "company"."_organization" = ?1)',
    'update "company" set "name" = ?2',
    'insert into "company" ("id") values (?1)',
    'insert into "company" ("_organization", "id") values (?2, ?1)',
    `select sum("count") from ${rowCounters} where "parent" = ''`,
    'select "id" from (select "_organization" as "_owner" from "company" limit ?2) where "_owner" = ?2',
    'select "id" from (select "id" as "_owner" from "company" limit ?2) where "_owner" = ?1',
    `${right} and "id" in (select "company_id" from "office" where "office"."id" = ?2)`,
  ]) {
    expect(unrestricted(wrong), wrong).toHaveLength(1);
  }
});

test.each([
  ['SQLite', sqliteDialect],
  ['PostgreSQL', postgresDialect],
])('%s: each table of each statement is restricted to an organization', (_, dialect) => {
  const dml = new Dml(tables, dialect, features.list);
  for (const table of tables) {
    for (const build of allBuilders) {
      for (const { text, values } of build(dml.of(table.name, 2))) {
        expect(values[0]).toBe(2);
        // Each word has its organization: the index of words can be read alone.
        if (text.includes(' from "_') && !text.includes(rowCounters)) expect(values[1]).toMatch(/^"2·/);
        else expect(text).toMatch(anyTable);
        expect(unrestricted(text)).toEqual([]);
      }
    }
  }
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly Filter?: string;
}

/** The scans of tables whose conditions have no organization. */
function unrestrictedScans(plan: Plan): string[] {
  const { 'Node Type': type, 'Relation Name': table, Plans: plans = [] } = plan;
  const conditions = [plan['Index Cond'], plan['Recheck Cond'], plan.Filter].join(' ');
  const isOwn = table === undefined || !type.includes('Scan') || /_organization = \$1\b/.test(conditions);
  return [...(isOwn ? [] : [`${type} of ${table}: ${conditions}`]), ...plans.flatMap(unrestrictedScans)];
}

/** The plans in which PostgreSQL reads without a condition on the organization. */
async function unrestrictedPlans(url: string, statements: ReadonlyMap<string, number>): Promise<string[]> {
  const found: string[] = [];
  await using client = Object.assign(new Client(url), { [Symbol.asyncDispose]: () => client.end() });
  await client.connect();
  await client.query('set plan_cache_mode = force_generic_plan');
  for (const [text, parameters] of statements) {
    await client.query(`prepare _one as ${text}`);
    const nulls = Array.from({ length: parameters }, () => 'null').join(', ');
    const { rows } = await client.query(`explain (format json) execute _one (${nulls})`);
    await client.query('deallocate _one');
    const [{ Plan: plan }] = (rows[0] as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'];
    found.push(...unrestrictedScans(plan).map((scan) => `${scan} in ${text}`));
  }
  return found;
}

/** The statements that Citus may plan at each execution, as they are rare or slow anyway, and why they are not in another form. */
const mayBePlanned: readonly (readonly [shape: RegExp, reason: string])[] = [
  [/^select _id, case when sum\(/, 'an expanded page: the engine makes its JSON and measures it in one statement'],
  [
    /"id" = any\(array\(select "id" .* offset \$\d+::bigint\)\)/s,
    'behind an offset, rows are found by their ids alone',
  ],
  [/^with _total /, 'the database chooses how it searches by the number of rows that it finds'],
  [/^select octet_length\(\(select row_to_json/, 'the engine makes the JSON of a large record to measure it'],
  [/string_agg\(_json, ',' order by _place\)/, 'records that are streamed or expanded are measured as they are read'],
  [/^select count.* from \(select (\*|1) from .* as _\w+$/s, 'the planner takes any search to find many rows'],
  [/^select max\("id"\).* union all /s, 'the newest id with each former name is read once, when a server starts'],
  [/^select coalesce\(sum\("_bytes"\)|^select row_to_json\(_row\)/, 'the page of a reorder in a batch'],
  [/^(select|update) .*json_to_recordset/s, 'a batch or a reorder names many rows'],
  [/^insert into _event .* select /s, 'the events of deleted records and line items, which may be many'],
];

/** Whole records where they have line items, which are shown. */
const viewOf = ({ expand }: Table): Projection => (expand ? { expand: Object.keys(expand) } : { fields: ['id'] });

/** Reads and writes of each table in all ways that have statements of their own: short, deep, long and streamed pages. */
async function useAll(records: Records): Promise<void> {
  for (const table of tables.filter(({ kind }) => kind !== 'singleton')) {
    const { parent } = table;
    const parentId = parent?.table === undefined ? 'p' : 'company_1';
    const place = {
      ...(parent && { [parent.field]: parentId }),
      ...(parent?.typeField && { [parent.typeField]: 't' }),
    };
    const ids = Array.from({ length: table === company ? 8 : 1 }, (_, n) => `${table.name}_${n + 1}`);
    for (const id of ids) {
      const row = {
        ...place,
        id,
        ...(table === company && { name: 'x'.repeat(200_000) }),
        created_at: time,
        updated_at: time,
      };
      await records.write({ op: 'insert', table: table.name, values: valuesOf(table, row) });
      // A record is cached when it is read for the second time.
      for (const again of [id, id, id]) await records.get(table.name, again);
    }
    const wheres = parent ? [{ [parent.field]: parentId }, place, { [parent.field]: null }] : [{}];
    for (const where of wheres) {
      for (const piece of [{ offset: 0 }, { offset: 3 }, { offset: 20_000 }, { offset: 0, after: `${table.name}_1` }]) {
        for (const limit of [2, 200]) {
          for (const projection of [undefined, { fields: ['id'] }, viewOf(table)]) {
            const listing = await records.list(table.name, {
              limit,
              ...piece,
              where,
              ...(projection && { projection }),
            });
            if (listing) await textOf(itemsOf(records, table.name, listing, projection));
          }
        }
      }
    }
    for (const id of ids) await textOf((await records.show(table.name, [id], viewOf(table))) ?? '');
    if (parent) {
      const reorder = { op: 'reorder', table: table.name, items: ids.map((id, at) => ({ id, idx: at + 2 })) } as const;
      await records.write({ op: 'batch', table: table.name, writes: [reorder], isTrial: false });
    }
  }
}

for (const engine of engines) {
  describeEngine(engine, 'the statements of the store', () => {
    afterEach(() => vi.restoreAllMocks());

    test('are restricted as well where they are built elsewhere', async () => {
      const built = new Map<string, number>();
      const { statement } = TableSql.prototype;
      vi.spyOn(TableSql.prototype, 'statement').mockImplementation(function (this: TableSql, ...args) {
        const one = statement.apply(this, args);
        // The rows of a search are a part of a statement that begins with their number.
        const isPart = one.text.includes(' _total)');
        built.set(isPart ? `with _total (_count) as (select 1) ${one.text}` : one.text, one.values.length);
        return one;
      });
      await using database = await engine.create(tables);
      const store = await database.open(tables);
      await useAll(store.of(await organizationOf(database, tables, 'acme')));
      await store.close();
      expect(built.size).toBeGreaterThan(50);
      expect([...built.keys()].flatMap(unrestricted)).toEqual([]);
      if (engine.name === 'SQLite') return;
      const dml = new Dml(tables, postgresDialect, features.list);
      for (const { name } of tables) {
        for (const build of allBuilders) {
          for (const { text, values } of build(dml.of(name, 2))) built.set(text, values.length);
        }
      }
      expect(await unrestrictedPlans(database.url, built)).toEqual([]);
      expect(await refusedByRouter(database.url, built.keys())).toEqual([]);
      const planned = await plannedByCitus(database.url, built.keys());
      const reasons = planned.map(({ text }) => mayBePlanned.find(([shape]) => shape.test(text))?.[1]);
      expect(planned.filter((_, at) => reasons[at] === undefined)).toEqual([]);
      expect(new Set(reasons)).toEqual(new Set(mayBePlanned.map(([, reason]) => reason)));
    });
  });
}
