import type { Database, Engine } from '../bench/databases/database.ts';
import { leadOf } from '../bench/leads.ts';
import { attachmentPath, leadPath, quietKey } from './requests.ts';
import { AttackedServer } from './server.ts';

/** What a database holds before an attack. */
export type Contents = 'leads' | 'large records';

/** As many as the longest page of a list has. */
const leads = 1_000;

/** The longest text that an attachment's field takes. */
export const largeText = 'x'.repeat(10_485_760);

/** Attachments with such a text. */
const largeRecords = 10;

/** Clients that fill a database together. */
const clients = 16;

export async function create(port: number, path: string, body: object): Promise<{ id: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${quietKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`POST ${path} was answered ${response.status}: ${text}`);
  return JSON.parse(text) as { id: string };
}

const fillings: Readonly<Record<Contents, (port: number) => Promise<void>>> = {
  async leads(port) {
    let number = 0;
    const client = async (): Promise<void> => {
      while (number < leads) await create(port, leadPath, leadOf(number++));
    };
    await Promise.all(Array.from({ length: clients }, client));
  },
  async 'large records'(port) {
    for (let n = 0; n < largeRecords; n++) await create(port, attachmentPath, { order_id: `${n}`, data: largeText });
  },
};

/** Databases that attacks begin with: each contents is made once, and copied for each attack. */
export class Databases {
  readonly #engine: Engine;
  readonly #made = new Map<Contents, Promise<Database>>();
  #copies = 0;

  constructor(engine: Engine) {
    this.#engine = engine;
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
    await database.create();
    const server = await AttackedServer.start(database.url);
    try {
      await fillings[contents](server.port);
    } finally {
      await server.stop();
    }
    return database;
  }
}
