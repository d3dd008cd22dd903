import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';

import { openFile } from '../../runtime/engines/sqlite/connection.ts';
import { Document, type Operation } from '../document/document.ts';
import { requestsOf, targetOf } from '../document/requests.ts';
import { Library } from '../references/library.ts';
import { service } from '../service/generated/app.ts';
import { Claims } from '../states/claims.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import { startServer, type TestServer, testProject } from '../support/server.ts';

beforeEach(repeatable);

const document = new Document(readFileSync(join(testProject, 'generated/openapi.json'), 'utf8'));

/** Creates come first: the others find records by their ids. */
const ranks = ['POST', 'PATCH', 'GET', 'DELETE'];
const rankOf = ({ method, path }: Operation): number => ranks.indexOf(method) + (path.includes('{id}/') ? 0.5 : 0);
const operations = document.operations.toSorted((a, b) => rankOf(a) - rankOf(b));

/** Sends what random requests seldom make, then random ones of each operation. */
async function useAll(server: TestServer): Promise<void> {
  const ids = await useItems(server);
  const idsOf = (pattern: string): string[] =>
    /^\^.*\{26\}\$$/.test(pattern) ? ids.filter((id) => new RegExp(pattern, 'u').test(id)).slice(-5) : [];
  for (const operation of operations) {
    for (const request of fc.sample(requestsOf(document, operation, idsOf), { seed, numRuns: rounds(1, 20) })) {
      const { mediaType, body, headers } = request;
      const type = mediaType === undefined ? {} : { 'content-type': mediaType };
      const target = targetOf(operation, request);
      const answer = await server.request(operation.method, target, body, { ...type, ...headers });
      const { id } = (answer.body ?? {}) as { id?: string };
      if (answer.status === 201 && id !== undefined) ids.push(id);
    }
  }
}

/** Line items with totals and references, of parents that their state locks. @returns the ids of records that are left */
async function useItems(server: TestServer): Promise<string[]> {
  const library = new Library(server);
  const claims = new Claims(() => library);
  const author = await library.author();
  const { claim, item } = await claims.claim({ author_id: author });
  const { claim: other } = await claims.claim();
  const sequel = await library.book();
  const book = await library.book({ sequel_id: sequel });
  const again = await claims.item(claim, { book_id: book, receipt_of_id: author });
  const reorder = (...ids: string[]) => ({ items: ids.map((id, at) => ({ id, idx: at + 4 })) });
  await claims.done('PATCH', `claim-item/${item}`, { amount: '7.00' });
  await claims.done('PATCH', `claim-item/${item}`, { claim_id: other });
  await claims.done('PATCH', `claim/${claim}`, { notes: 'Soon.' });
  await claims.done('POST', 'claim-item/reorder', reorder(again));
  const change = { method: 'PATCH', path: `/api/expenses/claim-item/${item}`, body: { amount: '3.00' } };
  const add = { method: 'POST', path: '/api/expenses/claim-item', body: { claim_id: claim, amount: '1.00' } };
  const move = { method: 'POST', path: '/api/expenses/claim-item/reorder', body: reorder(item) };
  expect((await library.ask('POST', 'batch', { operations: [change, add, add, move] })).status).toBe(200);
  await claims.done('DELETE', `claim-item/${item}`);
  await claims.done('POST', `claim/${other}/submit`);
  expect(await claims.outcome('POST', 'claim-item', { claim_id: other, amount: '1.00' })).toBe('locked');
  await library.delete('book', sequel);
  await claims.done('DELETE', `claim/${claim}`);
  const { body } = await library.ask('GET', `events?record=${claim}&operation=delete`);
  const [event] = (body as { data: { number: number }[] }).data;
  expect((await library.ask('POST', `events/${event?.number}/undo`)).status).toBe(200);
  return [author, claim, other];
}

const singletons = service.tables.filter(({ kind }) => kind === 'singleton').map(({ name }) => name);

/** The statements that may find rows by the organization alone, or by nothing, and why. */
const walks: readonly (readonly [shape: RegExp, reason: string])[] = [
  [/ limit \+?\?\d/, 'a page of a list, or a count that ends at a limit'],
  [/^select count\(\*\)/, 'the total of a list'],
  [new RegExp(` from "(${singletons.join('|')})" where .* limit 1$`), 'a singleton is one row'],
  [/^select "id" from "_organization" .* except select "_organization" from/, 'a start adds singletons'],
];

/** The tables that have rows of many organizations. Lists name their rows by an alias. */
const tables = new Set([...service.tables.map(({ name }) => name), '_event', '_answer', '_row_counter', '_one']);

/** The parts of plans that find the rows of a table by no index, or by the organization alone. */
function walksIn(database: DatabaseSync, text: string): string[] {
  // The first and the last number are the ends of the index.
  const isEnd = /\b(min|max)\("number"\)/.test(text);
  return database
    .prepare(`explain query plan ${text}`)
    .all()
    .map(({ detail }) => String(detail))
    .filter((detail) => {
      const [, how, table = '', rest = ''] = /^(SCAN|SEARCH) (\w+)(.*)$/.exec(detail) ?? [];
      if (!tables.has(table) || (table === '_event' && isEnd)) return false;
      return how === 'SCAN' || rest.endsWith(' (_organization=?)');
    })
    .map((detail) => `${detail} in ${text}`);
}

test('no statement that a server sends goes through an organization, unless it is of a list', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'records-plans-'));
  try {
    const recorder = fileURLToPath(new URL('../support/record-sqlite.ts', import.meta.url));
    const file = join(folder, 'statements');
    const env = { TEST_STATEMENTS: file, NODE_OPTIONS: `--import ${recorder}` };
    const server = await startServer({ folder, env, alone: true });
    await useAll(server);
    await server.stop();
    const texts = new Set(
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => String(JSON.parse(line))),
    );
    const rowsOf = [...texts].filter((text) => /^(select|insert|update|delete|with) /i.test(text));
    const others = rowsOf.filter((text) => !walks.some(([shape]) => shape.test(text)));
    expect(others.length).toBeGreaterThan(100);
    using database = openFile(join(folder, 'records.db'), 'rw');
    expect(others.flatMap((text) => walksIn(database, text))).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
