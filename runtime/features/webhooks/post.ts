import { Agent, request } from 'node:http';
import { Agent as TlsAgent, request as requestTls } from 'node:https';
import { maxWorkDuration } from '../../kernel/model/limits.ts';
import { limitWait } from '../../kernel/model/wait.ts';
import { largeBytes } from '../../kernel/api/limits.ts';
import { type Courier, type Message, type Outcome, reasonOf } from '../delivery/courier.ts';
import { lookupFor, urlRefusal } from './addresses.ts';
import { signedHeaders } from './signature.ts';

/** A connection without a request is closed before the receiver does so. */
const idle = { keepAlive: true, timeout: 1_000 };
const agents = { 'http:': new Agent(idle), 'https:': new TlsAgent(idle) };

/** @param allowsPrivate whether receivers may have private addresses */
export const courierOf = (allowsPrivate: boolean): Courier => ({
  serves: ({ url }) => /^https?:/.test(url),
  take: (receiver, message) => post(receiver, message, allowsPrivate),
});

/** Sends a message to a receiver, once, and reads the response, as far as it is short. Redirects are not followed. */
async function post(
  receiver: { readonly url: string; readonly secret: string },
  { id, body }: Message,
  allowsPrivate: boolean,
): Promise<Outcome> {
  const start = performance.now();
  const url = new URL(receiver.url);
  // Names are looked up, and addresses are not.
  const refused = urlRefusal(url, allowsPrivate);
  if (refused !== undefined) return { state: 'waiting', answer: refused, duration: 0 };
  let outcome: Outcome | undefined;
  const note = (state: Outcome['state'], answer: string): void => {
    outcome ??= { state, answer, duration: Math.round(performance.now() - start) };
  };
  const isEncrypted = url.protocol === 'https:';
  const outgoing = (isEncrypted ? requestTls : request)(url, {
    method: 'POST',
    agent: agents[isEncrypted ? 'https:' : 'http:'],
    lookup: lookupFor(url, allowsPrivate),
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...signedHeaders(receiver.secret, id, Date.now(), body),
    },
  });
  outgoing.on('error', (error) => note('waiting', reasonOf(error)));
  outgoing.on('response', (incoming) => {
    const { statusCode = 0 } = incoming;
    note(statusCode >= 200 && statusCode < 300 ? 'delivered' : 'waiting', String(statusCode));
    let bytes = 0;
    incoming.on('error', () => undefined);
    incoming.on('data', ({ length }: Buffer) => {
      bytes += length;
      // A response that is read to its end leaves the connection for the next one: receivers have nothing to say.
      if (bytes > largeBytes) outgoing.destroy();
    });
  });
  const closed = new Promise<Outcome>((resolve) => {
    outgoing.on('close', () => {
      note('waiting', 'the connection was closed');
      resolve(outcome as Outcome);
    });
  });
  outgoing.end(body);
  return limitWait(maxWorkDuration, closed, () =>
    outgoing.destroy(new Error(`no response within ${maxWorkDuration / 1_000} s`)),
  );
}
