import { once } from 'node:events';
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { descendantsOf, othersVisible } from '../bench/processes.ts';
import { minimalBody } from '../support/samples.ts';
import { longRounds } from '../support/seed.ts';
import { skip } from '../support/skip.ts';
import { expectRefusedStart, Folder, npmStart, serverCommand } from './command.ts';
import {
  ask,
  asked,
  env,
  halfCreates,
  order,
  Serving,
  statuses,
  times,
  until,
  untilGone,
  untilReplaced,
  untilStopping,
  workers,
} from './workers.ts';

/** Milliseconds after which a signal is a second request to stop: those within a second are one. */
const secondApart = 1_050;

describe.concurrent('told to stop', () => {
  test('a second time, later: they end at once', async () => {
    await using server = new Serving();
    const url = await server.command.url();
    const processes = descendantsOf(server.pid);
    const { replies } = await halfCreates(url, new Agent());
    server.command.process.kill('SIGTERM');
    await untilStopping(url);
    await pause(secondApart);
    const begin = performance.now();
    server.command.process.kill('SIGTERM');
    expect(await server.command.end()).toMatchObject({ code: 1, signal: null });
    // Without the second signal, they would end after 10 s.
    expect(performance.now() - begin).toBeLessThan(7_500);
    await expect(replies).rejects.toThrow();
    await untilGone(processes);
  });

  test('to the whole group, repeatedly: every process finishes what is under way, and the main process alone takes it for a second time', async () => {
    await using server = new Serving({ detached: true });
    const url = await server.command.url();
    const { complete, replies } = await halfCreates(url, new Agent());
    const others = descendantsOf(server.pid);
    for (const pid of [server.pid, ...others]) process.kill(pid, 'SIGTERM');
    await untilStopping(url);
    await pause(secondApart);
    for (const pid of others) process.kill(pid, 'SIGTERM');
    await pause(200); // nobody is to end
    complete();
    expect(statuses(await replies)).toEqual({ 201: workers });
    expect(await server.command.end()).toMatchObject({ code: 0, signal: null });
  });

  test('npm: the whole tree is gone', async () => {
    using folder = new Folder();
    const settings = { npm_config_logs_dir: folder.file('logs'), npm_config_update_notifier: 'false' };
    await using npm = npmStart(folder, {
      env: env(`sqlite:${folder.file('records.db')}`, { ...settings, PORT: '0' }),
      detached: true,
    });
    const url = await npm.url();
    const pid = npm.process.pid as number;
    const processes = descendantsOf(pid);
    const { complete, replies } = await halfCreates(url, new Agent());
    process.kill(-pid, 'SIGINT');
    await untilStopping(url);
    complete();
    expect(statuses(await replies)).toEqual({ 201: workers });
    expect(await npm.end()).toMatchObject({ code: 0, signal: null });
    await untilGone(processes);
  });
});

describe.concurrent('the main process is killed', () => {
  test('its workers end', async (context) => {
    if (!othersVisible) return skip(context, 'the processes of a server are only looked up in /proc');
    await using server = new Serving();
    const url = await server.command.url();
    const processes = descendantsOf(server.pid);
    const { id } = await asked(201, url, 'POST', order.path, minimalBody(order));
    expect(await server.command.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
    await untilGone(processes);
    // As many as there are processors, which may be one.
    await using next = serverCommand({ env: env(server.database, { WORKERS: 'auto' }) });
    await asked(200, await next.url(), 'GET', `${order.path}/${id}`);
    expect(await next.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  test('while they start, too', async (context) => {
    if (!othersVisible) return skip(context, 'the processes of a server are only looked up in /proc');
    await using server = new Serving();
    await until('there is one', () => descendantsOf(server.pid).length > 0);
    const processes = descendantsOf(server.pid);
    await server.command.stop('SIGKILL');
    await untilGone(processes);
  });
});

describe.concurrent('a start', () => {
  test('on a port that is in use says so once', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    try {
      await using server = new Serving({ env: { PORT: String(port) } });
      const said = expectRefusedStart(await server.command.end());
      expect(said).toBe(`Port ${port} of 127.0.0.1 is in use. Stop what uses it, or set PORT.\n`);
    } finally {
      other.close();
    }
  });

  test('on a database that is none says so once', async () => {
    await using server = new Serving({ env: { DATABASE_URL: 'sqlite:package.json' } });
    const said = expectRefusedStart(await server.command.end());
    expect(said.trim().split('\n')).toHaveLength(1);
    expect(said).toContain('package.json');
  });

  test('of which a process is killed has failed', async (context) => {
    if (!othersVisible) return skip(context, 'the processes of a server are only looked up in /proc');
    await using server = new Serving();
    await until('there is one', () => descendantsOf(server.pid).length > 0);
    process.kill(descendantsOf(server.pid)[0] as number, 'SIGKILL');
    const { code, stderr } = await server.command.end();
    expect(code).toBe(1);
    expect(stderr).toBe('A worker process could not be started: it exited with SIGKILL.\n');
  });

  test('goes on if a process is killed when another one serves', async (context) => {
    if (!othersVisible) return skip(context, 'the processes of a server are only looked up in /proc');
    await using server = new Serving();
    // The second one starts when the first one serves.
    await until('there is a second one', () => descendantsOf(server.pid).length > 1);
    process.kill(Math.max(...descendantsOf(server.pid)), 'SIGKILL');
    await asked(201, await server.command.url(), 'POST', order.path, minimalBody(order));
    expect(descendantsOf(server.pid)).toHaveLength(workers);
    expect(await server.command.stop()).toMatchObject({ code: 0, signal: null });
  });

  test('that is told to stop ends in order', async (context) => {
    if (!othersVisible) return skip(context, 'the processes of a server are only looked up in /proc');
    for (let delay = 0; delay <= 400; delay += longRounds(100, 40)) {
      await using server = new Serving();
      await until('there is one', () => descendantsOf(server.pid).length > 0);
      const processes = descendantsOf(server.pid);
      await pause(delay);
      expect(await server.command.stop()).toMatchObject({ code: 0, signal: null, stderr: '' });
      await untilGone(processes);
    }
  });
});

test.concurrent('a process is replaced while the database is away: no other is made', async (context) => {
  if (!othersVisible) return skip(context, 'the processes of a server are only looked up in /proc');
  await using server = new Serving();
  const { command, folder, file } = server;
  const url = await command.url();
  const made = await asked(201, url, 'POST', order.path, minimalBody(order));
  const files = ['', '-wal', '-shm'];
  for (const end of files) renameSync(file + end, folder.file(`kept${end}`));
  process.kill(descendantsOf(server.pid)[0] as number, 'SIGKILL');
  const tries = (): number => command.stderr.match(/exited with 1 and is replaced/g)?.length ?? 0;
  await until('it has been tried again', () => tries() > 1);
  expect(existsSync(file)).toBe(false);
  expect(command.stderr).toContain(`The database ${file} is not the one that the server was started with.`);
  // Another one in its place is none of this server's, either.
  copyFileSync(folder.file('kept'), file);
  const before = tries();
  await until('it has been tried again', () => tries() > before + 1);
  expect((await ask(url, 'POST', order.path, minimalBody(order))).status).toBe(503);
  rmSync(file);
  for (const end of files) renameSync(folder.file(`kept${end}`), file + end);
  await untilReplaced(command, 1);
  for (const reply of await Promise.all(times(workers, () => ask(url, 'GET', `${order.path}/${made.id}`)))) {
    expect(reply).toEqual({ status: 200, body: made });
  }
  expect(await command.stop()).toMatchObject({ code: 0, signal: null });
});

test.concurrent('a server that makes its key, and one process after the other of which ends', async (context) => {
  await using server = new Serving({ env: { API_KEYS: undefined } });
  const url = await server.command.url();
  const { folder, command } = server;
  // One key is made, and it is said once where it serves.
  await until('it is said', () => command.stdout.includes('api-key'));
  const key = readFileSync(folder.file('api-key'), 'utf8').trim();
  for (let n = 0; n < workers; n++) {
    const answer = await fetch(url + order.path, {
      headers: { authorization: `Bearer ${key}`, connection: 'close' },
    });
    expect(answer.status).toBe(200);
  }
  expect(command.stdout.match(/serving on/g)).toHaveLength(1);
  expect(command.stdout.match(/API key/g)).toHaveLength(1);
  expect(command.stderr).toBe('');

  // One that cannot start any more is tried again once a second at most, until it can.
  const [one, other] = descendantsOf(server.pid);
  if (one === undefined || other === undefined) {
    return skip(context, 'the processes of a server are only looked up in /proc');
  }
  renameSync(folder.file('api-key'), folder.file('kept'));
  writeFileSync(folder.file('api-key'), '\n');
  const begin = Date.now();
  process.kill(one, 'SIGKILL');
  const tries = (): number => command.stderr.match(/exited with 1 and is replaced/g)?.length ?? 0;
  await until('it has been tried again', () => tries() > 1);
  expect(tries()).toBeLessThanOrEqual(1 + (Date.now() - begin) / 1_000);
  rmSync(folder.file('api-key'));
  renameSync(folder.file('kept'), folder.file('api-key'));
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  await untilReplaced(command, 1);
  expect(descendantsOf(server.pid)).toHaveLength(workers);

  // While one of them is being replaced, it can be told to stop.
  process.kill(other, 'SIGKILL');
  await until('another is there', () => {
    const now = descendantsOf(server.pid);
    return now.length === workers && !now.includes(other);
  });
  expect(await command.stop()).toMatchObject({ code: 0, signal: null });
});

test.concurrent(
  'all processes of a server on a free port are killed: their replacements keep the port',
  async (context) => {
    if (!othersVisible) return skip(context, 'the processes of a server are only looked up in /proc');
    await using server = new Serving();
    const url = await server.command.url();
    for (let n = 1; n <= 2; n++) {
      for (const pid of descendantsOf(server.pid)) process.kill(pid, 'SIGKILL');
      await untilReplaced(server.command, n * workers);
      for (const reply of await Promise.all(times(workers, () => ask(url, 'GET', order.path))))
        expect(reply.status).toBe(200);
    }
    expect(await server.command.stop()).toMatchObject({ code: 0, signal: null });
  },
);
