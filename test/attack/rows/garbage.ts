import type { Random } from '../../support/random.ts';
import type { Attack } from '../attack.ts';
import { attachmentPath, headOf, leadPath, requestOf } from '../requests.ts';
import { mebibyte } from '../sizes.ts';

const randomBytes = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => random.below(256)));

/** A body of so many bytes, sent in chunks of a byte each. */
function tinyChunks(bytes: number): Buffer {
  const body = JSON.stringify({ order_id: 'x', data: '' }).replace('""', `"${'x'.repeat(bytes - 30)}"`);
  const chunks = Buffer.alloc(body.length * 6, '1\r\n_\r\n');
  for (let n = 0; n < body.length; n++) chunks[n * 6 + 3] = body.charCodeAt(n);
  const headers = ['Transfer-Encoding: chunked'];
  const head = headOf('POST', attachmentPath, { body, length: null, last: true, headers });
  return Buffer.concat([Buffer.from(head), chunks, Buffer.from('0\r\n\r\n')]);
}

export const garbageAttacks: readonly Attack[] = [
  {
    name: 'garbage',
    what: '1,000 connections with 1 KB of random bytes each',
    async run(target) {
      const all = Array.from({ length: 1_000 }, () => randomBytes(target.random, 1_024));
      await target.times(all.length, (n) => target.exchange(all[n] as Buffer));
    },
  },
  {
    name: 'pipelined-garbage',
    what: '500 connections with requests and random bytes behind them, in one packet',
    async run(target) {
      const requests = Buffer.concat(Array.from({ length: 20 }, () => requestOf('GET', `${leadPath}?limit=5`)));
      await target.times(500, () => target.exchange(Buffer.concat([requests, randomBytes(target.random, 200)])));
    },
  },
  {
    name: 'pipelined-creates',
    what: '2,000 creates in one write',
    async run(target) {
      const create = requestOf('POST', leadPath, { body: '{"lead_name":"x"}' });
      const last = requestOf('POST', leadPath, { body: '{"lead_name":"x"}', last: true });
      await target.exchange(Buffer.concat([...Array.from({ length: 1_999 }, () => create), last]));
    },
  },
  {
    name: 'pipelined-small',
    what: '40,000 requests in one write',
    async run(target) {
      const get = requestOf('GET', `${leadPath}/none`);
      const last = requestOf('GET', `${leadPath}/none`, { last: true });
      await target.exchange(Buffer.concat([...Array.from({ length: 39_999 }, () => get), last]));
    },
  },
  {
    name: 'blank-lines',
    what: '16 MiB of empty lines in the place of requests, from 8 clients',
    async run(target) {
      const lines = Buffer.alloc(16 * mebibyte, '\r\n');
      await target.times(8, async () => {
        const wire = target.connect();
        await target.within(wire.send(lines));
      });
    },
  },
  {
    name: 'tiny-chunks',
    what: 'bodies of 1 MiB in chunks of a byte, from 8 clients',
    async run(target) {
      const bytes = tinyChunks(mebibyte);
      await target.times(8, () => target.exchange(bytes));
    },
  },
  {
    name: 'tiny-chunks-16mib',
    what: 'one body of 10 MiB in chunks of a byte',
    run: async (target) => void (await target.exchange(tinyChunks(10 * mebibyte))),
  },
  {
    name: 'chunk-extensions',
    what: 'a body whose chunks of a byte have extensions of 1 KB',
    async run(target) {
      const chunk = `1;${'x'.repeat(1_000)}\r\nx\r\n`;
      const headers = ['Transfer-Encoding: chunked'];
      const head = headOf('POST', attachmentPath, { body: '', length: null, last: true, headers });
      const chunks = Buffer.alloc(chunk.length * 10_000, chunk);
      await target.exchange(Buffer.concat([Buffer.from(head), chunks, Buffer.from('0\r\n\r\n')]));
    },
  },
];
