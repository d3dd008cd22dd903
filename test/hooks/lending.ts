import { expect } from 'vitest';

import type { Body, Library } from '../references/library.ts';
import { outcomeOf } from '../states/claims.ts';
import type { Answer } from '../support/server.ts';

type Stored = Body & { readonly id: string };

/** The lending of the tests' own service, which has hooks. */
export class Lending {
  readonly library: () => Library;

  constructor(library: () => Library) {
    this.library = library;
  }

  /** Does a request below `/api/lending`. */
  ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const { server, key } = this.library();
    return server.request(method, `/api/lending/${path}`, body, { authorization: `Bearer ${key}`, ...headers });
  }

  /** Does what must succeed. */
  async done(method: string, path: string, body?: unknown): Promise<Stored> {
    const { status, body: record, text } = await this.ask(method, path, body);
    expect(status, text).toBeLessThan(300);
    return record as Stored;
  }

  async patron(): Promise<string> {
    return (await this.done('POST', 'patron', { name: 'Ann' })).id;
  }

  /** How much a person has at home, as the counter says, and as there is. */
  async open(patron: string): Promise<{ counted: unknown; found: unknown }> {
    const { open_checkouts: counted } = await this.done('GET', `patron/${patron}`);
    const { total: found } = await this.done('GET', `checkout?patron_id=${patron}&status=open`);
    return { counted, found };
  }

  borrow(patron: string, body: Body = {}, headers: Record<string, string> = {}): Promise<Answer> {
    return this.ask('POST', 'checkout', { patron_id: patron, tool: 'drill', ...body }, headers);
  }

  async borrowed(patron: string, body: Body = {}): Promise<string> {
    const answer = await this.borrow(patron, body);
    expect(answer.status, answer.text).toBe(201);
    return (answer.body as Stored).id;
  }

  /** A batch of writes below `/api/lending`. */
  batch(operations: readonly (readonly [method: string, path: string, body?: Body])[], headers = {}): Promise<Answer> {
    const all = operations.map(([method, path, body]) => ({
      method,
      path: `/api/lending/${path}`,
      ...(body && { body }),
    }));
    const { server, key } = this.library();
    const authorization = `Bearer ${key}`;
    return server.request('POST', '/api/batch', { operations: all }, { authorization, ...headers });
  }

  async penalties(checkout: string): Promise<readonly Body[]> {
    return (await this.done('GET', `penalty?parent_id=${checkout}`))['data'] as readonly Body[];
  }
}

/** How often each outcome comes among answers. */
export function outcomes(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[outcomeOf(answer)] = (counts[outcomeOf(answer)] ?? 0) + 1;
  return counts;
}
