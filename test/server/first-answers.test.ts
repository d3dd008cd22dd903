import { connect } from 'node:net';
import { expect, test } from 'vitest';

import { create } from '../support/records.ts';
import { startServer, testKey } from '../support/server.ts';

/** Clients that connect at once and go on writing. */
const clients = 128;

test('a new connection has its first response when the others have had few', async () => {
  await using server = await startServer();
  const { id } = await create(server, '/api/crm/lead', { lead_name: 'a' });
  let connected = 0;
  let written = 0;
  let responses = 0;
  const waiting = new Set<number>();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sockets = Array.from({ length: clients }, (_, client) => {
    waiting.add(client);
    const socket = connect(server.port, '127.0.0.1').on('error', reject);
    // Responses before the last client has connected show how fast this process connects, not how the server accepts.
    socket.on('connect', () => {
      if (++connected === clients) responses = 0;
    });
    const send = (): void => {
      const body = JSON.stringify({ lead_name: `${client} ${++written}` });
      const head = `Host: x\r\nAuthorization: Bearer ${testKey}\r\nContent-Type: application/json`;
      socket.write(`PATCH /api/crm/lead/${id} HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    };
    socket.on('data', (bytes) => {
      if (!String(bytes).startsWith('HTTP/1.1 200')) return reject(new Error(String(bytes)));
      responses++;
      waiting.delete(client);
      if (waiting.size === 0) return resolve();
      send();
    });
    send();
    return socket;
  });
  await promise;
  for (const socket of sockets) socket.destroy();
  // If each turn of the event loop accepted one and ended in a commit, it would be half as many as clients for each.
  expect(responses / clients).toBeLessThan(8);
});
