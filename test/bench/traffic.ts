import { itemPath } from './items.ts';
import { changeOf, leadId, leadOf, leadPath } from './leads.ts';
import type { Traffic } from './load.ts';

/** The one key that the measured server knows. */
export const apiKey = 'bench-key';

// The floors get the same headers, to have the same to parse.
function requestOf(method: string, path: string, body?: object): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${apiKey}\r\n`;
  if (!body) return Buffer.from(`${head}\r\n`);
  const json = JSON.stringify(body);
  const length = Buffer.byteLength(json);
  return Buffer.from(`${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${json}`);
}

/** The same GET every time. */
export function getAlways(path: string): Traffic {
  const request = requestOf('GET', path);
  return { status: 200, next: () => request };
}

/** A list of 20 line items of this parent. */
export const listItems = (parent: string): Traffic => getAlways(`${itemPath}?parent_id=${parent}`);

const randomBelow = (limit: number): number => Math.floor(Math.random() * limit);

/** A GET of a random one of the leads below this number. */
export const getLeads = (count: number): Traffic => ({
  status: 200,
  next: () => requestOf('GET', `${leadPath}/${leadId(randomBelow(count))}`),
});

/** The page behind a random one of the leads below this number: a full one. */
export const nextPages = (count: number): Traffic => ({
  status: 200,
  next: () => requestOf('GET', `${leadPath}?after=${leadId(20 + randomBelow(count - 20))}`),
});

/** A POST of a lead, without end. */
export function createLeads(): Traffic {
  const requests = Array.from({ length: 1000 }, (_, number) => requestOf('POST', leadPath, leadOf(number)));
  let sent = 0;
  return { status: 201, next: () => requests[sent++ % requests.length] };
}

/** Steps of this length, in a circle, come past every place, all over it: a prime above any number of rows. */
const stride = 736_878_757;

/** A PATCH of three fields of the leads below this number, all of them over and over. Every one changes all three. */
export function patchLeads(count: number): Traffic {
  let sent = 0;
  return {
    status: 200,
    next() {
      const number = (sent * stride) % count;
      const revision = Math.floor(sent / count) % 2 === 0 ? 0 : 1;
      sent++;
      return requestOf('PATCH', `${leadPath}/${leadId(number)}`, changeOf(number, revision));
    },
  };
}
