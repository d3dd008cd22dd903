import { randomUUID } from 'node:crypto';

import { itemPath } from './items.ts';
import { changeOf, leadId, leadOf, leadPath } from './leads.ts';
import type { Request, Traffic } from './load.ts';
import type { Random } from './random.ts';

/** The one key that the measured server knows. */
export const apiKey = 'bench-key-0123456789';

/** The largest random offset. */
const maxRandomOffset = 2000;

/** Records of a page, where no limit is sent. */
const pageLength = 20;

// The floors get the same headers, to have the same to parse.
export function requestOf(
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
  key = apiKey,
  status = method === 'POST' ? 201 : 200,
): Request {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n`;
  if (!body) return { bytes: Buffer.from(`${head}\r\n`), status };
  const json = JSON.stringify(body);
  const length = Buffer.byteLength(json);
  const bytes = Buffer.from(`${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${json}`);
  return { bytes, status };
}

/** The same GET every time. */
export function getAlways(path: string): Traffic {
  const request = requestOf('GET', path);
  return { next: () => request };
}

/** A page of the line items of this parent. */
export const listItems = (parent: string): Traffic => getAlways(`${itemPath}?parent_id=${parent}`);

/** A GET of a random one of the leads below this number, with another key if one is given. */
export const getLeads = (count: number, random: Random, key?: string): Traffic => ({
  next: () => requestOf('GET', `${leadPath}/${leadId(random(count))}`, undefined, key),
});

/** The page after a random one of the leads below this number: a full one. */
export const pagesAfter = (count: number, random: Random): Traffic => ({
  next: () => requestOf('GET', `${leadPath}?after=${leadId(pageLength + random(count - pageLength))}`),
});

/** The page at a random offset up to 2,000, where there are so many leads: a full one. */
export const pagesAtOffset = (count: number, random: Random): Traffic => ({
  next: () => requestOf('GET', `${leadPath}?offset=${random(Math.min(maxRandomOffset, count - pageLength) + 1)}`),
});

/** A POST of a lead, without end. */
export function createLeads(): Traffic {
  const requests = Array.from({ length: 1000 }, (_, number) => requestOf('POST', leadPath, leadOf(number)));
  let sent = 0;
  return { next: () => requests[sent++ % requests.length] };
}

/** A batch that creates 100 leads, without end. */
export function createBatches(): Traffic {
  const requests = Array.from({ length: 10 }, (_, batch) => {
    const operations = Array.from({ length: 100 }, (__, number) => {
      return { method: 'POST', path: leadPath, body: leadOf(100 * batch + number) };
    });
    return requestOf('POST', '/api/batch', { operations }, apiKey, 200);
  });
  let sent = 0;
  return { next: () => requests[sent++ % requests.length] };
}

/** A request with a header more. */
function withHeader({ bytes, status }: Request, header: string): Request {
  const end = bytes.indexOf('\r\n') + 2;
  return { bytes: Buffer.concat([bytes.subarray(0, end), Buffer.from(`${header}\r\n`), bytes.subarray(end)]), status };
}

/** The same requests, each with an `Idempotency-Key` of its own. */
export const withKeys = ({ next }: Traffic): Traffic => ({
  next() {
    const request = next();
    return request && withHeader(request, `Idempotency-Key: ${randomUUID()}`);
  },
});

/** A call of the tool that gets a random one of the leads below this number. */
export const agentGets = (count: number, random: Random): Traffic => ({
  next() {
    const params = { name: 'get', arguments: { resource: leadPath.slice('/api/'.length), id: leadId(random(count)) } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    return withHeader(requestOf('POST', '/mcp', message, apiKey, 200), 'Accept: application/json, text/event-stream');
  },
});

/** A PATCH of three fields of a random one of the leads below this number. Every one changes all three. */
export function patchLeads(count: number, random: Random): Traffic {
  const revisions = new Uint8Array(count);
  return {
    next() {
      const number = random(count);
      const revision = (revisions[number] = revisions[number] === 0 ? 1 : 0);
      return requestOf('PATCH', `${leadPath}/${leadId(number)}`, changeOf(number, revision));
    },
  };
}

/** Requests of several kinds in a random order, each kind as often as its weight says. */
export function mixOf(
  parts: readonly { readonly weight: number; readonly traffic: Traffic }[],
  random: Random,
): Traffic {
  const tickets = parts.flatMap(({ weight, traffic }) => Array.from({ length: weight }, () => traffic));
  return { next: () => tickets[random(tickets.length)]?.next() };
}
