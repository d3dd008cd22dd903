import { Agent, request } from 'node:http';
import { Agent as TlsAgent, request as requestTls } from 'node:https';
import { maxWorkDuration } from '../model/limits.ts';
import { shorten } from '../model/text.ts';
import { lookupFor, urlRefusal } from './addresses.ts';
import { maxAnswerBytes } from './limits.ts';
import { signedHeaders } from './signature.ts';

/** The end of an attempt. */
export interface Outcome {
  /** Waiting: for the next attempt. Failed: there is no message to send any more. */
  readonly state: 'delivered' | 'waiting' | 'failed';
  /** The status of the response, or why there is none. */
  readonly answer: string;
  /** Milliseconds. */
  readonly duration: number;
}

interface Message {
  readonly id: string;
  readonly body: string;
}

/** A connection without a request is closed before the receiver does so. */
const idle = { keepAlive: true, timeout: 1_000 };
const agents = { 'http:': new Agent(idle), 'https:': new TlsAgent(idle) };

/** Sends a message to a receiver, once, and reads the response, as far as it is short. Redirects are not followed. */
export async function post(
  receiver: { readonly url: string; readonly secret: string },
  { id, body }: Message,
  allowsPrivate: boolean,
): Promise<Outcome> {
  const start = performance.now();
  const url = new URL(receiver.url);
  // Names are looked up, and addresses are not.
  const refused = urlRefusal(url, allowsPrivate);
  if (refused !== undefined) return { state: 'waiting', answer: refused, duration: 0 };
  return new Promise((resolve) => {
    let outcome: Outcome | undefined;
    const note = (state: Outcome['state'], answer: string): void => {
      outcome ??= { state, answer, duration: Math.round(performance.now() - start) };
    };
    const isEncrypted = url.protocol === 'https:';
    const outgoing = (isEncrypted ? requestTls : request)(url, {
      method: 'POST',
      agent: agents[isEncrypted ? 'https:' : 'http:'],
      lookup: lookupFor(url, allowsPrivate),
      signal: AbortSignal.timeout(maxWorkDuration),
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
        if (bytes > maxAnswerBytes) outgoing.destroy();
      });
    });
    outgoing.on('close', () => {
      note('waiting', 'the connection was closed');
      resolve(outcome as Outcome);
    });
    outgoing.end(body);
  });
}

/** The reason of a failure, as it is stored. */
export function reasonOf({ message, code, cause }: NodeJS.ErrnoException): string {
  if ((cause as Error | undefined)?.name === 'TimeoutError') return `no response within ${maxWorkDuration / 1_000} s`;
  // The error of several addresses has no message.
  return shorten((message || String(code)).replaceAll(/\p{C}+/gu, ' '));
}
