import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { z } from 'zod';

import { createApp } from '../../runtime/kernel/api/app.ts';
import { Capacity } from '../../runtime/kernel/api/capacity.ts';
import { list, retrieve } from '../../runtime/kernel/api/read-handlers.ts';
import { id, text } from '../../runtime/kernel/model/fields.ts';
import { query } from '../../runtime/kernel/model/query.ts';
import { record } from '../../runtime/kernel/model/table.ts';
import type { Env } from '../../runtime/kernel/api/service.ts';
import type { Records } from '../../runtime/kernel/records/store.ts';
import { clientWith } from '../support/key-table.ts';

const mebibyte = 1_048_576;
const fields = z.strictObject({ id: id(), name: text() });
const notes = record('note', fields);
const files = record('file', fields, { maxBody: 16 * mebibyte });

/** A service over a store that does nothing but note what is read, in which turn of the event loop. */
class Service {
  readonly reads: { readonly what: string; readonly turn: number }[] = [];
  turn = 0;
  readonly #capacity = new Capacity(256);
  readonly #app = createApp(
    {
      name: 'notes',
      title: 'Notes',
      app: new Hono<Env>()
        .get('/api/note', list(notes, query(fields)))
        .get('/api/note/:id', retrieve(notes))
        .get('/api/file/:id', retrieve(files)),
      tables: [notes, files],
      openapi: new URL('file:///openapi.json'),
    },
    '{}',
    async () => undefined,
  );
  readonly #length: number;

  /** @param length characters of each record and each page */
  constructor(length: number) {
    this.#length = length;
  }

  async get(path: string): Promise<void> {
    const read = (what: string): string => {
      this.reads.push({ what, turn: this.turn });
      return '"'.padEnd(this.#length, 'x');
    };
    const records = {
      get: () => read('record'),
      list: () => ({ total: 1, hasMore: false, items: read('page') }),
    } as unknown as Records;
    const incoming = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: path });
    await this.#app.request(
      path,
      {},
      {
        principal: clientWith(records),
        capacity: this.#capacity,
        parameters: [],
        incoming,
        outgoing: new ServerResponse(incoming),
      },
    );
  }

  /** Sends requests in one turn of the event loop, and waits until all of them have been read for. */
  async inOneTurn(...paths: readonly string[]): Promise<void> {
    const requests: Promise<void>[] = [];
    for (const path of paths) {
      requests.push(this.get(path));
      // Node has done with one request when it hands over the next one of a turn.
      for (let n = 0; n < 50; n++) await undefined;
    }
    for (; this.reads.length < paths.length; this.turn++) await nextTurn();
    await Promise.all(requests);
  }

  get what(): string[] {
    return this.reads.map(({ what }) => what);
  }

  get turns(): number {
    return new Set(this.reads.map(({ turn }) => turn)).size;
  }
}

test('a record is read before the long pages that were asked for earlier', async () => {
  const service = new Service(100);
  await service.inOneTurn(...Array<string>(5).fill('/api/note?limit=1000'), '/api/note/x');
  expect(service.what).toEqual(['record', 'page', 'page', 'page', 'page', 'page']);
  expect(service.turns).toBeGreaterThanOrEqual(5);
});

test('so it is before records of a resource with large ones', async () => {
  const service = new Service(101);
  await service.inOneTurn('/api/file/x', '/api/file/x', '/api/note?limit=20', '/api/note/x');
  expect(service.what).toEqual(['page', 'record', 'record', 'record']);
});

test('a turn of the event loop reads about 1 MiB', async () => {
  const service = new Service(mebibyte / 4);
  await service.inOneTurn(...Array<string>(20).fill('/api/note/x'));
  expect(service.turns).toBeGreaterThanOrEqual(4);
  expect(service.turns).toBeLessThanOrEqual(20);
});

test('small answers are read at once', async () => {
  const service = new Service(1_000);
  await service.inOneTurn(...Array<string>(200).fill('/api/note/x'), ...Array<string>(200).fill('/api/note'));
  expect(service.turns).toBe(1);
});
