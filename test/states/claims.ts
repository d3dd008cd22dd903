import { expect } from 'vitest';

import type { Body, Library } from '../references/library.ts';

/** A response in short: its status, or the code of its problem. */
export const outcomeOf = ({ status, body }: { readonly status: number; readonly body: unknown }): number | string =>
  status < 300 ? status : (body as { readonly code: string }).code;

/** The claims of the tests' own service, which are locked once they are submitted. */
export class Claims {
  readonly library: () => Library;

  constructor(library: () => Library) {
    this.library = library;
  }

  /** Does a request below `/api/expenses`. */
  ask(method: string, path: string, body?: unknown) {
    return this.library().ask(method, `expenses/${path}`, body);
  }

  async outcome(method: string, path: string, body?: unknown): Promise<number | string> {
    return outcomeOf(await this.ask(method, path, body));
  }

  /** Does what must succeed. */
  async done(method: string, path: string, body?: unknown): Promise<Body & { readonly id: string }> {
    const { status, body: record, text } = await this.ask(method, path, body);
    expect(status, text).toBeLessThan(300);
    return record as Body & { id: string };
  }

  /** A claim with an item. */
  async claim(body: Body = {}): Promise<{ readonly claim: string; readonly item: string }> {
    const { id: claim } = await this.done('POST', 'claim', { title: 'Travel', ...body });
    return { claim, item: await this.item(claim) };
  }

  /** Adds an item to a claim. */
  async item(claim: string, body: Body = {}): Promise<string> {
    return (await this.done('POST', 'claim-item', { claim_id: claim, amount: '1.00', ...body })).id;
  }

  async submitted(body: Body = {}): ReturnType<Claims['claim']> {
    const made = await this.claim(body);
    await this.done('POST', `claim/${made.claim}/submit`);
    return made;
  }

  /** A claim and its items, as they are. */
  async state(claim: string): Promise<unknown> {
    const record = await this.done('GET', `claim/${claim}`);
    return { record, items: (await this.done('GET', `claim-item?parent_id=${claim}`))['data'] };
  }
}
