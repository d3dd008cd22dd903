import type { Attack } from '../attack.ts';
import { largeText } from '../contents.ts';
import { attachmentPath, headOf, leadPath, requestOf } from '../requests.ts';
import { mebibyte } from '../sizes.ts';
import { refused } from './refused.ts';

/** A JSON object of so many bytes, nothing but keys that no resource has. */
function unknownKeys(bytes: number): Buffer {
  const body = Buffer.alloc(bytes, ' ');
  const entry = 9; // bytes of "abcd":0,
  body.write('{');
  let at = 1;
  for (let n = 36 ** 3; at + entry < bytes; n++) at += body.write(`"${n.toString(36)}":0,`, at, 'latin1');
  body.write('}', at - 1);
  return body;
}

/** Bodies are made when they are first sent, and kept. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

const manyKeys = once(() => requestOf('POST', attachmentPath, { body: unknownKeys(16 * mebibyte), last: true }));
const someKeys = once(() => requestOf('POST', leadPath, { body: unknownKeys(mebibyte), last: true }));
const brackets = once(() => requestOf('POST', attachmentPath, { body: Buffer.alloc(15 * mebibyte, '['), last: true }));
const upload = once(() =>
  requestOf('POST', attachmentPath, { body: `{"order_id":"x","data":"${largeText}"}`, last: true }),
);
const shortBody = once(() => {
  const body = `{"order_id":"x","data":"${largeText.padEnd(16 * mebibyte - 100)}"`;
  return Buffer.from(headOf('POST', attachmentPath, { body, length: body.length + 1 }) + body);
});

const uploads = (count: number): Attack => ({
  name: `uploads-${count}`,
  what: `${count} creates of 10 MiB at once`,
  run: (target) => target.times(count, () => target.exchange(upload())),
});

export const bodyAttacks: readonly Attack[] = [
  {
    name: 'unknown-keys-16mib',
    what: 'one body of 16 MiB with 1.8 million unknown keys',
    run: (target) => refused(target, manyKeys()),
  },
  {
    name: 'unknown-keys-16mib-ten',
    what: 'ten of them at once',
    run: (target) => target.times(10, () => refused(target, manyKeys())),
  },
  {
    name: 'unknown-keys-1mib',
    what: 'one body of 1 MiB with 116,000 unknown keys',
    run: (target) => refused(target, someKeys()),
  },
  {
    name: 'brackets',
    what: 'one body of 15 MiB of [',
    run: (target) => refused(target, brackets()),
  },
  uploads(30),
  uploads(100),
  uploads(200),
  {
    name: 'bodies-one-byte-short',
    what: '100 bodies of 16 MiB that stop one byte early',
    async run(target) {
      await target.times(100, async () => {
        const wire = target.connect();
        await target.within(wire.send(shortBody()));
      });
      await target.hold();
    },
  },
];
