import type { Attack } from '../attack.ts';
import { attachmentPath, leadPath, requestOf } from '../requests.ts';

const longPage = `${leadPath}?limit=1000`;

/** One packet with 600 requests for the longest page. */
const pipelined = Buffer.concat([
  ...Array.from({ length: 599 }, () => requestOf('GET', longPage)),
  requestOf('GET', longPage, { last: true }),
]);

export const pageAttacks: readonly Attack[] = [
  {
    name: 'pipelined-lists',
    what: 'one packet with 600 pipelined GET ?limit=1000',
    run: async (target) => void (await target.exchange(pipelined)),
  },
  {
    name: 'pipelined-lists-unread',
    what: 'the same, and the answers are never read',
    async run(target) {
      await target.connect({ reads: false }).send(pipelined);
      await target.hold();
    },
  },
  {
    name: 'large-pages-unread',
    what: '400 clients that ask for a page of records of 10 MiB and never read',
    contents: 'large records',
    async run(target) {
      await target.times(400, () => target.connect({ reads: false }).send(requestOf('GET', attachmentPath)));
      await target.hold();
    },
  },
  {
    name: 'long-lists',
    what: '1,000 GET ?limit=1000 at once',
    run: (target) => target.times(1_000, () => target.exchange(requestOf('GET', longPage, { last: true }))),
  },
];
