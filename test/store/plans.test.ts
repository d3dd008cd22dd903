import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { Value } from '../../runtime/kernel/model/fields.ts';
import type { Operator } from '../../runtime/kernel/model/query.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { eventPages } from '../../runtime/features/trail/events.ts';
import { mainOrganization } from '../../runtime/kernel/sql/schema.ts';
import { features } from '../../runtime/features.ts';
import { Dml } from '../../runtime/kernel/sql/dml.ts';
import { lockAll } from '../../runtime/kernel/sql/record-locks.ts';
import { setPositions } from '../../runtime/features/line-items/reorder.ts';
import type { Round, Row, Statement } from '../../runtime/kernel/sql/types.ts';
import { sqliteDialect } from '../../runtime/engines/sqlite/dialect.ts';
import { connect } from '../../runtime/engines/sqlite/connection.ts';
import { PageFinder } from '../../runtime/engines/sqlite/page-reader.ts';
import { PreparedStatements } from '../../runtime/engines/sqlite/prepared-statements.ts';
import { update } from '../../runtime/kernel/sql/changes.ts';
import type { Condition, Page, SortKey } from '../../runtime/kernel/records/page.ts';
import { attachmentTable } from '../service/generated/files/attachment.schema.ts';
import { serviceName } from '../support/databases.ts';
import { openSqlite } from '../support/main-store.ts';
import { claim, tables, task, ticket } from './contract.ts';

const rows = 3_000;

/** Statements, and those that were executed. */
class Traced extends PreparedStatements {
  readonly executed = new Set<string>();

  override all(statement: Statement): Row[] {
    this.executed.add(statement.text);
    return super.all(statement);
  }

  override get(statement: Statement): Row | undefined {
    this.executed.add(statement.text);
    return super.get(statement);
  }

  /** The parts of plans of what was executed that go through all rows of an organization. */
  walks(): string[] {
    return [...this.executed].flatMap((text) =>
      this.database
        .prepare(`explain query plan ${text}`)
        .all()
        .map(({ detail }) => String(detail))
        .filter((detail) => /^(SCAN|SEARCH) (ticket|claim|task|_one|_event)\b/.test(detail))
        .filter((detail) => !/[(]_organization=[?] AND |[(]rowid=[?][)]$/.test(detail))
        .map((detail) => `${detail} in ${text}`),
    );
  }
}

let folder: string;
let statements: Traced;
const dml = new Dml(tables, sqliteDialect, features.list);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'records-plans-'));
  const file = join(folder, 'records.db');
  await (await openSqlite(file, tables, serviceName)).close();
  const database: DatabaseSync = connect(file, 'rw');
  for (const { name } of [ticket, claim]) {
    database.exec(
      `insert into "${name}" ("_organization", "id", "subject", "status", "number", "amount", "open", "created_at", "updated_at")
       with recursive _n(value) as (select 1 union all select value + 1 from _n where value < ${rows})
       select 1, '${name}_' || printf('%010d', value) || '0000000000000000', 'all ' || value, iif(value % 1000 = 0, 'rare', 'Open'),
         value, iif(value < 4, value, null), iif(value < 4, null, true), 't', 't' from _n`,
    );
    database.exec(`update "_row_counter" set "count" = ${rows} where "table" = '${name}'`);
  }
  statements = new Traced(database);
});

afterAll(() => {
  statements?.database.close();
  rmSync(folder, { recursive: true });
});

const condition = (column: string, operator: Operator, ...values: Value[]): Condition => ({ column, operator, values });

const idOf = ({ name }: Table, number: number): string => `${name}_${String(number).padStart(10, '0')}0000000000000000`;

/** Conditions that few rows meet: of every operator, on columns of several types. */
const rareOnes = (table: Table): Condition[] => [
  condition('status', 'eq', 'rare'),
  condition('status', 'ne', 'Open'),
  condition('status', 'in', 'rare', 'none'),
  condition('status', 'in', ...Array.from({ length: 100 }, (_, n) => `none ${n}`)),
  condition('status', 'prefix', 'ra'),
  condition('subject', 'gt', 'all 998'),
  condition('number', 'eq', 7),
  condition('number', 'lt', 4),
  condition('number', 'lte', 4),
  condition('number', 'gte', rows - 3),
  condition('amount', 'null', false),
  condition('amount', 'gte', 1),
  condition('open', 'null', true),
  condition('id', 'eq', idOf(table, 7)),
  condition('id', 'in', idOf(table, 7), 'none'),
  condition('id', 'lt', idOf(table, 4)),
  condition('created_at', 'in', '1970-01-01T00:00:00.000Z', '1970-01-02T00:00:00.000Z'),
  condition('created_at', 'gt', '2300-01-01T00:00:00.000Z'),
];

const sorts: readonly (readonly SortKey[])[] = [
  [],
  ...['number', 'amount', 'id', 'created_at'].flatMap((column) =>
    [true, false].map((isDescending) => [{ column, isDescending }]),
  ),
  [
    { column: 'status', isDescending: false },
    { column: 'amount', isDescending: true },
  ],
];

/** The places of a list that are asked for. */
const placesOf = (table: Table): Pick<Page, 'offset' | 'after'>[] => [
  { offset: 0 },
  { offset: 2 },
  { offset: 0, after: idOf(table, 2) },
];

test.each([ticket, claim])(
  '$name: no list of few rows goes through all of them, however it is filtered and sorted',
  (table) => {
    for (const one of rareOnes(table)) {
      for (const filter of [[one], [condition('subject', 'gte', 'all'), one]]) {
        for (const sort of sorts) {
          for (const place of placesOf(table)) {
            // Only a thread of its own counts the rows that do not meet `ne`.
            const isUnequal = one.operator === 'ne';
            if (isUnequal && filter.length > 1) continue;
            for (const isShort of isUnequal ? [false] : [true, false]) {
              statements.executed.clear();
              const page = { limit: 20, ...place, filter, ...(sort.length > 0 && { sort }) };
              new PageFinder(statements, dml.of(table.name, mainOrganization), page, isShort).find();
              expect(statements.walks(), JSON.stringify(page)).toEqual([]);
            }
          }
        }
      }
    }
  },
);

test.each([ticket, claim])('$name: the rows of common filters are counted by the index of the rarer one', (table) => {
  const filter = [condition('subject', 'gte', 'all'), condition('status', 'eq', 'Open'), condition('open', 'eq', true)];
  for (const sort of sorts) {
    statements.executed.clear();
    const page = { limit: 20, offset: 0, filter, ...(sort.length > 0 && { sort }) };
    new PageFinder(statements, dml.of(table.name, mainOrganization), page, false).find();
    expect(statements.walks().filter((walk) => walk.includes('count(*)'))).toEqual([]);
  }
});

test('nothing is read of a list without rows', () => {
  const filter = [condition('subject', 'gte', 'all'), condition('status', 'eq', 'none')];
  statements.executed.clear();
  new PageFinder(statements, dml.of('ticket', mainOrganization), { limit: 20, offset: 0, filter }, false).find();
  expect([...statements.executed].filter((text) => text.startsWith('select "id"'))).toEqual([]);
});

test('a reorder looks line items up by their ids', () => {
  const sql = dml.of(task.name, mainOrganization);
  statements.executed.clear();
  for (const statement of [
    lockAll(sql, '[{"id":"a","idx":1}]', 'exclusive'),
    setPositions(sql, '[{"id":"a","idx":1}]'),
  ]) {
    statements.all(statement);
  }
  expect(statements.walks()).toEqual([]);
});

test.each([{}, { after: 7 }, { after: 7, isDescending: true }, { number: 7 }])(
  'a page of events reads no others: %j',
  (query) => {
    statements.executed.clear();
    const round = eventPages
      .steps(new Dml([], sqliteDialect, []), mainOrganization, { ...query, limit: 20 })
      .next().value;
    for (const statement of (round as Round).statements) statements.all(statement);
    expect(statements.executed.size).toBe(1);
    expect(statements.walks()).toEqual([]);
  },
);

test('an update of a large record reads no texts that it does not change', () => {
  const { name: table } = attachmentTable;
  const origin = { actor: null, requestId: null, time: '' };
  const write = { op: 'update', table, organization: mainOrganization, origin, id: 'a', set: { title: 'a' } } as const;
  const steps = update(new Dml([attachmentTable], sqliteDialect, features.list), { ...write, expected: {}, time: '' });
  const [locked, measured] = (steps.next([]).value as Round).statements;
  expect(locked?.text).toContain('"title"');
  expect(locked?.text).not.toContain('"data"');
  expect(measured?.text).toMatch(/^select octet_length/);
});
