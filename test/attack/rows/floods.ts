import { leadOf } from '../../bench/leads.ts';
import type { Attack } from '../attack.ts';
import { attachmentPath, headOf, leadPath, machinePath, requestOf } from '../requests.ts';

const clients = 32;

/** A flood of one request after the other by many clients. */
const flood = (name: string, what: string, bytes: Uint8Array): Attack => ({
  name,
  what: `${what}, from ${clients} clients`,
  run: (target) => target.flood(clients, () => bytes),
});

const longQuery = Array.from({ length: 900 }, (_, n) => `a${n}=1`).join('&');
const longText = 'a.'.repeat(100_000);

export const floods: readonly Attack[] = [
  flood('gets', 'single records', requestOf('GET', `${leadPath}/none`)),
  flood('lists', 'the longest page', requestOf('GET', `${leadPath}?limit=1000`)),
  flood('creates', 'creates', requestOf('POST', leadPath, { body: JSON.stringify(leadOf(1)) })),
  flood('heads', 'HEAD of the longest page', requestOf('HEAD', `${leadPath}?limit=1000`)),
  flood('options', 'OPTIONS', requestOf('OPTIONS', leadPath)),
  flood('connects', 'CONNECT', Buffer.from('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n')),
  flood(
    'upgrades',
    'upgrades to a WebSocket',
    requestOf('GET', leadPath, { headers: ['Connection: Upgrade', 'Upgrade: websocket'] }),
  ),
  flood('long-queries', 'queries with 900 unknown parameters', requestOf('GET', `${leadPath}?${longQuery}`)),
  flood('long-paths', 'paths of 8 KB', requestOf('GET', `${leadPath}/${'%41'.repeat(2_700)}`)),
  flood('large-heads', 'heads of 16 KB', requestOf('GET', leadPath, { headers: [`X-Large: ${'x'.repeat(16_000)}`] })),
  flood(
    'too-large-heads',
    'heads of 64 KB',
    requestOf('GET', leadPath, { headers: [`X-Large: ${'x'.repeat(64_000)}`] }),
  ),
  flood(
    'many-headers',
    'heads of 1,500 headers',
    requestOf('GET', leadPath, { headers: Array.from({ length: 1_500 }, (_, n) => `a${n}:1`) }),
  ),
  flood(
    'long-formats',
    'bodies whose email, URI and pattern fields are 200 KB long',
    requestOf('POST', machinePath, {
      body: JSON.stringify({
        serial_number: 'AB-123456'.padEnd(200_000, '1'),
        model: 'm',
        support_email: `${longText}@${longText}`,
        manual: `https://${longText}?${longText}`,
      }),
    }),
  ),
  {
    name: 'wrong-keys',
    what: 'wrong keys at full speed from one address',
    run: (target) => target.flood(clients, () => requestOf('GET', leadPath, { key: 'wrong-0123456789abcdef' })),
  },
  {
    name: 'announced-lengths',
    what: 'bodies of which a quarter comes, then the connection is closed',
    async run(target) {
      const body = JSON.stringify({ order_id: 'x', data: 'x'.repeat(1_000_000) });
      const head = headOf('POST', attachmentPath, { body, length: 4 * body.length });
      await target.times(100, async () => {
        const wire = target.connect();
        await wire.send(head + body);
        wire.socket.destroy();
      });
    },
  },
];
