import { randomBytes } from 'node:crypto';
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite';

import { base32 } from '../numbered.ts';
import { columns, quote } from './columns.ts';
import type { Finding } from './finding.ts';

export type Fields = Readonly<Record<string, string | number | boolean | null>>;
type Row = Record<string, SQLOutputValue>;

/** Statements of one kind that are kept: each set of fields that a patch names has its own. */
const maxStatements = 100;

const booleans = columns.filter(({ type }) => type === 'boolean').map(({ name }) => name);
const defaults = Object.fromEntries(columns.map((column) => [column.name, column.default]));
const names = columns.map(({ name }) => quote(name)).join(', ');

// SQLite has no booleans: they are stored as 0 and 1.
const stored = (value: Fields[string] | undefined): SQLInputValue =>
  typeof value === 'boolean' ? Number(value) : (value ?? null);

function textOfRow(row: Row): string {
  const record: Record<string, unknown> = row;
  for (const name of booleans) if (row[name] !== null) record[name] = row[name] === 1;
  return JSON.stringify(record);
}

const jsonOfColumn = ({ name, type }: (typeof columns)[number]): string =>
  type === 'boolean' ? `case ${quote(name)} when 1 then json('true') when 0 then json('false') end` : quote(name);
const jsonObject = `json_object(${columns.map((column) => `'${column.name}', ${jsonOfColumn(column)}`).join(', ')})`;

/** An id that sorts by time, as those that are there. */
function newId(): string {
  const random = Array.from(randomBytes(16), (byte) => base32(byte & 31, 1)).join('');
  return `lead_${base32(Date.now(), 10)}${random}`;
}

/** The leads in a SQLite file. Records are answered as the text of their JSON. */
export class Leads {
  readonly #database: DatabaseSync;
  /** The select list of the statements, whose rows `textOf` turns into text. */
  readonly #read: string;
  readonly #textOf: (row: Row) => string;
  readonly #get: StatementSync;
  readonly #total: StatementSync;
  readonly #insert: StatementSync;
  readonly #countOne: StatementSync;
  readonly #pages = new Map<string, StatementSync>();
  readonly #updates = new Map<string, StatementSync>();

  /** @param json whether SQLite builds the JSON, instead of JavaScript from objects */
  constructor(file: string, json: boolean) {
    this.#database = new DatabaseSync(file);
    this.#database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536');
    this.#read = json ? `${jsonObject} as json` : names;
    this.#textOf = json ? ({ json: text }) => text as string : textOfRow;
    this.#get = this.#database.prepare(`select ${this.#read} from lead where id = ?`);
    this.#total = this.#database.prepare("select count from counter where name = 'lead'");
    const values = columns.map(() => '?').join(', ');
    this.#insert = this.#database.prepare(`insert into lead (${names}) values (${values})`);
    this.#countOne = this.#database.prepare("update counter set count = count + 1 where name = 'lead'");
  }

  get(id: string): string | undefined {
    const row = this.#get.get(id);
    return row && this.#textOf(row);
  }

  /** The leads after an id, or from an offset on, newest first. */
  page(limit: number, from: { readonly after: string } | { readonly offset: number }): string {
    const [place, parameter] = 'after' in from ? ['where id < ?', from.after] : ['', from.offset];
    // One row more says whether there are more. A bound limit would have SQLite prepare the statement again and again.
    const end = `order by id desc limit ${limit + 1}${place === '' ? ' offset ?' : ''}`;
    const rows = this.#kept(this.#pages, `select ${this.#read} from lead ${place} ${end}`).all(parameter);
    const data = rows.slice(0, limit).map(this.#textOf).join(',');
    return `{"data":[${data}],"has_more":${rows.length > limit},"total":${this.#total.get()?.['count']}}`;
  }

  /** A page of the leads that are found, with their exact number. */
  found(limit: number, offset: number, { conditions, values, behind, order }: Finding): string {
    const where = (all: readonly string[]): string => (all.length > 0 ? ` where ${all.join(' and ')}` : '');
    const of = behind ? [...conditions, behind.condition] : conditions;
    const sql = `select ${this.#read} from lead${where(of)} order by ${order} limit ${limit + 1} offset ?`;
    const rows = this.#kept(this.#pages, sql).all(...values, ...(behind?.values ?? []), offset);
    const total = this.#kept(this.#pages, `select count(*) as total from lead${where(conditions)}`).get(...values);
    const data = rows.slice(0, limit).map(this.#textOf).join(',');
    return `{"data":[${data}],"has_more":${rows.length > limit},"total":${String(total?.['total'])}}`;
  }

  create(fields: Fields): { id: string; text: string } {
    const id = newId();
    const now = new Date().toISOString();
    const record: Fields = { ...defaults, ...fields, id, created_at: now, updated_at: now };
    this.#database.exec('begin immediate');
    try {
      this.#insert.run(...columns.map(({ name }) => stored(record[name])));
      this.#countOne.run();
      this.#database.exec('commit');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('rollback');
      throw error;
    }
    return { id, text: JSON.stringify(record) };
  }

  /** One statement, and so a transaction of its own. @returns undefined where there is no such lead. */
  update(id: string, fields: Fields): string | undefined {
    const changed: Fields = { ...fields, updated_at: new Date().toISOString() };
    const assignments = Object.keys(changed).map((name) => `${quote(name)} = ?`);
    const sql = `update lead set ${assignments.join(', ')} where id = ? returning ${this.#read}`;
    // All rows are taken, though there is one: only a statement that is at its end is committed.
    const [row] = this.#kept(this.#updates, sql).all(...Object.values(changed).map(stored), id);
    return row && this.#textOf(row);
  }

  close(): void {
    this.#database.close();
  }

  #kept(statements: Map<string, StatementSync>, sql: string): StatementSync {
    let statement = statements.get(sql);
    if (!statement) {
      if (statements.size >= maxStatements) statements.clear();
      statement = this.#database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  }
}
