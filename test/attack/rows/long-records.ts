import type { Attack } from '../attack.ts';
import { longRecordIds } from '../contents.ts';
import { batchPath, leadPath, requestOf } from '../requests.ts';
import type { Target } from '../target.ts';

const clients = 100;

const change = { status: 'x' };
const updateOf = (id: string): Buffer =>
  requestOf('PATCH', `${leadPath}/${id}`, { body: JSON.stringify(change), last: true });

/** One request for all, or one for each record in turn. */
type RequestFor = (id: string) => Buffer;

/** Sends it from all clients at once, which read the answers. */
const read =
  (requestFor: RequestFor) =>
  (target: Target): Promise<void> =>
    target.times(clients, (n) => target.exchange(requestFor(longRecordIds[n % longRecordIds.length] as string)));

/** Sends it from all clients at once, which never read the answers. */
const unread =
  (requestFor: RequestFor) =>
  async (target: Target): Promise<void> => {
    await target.times(clients, (n) =>
      target.connect({ reads: false }).send(requestFor(longRecordIds[n % longRecordIds.length] as string)),
    );
    await target.hold();
  };

const getOf = (id: string): Buffer => requestOf('GET', `${leadPath}/${id}`, { last: true });
const listOf = (): Buffer => requestOf('GET', leadPath, { last: true });

/** A batch of tiny updates of one record. */
const batchOf = (id: string): Buffer => {
  const operations = Array.from({ length: 3 }, () => ({ method: 'PATCH', path: `${leadPath}/${id}`, body: change }));
  return requestOf('POST', batchPath, { body: JSON.stringify({ operations }), last: true });
};

const contents = 'long records';

/** Records that are far longer than the bodies that change them. */
export const longRecordAttacks: readonly Attack[] = [
  {
    name: 'long-record-updates',
    what: `tiny updates of records of 1 MiB, from ${clients} clients at once`,
    contents,
    run: read(updateOf),
  },
  {
    name: 'long-record-updates-unread',
    what: 'the same, and the answers are never read',
    contents,
    run: unread(updateOf),
  },
  {
    name: 'long-record-batches',
    what: `batches of three such updates, from ${clients} clients at once`,
    contents,
    run: read(batchOf),
  },
  {
    name: 'long-records-unread',
    what: `GET of records of 1 MiB by ${clients} clients that never read`,
    contents,
    run: unread(getOf),
  },
  {
    name: 'long-record-pages-unread',
    what: `GET of a page of records of 1 MiB by ${clients} clients that never read`,
    contents,
    run: unread(listOf),
  },
];
