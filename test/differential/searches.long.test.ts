import { beforeEach, expect, test } from 'vitest';

import * as tables from '../service/generated/tables.ts';
import { engines, type TestDatabase } from '../support/databases.ts';
import type { Json, Stored } from '../support/records.ts';
import { Random } from '../support/random.ts';
import { repeatable, seed } from '../support/seed.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { Pair } from './pair.ts';
import { compareTexts, isFoundIn, newestFirst, refusalOf, searchOf, textOf } from './searches.ts';

const searches = 10_000;
const contacts = '/api/crm/contact';
const items = '/api/manufacturing/b-o-m-item';
const companies = ['Acme', 'Globex', null];
const boms = ['one', 'two'];

/** Two servers with the same records, and the records. */
class Records {
  readonly #pair: Pair;
  readonly #random: Random;
  readonly rows: { readonly contacts: Stored[]; readonly items: Stored[] } = { contacts: [], items: [] };

  constructor(pair: Pair, random: Random) {
    this.#pair = pair;
    this.#random = random;
  }

  async #done(method: string, path: string, body?: Json): Promise<Stored> {
    const headers = { 'content-type': 'application/json' };
    const answer = await this.#pair.ask({ method, path, ...(body && { body: JSON.stringify(body), headers }) });
    if ('answers' in answer || answer.status >= 300) throw new Error(JSON.stringify({ method, path, body, answer }));
    return answer.body as Stored;
  }

  contact(): Record<string, Json> {
    const random = this.#random;
    return {
      full_name: [...(textOf(random, 4) ?? '-')].slice(0, 140).join(''),
      notes: textOf(random, 12),
      company: random.of(companies),
    };
  }

  async create(): Promise<void> {
    if (this.#random.chance(0.6)) {
      this.rows.contacts.push(await this.#done('POST', contacts, this.contact()));
    } else {
      const bom = this.#random.of(boms);
      const texts = { item_name: textOf(this.#random, 3), description: textOf(this.#random, 12) };
      const rest = { item_code: 'a', qty: this.#random.below(9), uom: 'kg', rate: 1 };
      this.rows.items.push(await this.#done('POST', items, { bom_id: bom, ...texts, ...rest }));
    }
  }

  /** Creates, updates or deletes a record. */
  async change(): Promise<void> {
    const kind = this.#random.below(3);
    const at = this.#random.below(this.rows.contacts.length);
    const { id } = this.rows.contacts[at] as Stored;
    if (kind === 0) {
      await this.create();
    } else if (kind === 1) {
      this.rows.contacts[at] = await this.#done('PATCH', `${contacts}/${id}`, this.contact());
    } else {
      await this.#done('DELETE', `${contacts}/${id}`);
      this.rows.contacts.splice(at, 1);
    }
  }
}

/** A search of one of the lists: its query, and the records that it finds, in their order. */
function chooseSearch(random: Random, { rows }: Records): { query: URLSearchParams; path: string; found: Stored[] } {
  const query = new URLSearchParams({ q: searchOf(random) });
  const q = query.get('q') as string;
  if (random.chance(0.3)) {
    const bom = random.of(boms);
    query.set('parent_id', bom);
    let found = rows.items
      .filter((row) => row['bom_id'] === bom && isFoundIn([row['item_name']!, row['description']!], q))
      .toSorted((a, b) => Number(a['idx']) - Number(b['idx']));
    if (random.chance(0.3)) {
      query.set('sort', '-qty');
      found = found.toSorted((a, b) => Number(b['qty']) - Number(a['qty']));
    }
    return { query, path: items, found };
  }
  let found = rows.contacts.filter((row) => isFoundIn([row['full_name']!, row['notes']!], q)).toSorted(newestFirst);
  if (random.chance(0.3)) {
    const company = random.of(companies);
    if (company === null) query.set('company[null]', 'true');
    else query.set('company', company);
    found = found.filter((row) => row['company'] === company);
  }
  if (random.chance(0.3)) {
    query.set('sort', 'full_name');
    found = found.toSorted((a, b) => compareTexts(a['full_name'], b['full_name']));
  }
  return { query, path: contacts, found };
}

beforeEach(repeatable);

const missing = engines.find((engine) => engine.missing !== undefined)?.missing;
if (missing !== undefined) console.warn(`Searches are not compared: ${missing}.`);

test.skipIf(missing !== undefined)(
  `${searches} random searches find the same on both engines as a search of arrays`,
  { timeout: 600_000 },
  async () => {
    const databases: TestDatabase[] = [];
    const servers: TestServer[] = [];
    try {
      for (const engine of engines) {
        const database = await engine.create();
        databases.push(database);
        await database.prepare?.(Object.values(tables));
        servers.push(await startServer({ env: { DATABASE_URL: database.url } }));
      }
      const pair = new Pair(servers as [TestServer, TestServer]);
      const random = new Random(seed);
      const records = new Records(pair, random);
      for (let n = 0; n < 600; n++) await records.create();
      const counts = { found: 0, nothing: 0, refused: 0 };
      for (let n = 0; n < searches; n++) {
        if (n % 10 === 0) await records.change();
        const { query, path, found } = chooseSearch(random, records);
        const limit = 1 + random.below(30);
        query.set('limit', String(limit));
        let offset = random.chance(0.3) ? random.below(found.length + 2) : 0;
        const after = offset === 0 && found.length > 0 && random.chance(0.4) ? random.of(found) : undefined;
        if (after) query.set('after', after.id);
        else query.set('offset', String(offset));
        if (after) offset = found.indexOf(after) + 1;
        const request = { method: 'GET', path: `${path}?${query.toString()}` };
        const answer = await pair.ask(request);
        if ('answers' in answer) expect.fail(JSON.stringify(answer));
        const refusal = refusalOf(query.get('q') as string);
        if (refusal !== undefined) {
          expect(answer, request.path).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
          expect((answer.body as { detail: string }).detail).toBe(`The query parameter "q" ${refusal}.`);
          counts.refused++;
          continue;
        }
        expect(answer, request.path).toEqual({
          status: 200,
          body: {
            data: found.slice(offset, offset + limit),
            has_more: offset + limit < found.length,
            total: found.length,
          },
        });
        counts[found.length > 0 ? 'found' : 'nothing']++;
      }
      pair.close();
      console.info(`Searches: ${JSON.stringify(counts)}.`);
      for (const count of Object.values(counts)) expect(count).toBeGreaterThan(searches / 50);
      expect(counts.found).toBeGreaterThan(searches / 4);
    } finally {
      for (const server of servers) await server.close();
      for (const database of databases) await database[Symbol.asyncDispose]();
    }
  },
);
