import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Hono } from 'hono';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';

import type { Env } from '../../runtime/kernel/api/service.ts';
import { keyTable } from '../../runtime/features/keys/key-table.ts';
import { KeyCheck } from '../../runtime/features/keys/keys.ts';
import { mountUndo } from '../../runtime/features/undo/routes.ts';
import { ApiError } from '../../runtime/kernel/model/errors.ts';
import { id, position, text } from '../../runtime/kernel/model/fields.ts';
import { maxWorkDuration } from '../../runtime/kernel/model/limits.ts';
import { lineItem, record } from '../../runtime/kernel/model/table.ts';
import { Recorder } from '../../runtime/observability/recorder.ts';
import type { EventPage, EventQuery } from '../../runtime/features/trail/events.ts';
import type { Records, Store } from '../../runtime/kernel/records/store.ts';
import type { Origin, Write } from '../../runtime/kernel/records/write.ts';
import { stopListening } from '../../runtime/commands/stop.ts';
import { createHttpServer } from '../../runtime/server/server.ts';
import { withoutKeys } from '../support/key-table.ts';
import { testKey } from '../support/server.ts';

const note = record('note', z.strictObject({ id: id(), name: text() }));
const line = lineItem('line', z.strictObject({ id: id(), idx: position(), note_id: text() }), {
  parent: { field: 'note_id', table: 'note' },
});

const deleted = (number: number, resource: string, changes: object): string =>
  JSON.stringify({
    number,
    time: '2026-01-01T00:00:00.000Z',
    actor: 'a',
    request_id: 'r',
    operation: 'delete',
    resource,
    record: `${resource}_1`,
    version: 2,
    changes,
  });

afterEach(() => vi.restoreAllMocks());

/** Undoes the delete of a note with one line over a store that reads each page of its lines for so long. */
async function undo(milliseconds: number, pages: number) {
  const real = performance.now.bind(performance);
  let ahead = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => real() + ahead);
  /** The time that each write has left, in milliseconds. */
  const left: number[] = [];
  let read = 0;
  const records = {
    newest: async () => [],
    async ask(_: unknown, { number }: EventQuery): Promise<EventPage> {
      if (number !== undefined)
        return { events: [deleted(1, 'note', { name: ['a', null] })], hasMore: false, last: 1 } as EventPage;
      ahead += milliseconds;
      const hasMore = ++read < pages;
      const events = hasMore ? [] : [deleted(2, 'line', { idx: [1, null], note_id: ['note_1', null] })];
      return { events, hasMore, last: 1 + read } as EventPage;
    },
    async write(_: Write, { deadline = Infinity }: Origin) {
      left.push(deadline - performance.now());
      throw new ApiError('overloaded', 'Too many writes are waiting.');
    },
  } as unknown as Records;
  const store = { ...withoutKeys, of: () => records } as unknown as Store;
  const service = {
    name: 'test',
    title: 'Test',
    app: new Hono<Env>(),
    tables: [note, line],
    openapi: new URL('file:///'),
  };
  const limits = { connections: { count: 100, stall: 30_000, idle: 0 }, bufferedMebibytes: 64, routes: [mountUndo] };
  const keys = new KeyCheck([testKey], 'test', store, keyTable(store));
  const { server, stop } = createHttpServer(service, '{}', store, keys, new Recorder(), limits);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/api/events/1/undo`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testKey}` },
    });
    return { body: (await response.json()) as { code: string; detail: string }, left };
  } finally {
    server.closeAllConnections();
    await stop(() => stopListening(server, 0));
  }
}

test('an undo that looks for line items for too long does nothing', async () => {
  const { body, left } = await undo(maxWorkDuration / 2 + 100, 3);
  expect(body).toMatchObject({ code: 'overloaded', detail: expect.stringContaining('are not found in time') });
  expect(left).toEqual([]);
});

test('the write of an undo has only the time that the look for its line items has left', async () => {
  const { body, left } = await undo(maxWorkDuration - 1_000, 1);
  expect(body).toMatchObject({ code: 'overloaded', detail: expect.stringContaining('Too many writes') });
  expect(left).toEqual([expect.closeTo(500, -3)]);
});
