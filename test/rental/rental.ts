import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';

import { readSpecs } from '../../generator/read/spec-files.ts';
import type { Service } from '../../runtime/index.ts';
import { outcomeOf } from '../states/claims.ts';
import { citus, describeEngine, type Engine, engines, type TestDatabase } from '../support/databases.ts';
import { generateProject } from '../support/project.ts';
import type { Stored } from '../support/records.ts';
import { type Answer, projectRoot, TestServer } from '../support/server.ts';

/** The project of the rental service: each file that needs it has its own, which goes with its tests. */
export const generateRental = (): Promise<string> => generateProject(readSpecs(join(projectRoot, 'test/rental')));

type Operation = readonly [method: string, path: string, body?: object];

/** The rental service of `spec/`, as its clients use it: paths are below `/api`. */
export class Rental {
  database!: TestDatabase;
  server!: TestServer;
  readonly #project: string;
  #tools = 0;

  constructor(project: string) {
    this.#project = project;
  }

  async start(create: () => Promise<TestDatabase>): Promise<void> {
    this.database = await create();
    const env = { DATABASE_URL: this.database.serverUrl ?? this.database.url };
    this.server = new TestServer({ project: this.#project, env });
    await this.server.start();
  }

  async close(): Promise<void> {
    await this.server?.close();
    await this.database?.[Symbol.asyncDispose]();
  }

  async ask(method: string, path: string, body?: object): Promise<Answer> {
    for (;;) {
      const answer = await this.server.request(method, `/api/${path}`, body);
      // On a busy machine a hook may take too long: nothing is done then.
      if (answer.status !== 503) return answer;
    }
  }

  /** A response in short: its status, or the code of its problem. */
  async outcome(method: string, path: string, body?: object): Promise<number | string> {
    return outcomeOf(await this.ask(method, path, body));
  }

  /** Does what must succeed. */
  async done(method: string, path: string, body?: object): Promise<Stored> {
    const answer = await this.ask(method, path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body as Stored;
  }

  batch(operations: readonly Operation[]): Promise<Answer> {
    const all = operations.map(([method, path, body]) => ({ method, path: `/api/${path}`, ...(body && { body }) }));
    return this.ask('POST', 'batch', { operations: all });
  }

  customer(): Promise<Stored> {
    return this.done('POST', 'rental/customer', { name: 'Ada' });
  }

  tool(day_rate = '10.00'): Promise<Stored> {
    return this.done('POST', 'rental/item', { code: `T${(this.#tools += 1)}`, name: 'Drill', day_rate });
  }

  /** The operations that create an order of tools, and confirm it. */
  ordering(customer: Stored, tools: readonly Stored[], starts_on: string, ends_on: string): readonly Operation[] {
    return [
      ['POST', 'rental/order', { customer_id: customer.id, starts_on, ends_on }],
      ...tools.map(({ id }): Operation => ['POST', 'rental/order-line', { order_id: { result: 0 }, item_id: id }]),
      ['POST', 'rental/order/{result:0}/confirm'],
    ];
  }

  /** A confirmed order. */
  async order(tools: readonly Stored[], starts_on: string, ends_on: string): Promise<Stored> {
    const answer = await this.batch(this.ordering(await this.customer(), tools, starts_on, ends_on));
    expect(answer.status, answer.text).toBe(200);
    return (answer.body as { results: { body: Stored }[] }).results.at(-1)!.body;
  }

  async stateOf(path: string, { id }: Stored): Promise<unknown> {
    return (await this.done('GET', `${path}/${id}`))['status'];
  }

  /** The values of a field in a list. */
  async column(path: string, field: string): Promise<unknown[]> {
    const { data } = await this.done('GET', path);
    return (data as Stored[]).map((record) => record[field]);
  }
}

/** Tests of a rental service of its own on each engine. @param project of `generateRental` */
export function onEachEngine(project: string, what: string, cases: (rental: Rental, engine: Engine) => void): void {
  for (const engine of [...engines, citus]) {
    describeEngine(engine, what, () => {
      const rental = new Rental(project);
      beforeAll(async () => {
        const { service } = (await import(join(project, 'generated/app.ts'))) as { service: Service };
        await rental.start(() => engine.create(service.tables));
      });
      afterAll(() => rental.close());
      cases(rental, engine);
    });
  }
}

/** The counts of numbers like `INV-2026-0012`, which must be without gaps from 1, as long as a year is not over. */
export const countsOf = (numbers: readonly unknown[]): number[] =>
  numbers.map((number) => Number(/^INV-\d{4}-(\d{4,})$/.exec(String(number))?.[1])).toSorted((a, b) => a - b);
