import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, test } from 'vitest';

import { startServer, testKey } from '../support/server.ts';

test.runIf(process.platform === 'linux')('streams that nobody reads hold no more than there is room for', async () => {
  const mebibytes = 10;
  await using server = await startServer({ alone: true, env: { MAX_BUFFERED_MIB: '32' } });
  const content = { order_id: 'x', data: 'x'.repeat(mebibytes * 1024 * 1024 - 100) };
  await server.request('POST', '/api/files/attachment', content);
  const memory = (): number => {
    const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  };
  for (let n = 0; n < 3; n++) await server.request('GET', '/api/events');
  const before = memory();
  const streams = Array.from({ length: 50 }, () => {
    const stream = connect(server.port, '127.0.0.1')
      .on('error', () => undefined)
      .pause();
    const headers = ['Host: x', `Authorization: Bearer ${testKey}`, 'Accept: text/event-stream'];
    stream.write(`GET /api/events HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
    return stream;
  });
  const deadline = performance.now() + 8_000;
  let most = 0;
  while (performance.now() < deadline) {
    most = Math.max(most, memory());
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(most - before).toBeLessThan((streams.length * mebibytes) / 2);
  for (const stream of streams) stream.destroy();
});
