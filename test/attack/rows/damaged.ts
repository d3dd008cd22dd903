import type { Random } from '../../support/random.ts';
import type { Attack } from '../attack.ts';
import { leadPath, requestOf } from '../requests.ts';

const clients = 64;
const requests = 40; // of each client
const silence = 250; // milliseconds after which a connection is given up: most damaged requests never end

const words =
  `% %00 %2e%2e%2f ../ // ? & # ; \\ " ' { } [ ] , : - 0 1e400 -0 null true {} [] __proto__ constructor \\ud800 \\u0000 ` +
  'limit=0 limit=-1 offset=1e9 after= parent_id= HTTP/1.0 🙂 é \ufeff \u2028';
const lines =
  'Host: y|Transfer-Encoding: chunked|Expect: x|Content-Length: 0|Content-Length: 99999999999|Connection: upgrade';
const others = `\0|\r|\n|\t| |\r\n\r\n|' or 1=1 --|"; drop table "lead"; --|OPTIONS * HTTP/1.1\r\n`;
/** Pieces that parsers stumble over. */
const pieces = [
  ...words.split(' '),
  ...lines.split('|').map((line) => `${line}\r\n`),
  ...others.split('|'),
  ...['9', 'x', 'é', '['].map((letter) => letter.repeat(20_000)),
];

/** Changes a little at a random place, now and then in bytes that are no UTF-8. */
function damaged(bytes: Buffer, random: Random): Buffer {
  const from = random.below(bytes.length + 1);
  const to = from + random.below(10);
  const [head, middle, tail] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)];
  const piece = Buffer.from(random.of(pieces));
  const kind = random.weighted({ insert: 5, replace: 2, flip: 2, cut: 1, repeat: 1 });
  const changed = {
    insert: [piece, middle],
    replace: [piece],
    flip: [Buffer.from([random.below(256)]), middle.subarray(1)],
    cut: [],
    repeat: [middle, middle],
  }[kind];
  return Buffer.concat([head, ...changed, tail]);
}

/** A request that would be right, of which the body, the head or both have been damaged. */
function damagedRequest(random: Random): Buffer {
  const whole = JSON.stringify({ lead_name: 'Acme', company: 'Acme' });
  const [method, target, hasBody] = random.of([
    ['GET', `${leadPath}?limit=2&offset=1`, false],
    ['GET', `${leadPath}/none`, false],
    ['DELETE', `${leadPath}/none`, false],
    ['POST', leadPath, true],
    ['PATCH', `${leadPath}/none`, true],
  ] as const);
  const where = random.weighted({ body: hasBody ? 12 : 0, head: 3, both: 1 });
  const body = where === 'head' ? Buffer.from(whole) : damaged(Buffer.from(whole), random);
  const request = requestOf(method, target, { last: true, ...(hasBody && { body }) });
  if (where === 'body') return request;
  const end = request.indexOf('\r\n\r\n') + 4;
  return Buffer.concat([damaged(request.subarray(0, end), random), request.subarray(end)]);
}

export const damagedAttack: Attack = {
  name: 'damaged',
  what: `${clients * requests} requests that were right before a few of their bytes were changed, from ${clients} clients`,
  async run(target) {
    await target.times(clients, async () => {
      for (let n = 0; n < requests; n++) {
        const wire = target.connect();
        wire.socket.setTimeout(silence, () => wire.socket.destroy());
        await wire.send(damagedRequest(target.random));
        await target.within(wire.closed);
      }
    });
  },
};
