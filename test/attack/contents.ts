import { maxTextLength } from '../../runtime/kernel/model/limits.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import type { Database, Engine, Session } from '../bench/databases/database.ts';
import { leadOf } from '../bench/leads.ts';
import { idOf, timeOf } from '../bench/numbered.ts';
import { leadTable } from '../service/generated/crm/lead.schema.ts';
import * as generated from '../service/generated/tables.ts';
import { attachmentPath, leadPath, quietKey } from './requests.ts';
import { AttackedServer } from './server.ts';
import { rebuildCounter } from '../../runtime/migrations/counters.ts';

/** The contents of a database before an attack. */
export type Contents = 'leads' | 'large records' | 'long records' | 'many leads' | 'large parents' | 'many events';

/** As many as the longest page of a list has. */
const leads = 1_000;

/** The longest text that an attachment's field takes. */
export const largeText = 'x'.repeat(10_485_760);

/** Attachments with such a text. */
const largeRecords = 10;

/** Leads that are as large as they can be: one of what is longest in UTF-8, the other of what is longest in JSON. */
const longCharacters = ['\u{1f600}', '\u0001'];
export const longRecordIds = longCharacters.map((_, n) => idOf('lead', n));

/** Leads where there are many. */
export const manyLeads = 300_000;

/** Events where there are many: a page is enough to hold up others if it is looked for among all of them. */
const manyEvents = 300_000;

/** Orders with so many lines each. */
export const largeParents = { count: 4, items: 50_000 } as const;

export const largeParentId = (number: number): string => idOf('order', number);

/** The id of a line of one of those orders. */
export const orderLineId = (parent: number, number: number): string =>
  idOf('order_line', parent * largeParents.items + number);

/** Clients that fill a database together. */
const clients = 16;

/** Rows of one statement. */
const batch = 10_000;

/** Creates a record, for its id. */
export async function create(port: number, path: string, body: object): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${quietKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`POST ${path} was answered ${response.status}: ${text}`);
  return (JSON.parse(text) as { id: string }).id;
}

async function createLeads(port: number): Promise<void> {
  let number = 0;
  const client = async (): Promise<void> => {
    while (number < leads) await create(port, leadPath, leadOf(number++));
  };
  await Promise.all(Array.from({ length: clients }, client));
}

async function createAttachments(port: number): Promise<void> {
  for (let n = 0; n < largeRecords; n++) await create(port, attachmentPath, { order_id: `${n}`, data: largeText });
}

type Row = Readonly<Record<string, string | number>>;

/** Inserts rows, made of their numbers, past any server. */
async function insert(session: Session, table: string, count: number, rowOf: (number: number) => Row): Promise<void> {
  const columns = Object.entries(rowOf(0)).map(([name, value]) => [
    name,
    typeof value === 'number' ? 'bigint' : 'text',
  ]);
  const names = columns.map(([name]) => `"${name}"`).join(', ');
  const rows = session.rowsOf(Object.fromEntries(columns) as Record<string, string>);
  for (let from = 0; from < count; from += batch) {
    const made = Array.from({ length: Math.min(batch, count - from) }, (_, n) => rowOf(from + n));
    await session.run(
      `insert into "${table}" (_organization, ${names}) select 1, ${names} from (select * from ${rows}) as made`,
      JSON.stringify(made),
    );
  }
}

const timesOf = (number: number): Row => ({ created_at: timeOf(number), updated_at: timeOf(number) });

async function insertLeads(session: Session): Promise<void> {
  await insert(session, 'lead', manyLeads, (n) => ({ id: idOf('lead', n), lead_name: `Lead ${n}`, ...timesOf(n) }));
}

/** Indexes of PostgreSQL do not take such texts. */
async function insertLongLeads(session: Session): Promise<void> {
  const { columns, list } = leadTable;
  const others = new Set(['id', 'created_at', 'updated_at', ...list.filter, ...list.sort, ...list.search]);
  const names = columns.flatMap(({ name, type }) => (type === 'text' && !others.has(name) ? [name] : []));
  await insert(session, 'lead', longCharacters.length, (n) => {
    const character = longCharacters[n] as string;
    const bytes = Buffer.byteLength(JSON.stringify(character)) - 2;
    const length = Math.floor((leadTable.maxBody - 20_000) / names.length / bytes);
    const text = character.repeat(Math.min(maxTextLength, length));
    return { id: idOf('lead', n), ...Object.fromEntries(names.map((name) => [name, text])), ...timesOf(n) };
  });
}

async function insertOrders(session: Session): Promise<void> {
  const { count, items } = largeParents;
  await insert(session, 'order', count, (n) => ({
    id: largeParentId(n),
    company: 'x',
    currency: 'EUR',
    ...timesOf(n),
  }));
  await insert(session, 'order_line', count * items, (n) => {
    const parent = Math.floor(n / items);
    return {
      id: idOf('order_line', n),
      idx: (n % items) + 1,
      order_id: largeParentId(parent),
      article: `Article ${n}`,
    };
  });
}

async function insertEvents(session: Session): Promise<void> {
  await insert(session, '_event', manyEvents, (n) => {
    const what = { operation: 'create', resource: 'crm/lead', record: idOf('lead', n), version: 1, changes: '{}' };
    return { number: n + 1, noted_at: n, time: timeOf(n), actor: 'x', request_id: `${n}`, ...what };
  });
}

const counted = Object.values<Table>(generated).filter(({ kind }) => kind !== 'singleton');

interface Filling {
  /** By requests to a server. */
  readonly requests?: (port: number) => Promise<void>;
  /** Past it, where there are many rows. */
  readonly rows?: (session: Session) => Promise<void>;
}

const fillings: Readonly<Record<Contents, Filling>> = {
  leads: { requests: createLeads },
  'large records': { requests: createAttachments },
  'long records': { rows: insertLongLeads },
  'many leads': { rows: insertLeads },
  'large parents': { rows: insertOrders },
  'many events': { rows: insertEvents },
};

/** Databases that attacks begin with: each contents is made once, and copied for each attack. */
export class Databases {
  readonly #engine: Engine;
  readonly #made = new Map<Contents, Promise<Database>>();
  #copies = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get engine(): Engine['name'] {
    return this.#engine.name;
  }

  /** A new database with these contents. */
  async with(contents: Contents): Promise<Database> {
    let made = this.#made.get(contents);
    if (!made) this.#made.set(contents, (made = this.#make(contents)));
    const copy = this.#engine.database(`attacked-${++this.#copies}`);
    await (await made).copyTo(copy);
    return copy;
  }

  async #make(contents: Contents): Promise<Database> {
    const database = this.#engine.database(contents.replaceAll(' ', '-'));
    const { requests, rows } = fillings[contents];
    await database.create();
    const server = await AttackedServer.start(database.url);
    await requests?.(server.port);
    await server.stop();
    if (rows) {
      await database.fill(async (session) => {
        await rows(session);
        for (const statement of counted.flatMap(rebuildCounter)) await session.run(statement);
      });
    }
    await database.tidyUp();
    return database;
  }
}
