import { setTimeout as wait } from 'node:timers/promises';

import type { Attack } from '../attack.ts';
import { attachmentPath, headOf, leadPath, requestOf } from '../requests.ts';
import { mebibyte } from '../sizes.ts';
import type { Target } from '../target.ts';
import type { Wire } from '../wire.ts';

const longPage = requestOf('GET', `${leadPath}?limit=1000`, { last: true });

/** Opens so many connections that each send a start, and then a byte of the rest each second. */
async function slowly(target: Target, count: number, start: string): Promise<void> {
  const wires = await Promise.all(
    Array.from({ length: count }, async () => {
      const wire = target.connect();
      await wire.send(start);
      return wire;
    }),
  );
  await target.goOn(count, async (number) => {
    // Not all at the same moment.
    await wait(((number + 1) / count) * 1_000);
    await wires[number]?.send('x');
  });
}

export const connectionAttacks: readonly Attack[] = [
  {
    name: 'idle-connections',
    what: '5,000 connections that say nothing',
    async run(target) {
      await target.times(5_000, () => target.connect().connected);
      await target.hold();
    },
  },
  {
    name: 'connection-churn',
    what: 'connections that are reset as soon as they are there, from 64 clients',
    async run(target) {
      await target.goOn(64, async () => {
        const wire = target.connect();
        await wire.connected;
        wire.socket.resetAndDestroy();
        await wire.closed;
      });
    },
  },
  {
    name: 'refused-resets',
    what: 'clients that are gone as soon as what they sent is refused: CONNECT, garbage, no key',
    async run(target) {
      const refused = ['CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 'x\r\n\r\n', 'GET /api HTTP/1.1\r\nHost: x\r\n\r\n'];
      await target.times(300, async (n) => {
        const wire: Wire = target.connect({ onStatus: () => wire.socket.resetAndDestroy() });
        await wire.send(refused[n % refused.length] as string);
        await target.within(wire.closed);
      });
    },
  },
  {
    name: 'reset-requests',
    what: 'requests for the longest page whose client is gone at once, from 64 clients',
    async run(target) {
      await target.goOn(64, async () => {
        const wire = target.connect();
        await wire.send(longPage);
        wire.socket.resetAndDestroy();
        await wire.closed;
      });
    },
  },
  {
    name: 'half-closed',
    what: '200 requests with a FIN right behind them, which are to be answered',
    async run(target) {
      await target.times(200, async () => {
        const wire = target.connect();
        wire.socket.end(requestOf('GET', `${leadPath}?limit=1`));
        await target.within(wire.closed);
        if (wire.answers !== 1) target.violations.add('a half-closed request is not answered');
      });
    },
  },
  {
    name: 'slow-heads',
    what: '500 connections that send a byte of a head each second',
    run: (target) => slowly(target, 500, `GET ${leadPath} HTTP/1.1\r\nHost: x\r\nX-Slow: `),
  },
  {
    name: 'slow-bodies',
    what: '500 connections that send a byte of a body each second',
    run: (target) => slowly(target, 500, `${headOf('POST', leadPath, { body: '', length: mebibyte })}{"`),
  },
  {
    name: 'slow-readers',
    what: '200 clients that read the longest page at 10 KB a second',
    async run(target) {
      await target.times(200, () => target.connect({ pace: 1_000 }).send(longPage));
      await target.hold();
    },
  },
  {
    name: 'continue-never-followed',
    what: '500 bodies of 16 MiB that are announced by Expect: 100-continue and never come',
    async run(target) {
      const headers = ['Expect: 100-continue'];
      const head = headOf('POST', attachmentPath, { body: '', length: 16 * mebibyte, headers });
      await target.times(500, () => target.connect().send(head));
      await target.hold();
    },
  },
];
