import { once } from 'node:events';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import { lineItemNamed } from '../service/resources.ts';
import { descendantsOf, othersVisible } from '../bench/processes.ts';
import { describeEngine, engines, expectExactTotals, type TestDatabase } from '../support/databases.ts';
import type { ListPage, Stored } from '../support/records.ts';
import { minimalBody } from '../support/samples.ts';
import { skip } from '../support/skip.ts';
import { type Command, serverCommand } from './command.ts';
import {
  ask,
  asked,
  env,
  halfCreates,
  order,
  statuses,
  times,
  until,
  untilGone,
  untilReplaced,
  untilStopping,
  workers,
} from './workers.ts';

const { tables } = service;
const orderLine = lineItemNamed('order_line');

for (const engine of engines) {
  describeEngine(engine, 'several processes', () => {
    let database: TestDatabase;
    let server: Command;
    let url: string;

    beforeAll(async () => {
      database = await engine.create(tables);
      server = serverCommand({ env: env(database.url) });
      url = await server.url();
    });

    afterAll(async () => {
      await server?.[Symbol.asyncDispose]();
      await database?.[Symbol.asyncDispose]();
    });

    test('a write confirmed by one is known to the others', async () => {
      for (let n = 0; n < 12; n++) {
        const { id } = await asked(201, url, 'POST', order.path, minimalBody(order));
        const path = `${order.path}/${id}`;
        const first = `${order.path}?limit=1`;
        // As many as there are processes: each of them.
        for (const { status } of await Promise.all(times(workers, () => ask(url, 'GET', path))))
          expect(status).toBe(200);
        const { total } = await asked<ListPage>(200, url, 'GET', first);
        const changed = await asked(200, url, 'PATCH', path, { company: `now ${n}` });
        const pages = await Promise.all(times(workers, () => asked<ListPage>(200, url, 'GET', first)));
        for (const page of pages) expect(page).toMatchObject({ data: [changed], total });
        if (n % 2 === 0) continue;
        await asked(200, url, 'DELETE', path);
        const gone = await Promise.all(times(workers, () => ask(url, 'GET', path)));
        expect(statuses(gone)).toEqual({ 404: workers });
        expect((await asked<ListPage>(200, url, 'GET', first)).total).toBe(total - 1);
      }
    });

    test('the totals are exact, and places are given once', async () => {
      const { id } = await asked(201, url, 'POST', order.path, minimalBody(order));
      const replies = await Promise.all(times(40, () => ask(url, 'POST', orderLine.path, minimalBody(orderLine, id))));
      expect(statuses(replies)).toEqual({ 201: 40 });
      const page = await asked<ListPage>(200, url, 'GET', `${orderLine.path}?parent_id=${id}&limit=100`);
      expect(page.total).toBe(40);
      expect(page.data.map(({ idx }) => idx)).toEqual(times(40, (n) => n + 1));
      await expectExactTotals(database, tables);
    });

    test('each of them answers; one that is killed is replaced, and nothing that was answered is lost', async (context) => {
      if (!othersVisible) return skip(context, 'the processes of a server are only looked up in /proc');
      const before = descendantsOf(server.process.pid as number);
      expect(before).toHaveLength(workers);
      // A connection for each of them, and one goes with each: all of them had one.
      let closed = 0;
      const sockets = times(workers, () => connect(Number(new URL(url).port), '127.0.0.1'));
      for (const socket of sockets) {
        socket.once('close', () => closed++).on('error', () => socket.destroy());
        socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
        await once(socket, 'data');
      }
      const over = new AbortController();
      const known: Stored[] = [];
      let cut = 0;
      const writers = times(4, async () => {
        for (; !over.signal.aborted; await pause(20)) {
          // A connection may be cut or refused; one that is opened is never left without an end.
          const reply = await ask(url, 'POST', order.path, minimalBody(order)).catch((error: Error) => error);
          if (reply instanceof Error) {
            expect(reply.message).not.toContain('no answer');
            cut++;
          } else {
            expect(reply.status).toBe(201);
            known.push(reply.body as Stored);
          }
        }
      });
      await until('there are writes', () => known.length > 4);
      const killed = before.at(-1) as number;
      process.kill(killed, 'SIGKILL');
      await untilReplaced(server, 1);
      const now = descendantsOf(server.process.pid as number);
      expect(now).toHaveLength(workers);
      expect(now).not.toContain(killed);
      const enough = known.length + 20;
      await until('writes go on', () => known.length >= enough);
      expect(closed).toBe(1);
      sockets.forEach((socket) => socket.destroy());
      over.abort();
      await Promise.all(writers);
      expect(cut).toBeLessThan(known.length);
      expect(server.stderr.match(/exited with SIGKILL and is replaced/g)).toHaveLength(1);
      for (const record of known)
        expect(await ask(url, 'GET', `${order.path}/${record.id}`)).toEqual({ status: 200, body: record });
      await expectExactTotals(database, tables);
    });

    // That several servers on one PostgreSQL do the same is shown elsewhere, and how processes are replaced is the same.
    if (engine.name === 'PostgreSQL') return;

    test('one of several racing submits wins', async () => {
      const { id } = await asked(201, url, 'POST', order.path, minimalBody(order));
      const path = `${order.path}/${id}`;
      const replies = await Promise.all(times(24, () => ask(url, 'POST', `${path}/submit`)));
      expect(statuses(replies)).toEqual({ 200: 1, 409: 23 });
      const winner = replies.find(({ status }) => status === 200)?.body;
      for (let n = 0; n < workers; n++) expect(await asked(200, url, 'GET', path)).toEqual(winner);
    });

    test('one that gets a signal serves on: the main process alone is told to stop', async (context) => {
      if (!othersVisible) return skip(context, 'the processes of a server are only looked up in /proc');
      const before = descendantsOf(server.process.pid as number);
      for (const pid of before) process.kill(pid, 'SIGTERM');
      await pause(100);
      for (const { status } of await Promise.all(times(workers, () => ask(url, 'GET', '/readyz'))))
        expect(status).toBe(200);
      expect(descendantsOf(server.process.pid as number)).toEqual(before);
    });

    test('SIGTERM to the main process: every process finishes its requests', async () => {
      const processes = descendantsOf(server.process.pid as number);
      const { complete, replies } = await halfCreates(url, new Agent());
      const { stderr } = server;
      server.process.kill('SIGTERM');
      await untilStopping(url);
      complete();
      expect(statuses(await replies)).toEqual({ 201: workers });
      expect(await server.end()).toMatchObject({ code: 0, signal: null, stderr });
      await untilGone(processes);
      const stored = new Set((await database.query(`select "id" from "${order.name}"`)).map(({ id }) => id));
      for (const { body } of await replies) expect(stored).toContain((body as Stored).id);
    });
  });
}
