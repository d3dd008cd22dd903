import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';

import { createPostgres, freePort, postgresMissing } from '../support/postgres.ts';
import { busyClient, noOutcome, requestText } from '../support/load.ts';
import { longRounds } from '../support/seed.ts';
import { projectRoot, startServer, type TestServer } from '../support/server.ts';
import { skip } from '../support/skip.ts';
import { Folder } from './command.ts';

const competitors = '/api/crm/competitor';
const restarts = longRounds(3, 20);
const requests = 3_000 * restarts;

/** The section `backend` of the documented file, for these servers. */
function documentedBackend(ports: readonly number[]): string {
  const file = readFileSync(join(projectRoot, 'docs/deployment/haproxy.cfg'), 'utf8');
  const backend = /^backend records\n(?: .+\n)+/m.exec(file)?.[0] ?? '';
  let server = 0;
  return backend.replace(/[\d.]+:\d+/g, () => `127.0.0.1:${ports[server++]}`);
}

async function startHaproxy(folder: Folder, port: number, ports: readonly number[]): Promise<ChildProcess> {
  const config = `global
  maxconn 1000
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend clients
  bind 127.0.0.1:${port}
  default_backend records
${documentedBackend(ports)}`;
  writeFileSync(folder.file('haproxy.cfg'), config);
  const haproxy = spawn('haproxy', ['-db', '-q', '-f', folder.file('haproxy.cfg')], { stdio: 'inherit' });
  for (let isOpen = false; !isOpen; await pause(50)) {
    if (haproxy.exitCode !== null) throw new Error(`haproxy ended with ${haproxy.exitCode}.`);
    const socket = connect(port, '127.0.0.1');
    isOpen = await new Promise((resolve) =>
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false)),
    );
    socket.destroy();
  }
  return haproxy;
}

async function untilReady(server: TestServer): Promise<void> {
  while ((await server.request('GET', '/readyz')).status !== 200) await pause(50);
}

test('rolling restarts of two servers behind HAProxy: no request fails', async (context) => {
  if (spawnSync('haproxy', ['-v']).status !== 0) return skip(context, 'haproxy is not installed');
  if (postgresMissing !== undefined) return skip(context, postgresMissing);
  await using database = await createPostgres();
  using folder = new Folder();
  const ports = [await freePort(), await freePort()];
  const servers: TestServer[] = [];
  let haproxy: ChildProcess | undefined;
  try {
    for (const port of ports) {
      const env = { DATABASE_URL: database.url, PORT: String(port), DRAIN_SECONDS: '2' };
      servers.push(await startServer({ env }));
    }
    const port = await freePort();
    haproxy = await startHaproxy(folder, port, ports);
    await Promise.all(servers.map(untilReady));
    const outcome = noOutcome();
    let restarted = 0;
    const goesOn = (): boolean => restarted < restarts || outcome.answered < requests;
    const kinds = [
      requestText('GET', `${competitors}?limit=5`),
      requestText('POST', competitors, '{"competitor_name":"Busy"}'),
      requestText('GET', '/healthz'),
    ];
    const clients = Array.from({ length: 16 }, (_, client) => {
      let n = client;
      return busyClient(port, outcome, () => kinds[n++ % kinds.length] as string, goesOn);
    });
    for (; restarted < restarts; restarted++) {
      const server = servers[restarted % servers.length] as TestServer;
      expect(await server.stop()).toBe(0);
      await server.start();
      await untilReady(server);
      await pause(1_500); // until HAProxy has noticed
    }
    await Promise.all(clients);
    const { answered, lost, cut, failed } = outcome;
    console.info(`${restarts} restarts: ${answered} answered, ${lost.length + cut.length + failed.length} failed`);
    expect({ lost, cut, failed }).toEqual({ lost: [], cut: [], failed: [] });
    expect(answered).toBeGreaterThanOrEqual(requests);
  } finally {
    haproxy?.kill();
    for (const server of servers) await server.close();
  }
});
