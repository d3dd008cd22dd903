import { changeOf, leadOf } from './leads.ts';
import type { Traffic } from './load.ts';

/** The path of the leads, the resource that is measured. */
export const leadPath = '/api/crm/lead';

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

/** A GET of a random one of these leads. */
export function getLeads(ids: readonly string[]): Traffic {
  const requests = ids.map((id) => requestOf('GET', `${leadPath}/${id}`));
  return { status: 200, next: () => requests[Math.floor(Math.random() * requests.length)] };
}

/** A POST of a lead, without end. */
export function createLeads(): Traffic {
  const requests = Array.from({ length: 1000 }, (_, number) => requestOf('POST', leadPath, leadOf(number)));
  let sent = 0;
  return { status: 201, next: () => requests[sent++ % requests.length] };
}

/** A PATCH of three fields of these leads in a random order, over and over. Every one changes all three. */
export function patchLeads(ids: readonly string[]): Traffic {
  const shuffled = shuffle(ids);
  const requests = ([0, 1] as const).flatMap((revision) =>
    shuffled.map((id, number) => requestOf('PATCH', `${leadPath}/${id}`, changeOf(number, revision))),
  );
  let sent = 0;
  return { status: 200, next: () => requests[sent++ % requests.length] };
}

/** A POST of each of so many different leads; `ids` fills with what they are called. */
export function fillWith(count: number): Traffic & { readonly ids: readonly string[] } {
  const ids: string[] = [];
  let sent = 0;
  return {
    ids,
    status: 201,
    next: () => (sent < count ? requestOf('POST', leadPath, leadOf(sent++)) : undefined),
    answered(head) {
      const id = /\r\nlocation: *\S+\/([^/\s]+)\r\n/i.exec(head)?.[1];
      if (id === undefined) throw new Error(`A create was answered without a Location:\n${head}`);
      ids.push(id);
    },
  };
}

function shuffle<T>(items: readonly T[]): T[] {
  const shuffled = [...items];
  for (let i = shuffled.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [shuffled[i], shuffled[j]] = [shuffled[j] as T, shuffled[i] as T];
  }
  return shuffled;
}
