import { Agent, request } from 'node:http';

import { attackerKey } from '../requests.ts';
import type { Answer } from '../../support/server.ts';
import type { Attack } from '../attack.ts';
import { faultOf } from '../fuzz/checker.ts';
import { Document } from '../../document/document.ts';
import { type Fuzzed, Fuzzer } from '../fuzz/request.ts';

const clients = 8;
/** As many ids as are remembered. */
const knownIds = 500;

function exchange(
  port: number,
  agent: Agent,
  { method, target, body, mediaType }: Omit<Fuzzed, 'operation'>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${attackerKey}`,
      ...(mediaType === undefined ? {} : { 'Content-Type': mediaType }),
      ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
    };
    const outgoing = request({ host: '127.0.0.1', port, agent, method, path: target, headers }, (incoming) => {
      const pieces: Buffer[] = [];
      incoming.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        const answered = new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          // A body that is not JSON matches no schema.
        }
        resolve({ status: incoming.statusCode ?? 0, headers: answered, body: parsed, text });
      });
    });
    outgoing.on('error', reject).end(body);
  });
}

export const fuzzAttack: Attack = {
  name: 'fuzz',
  what: `requests made up from the OpenAPI document, right and wrong, and every answer checked, from ${clients} clients`,
  async run(target) {
    const { port, random } = target;
    const agent = new Agent({ keepAlive: true });
    const ask = (made: Omit<Fuzzed, 'operation'>): Promise<Answer> => exchange(port, agent, made);
    const { text } = await ask({ method: 'GET', target: '/openapi.json', body: undefined, mediaType: undefined });
    const document = new Document(text);
    const fuzzer = new Fuzzer(document, random);
    await target.goOn(clients, async () => {
      const made = fuzzer.next();
      const answer = await ask(made);
      target.answered(answer.status);
      const { id } = (answer.body ?? {}) as { id?: string };
      if (answer.status === 201 && id !== undefined) fuzzer.ids.push(id);
      if (fuzzer.ids.length > knownIds) fuzzer.ids.splice(random.below(knownIds), 1);
      const fault = faultOf(document, made, answer);
      if (fault === undefined) return;
      const shown = `${made.method} ${made.target} ${made.body ?? ''}`.slice(0, 500);
      target.violations.add(`the answer ${fault}, to ${shown}`);
    });
    agent.destroy();
  },
};
