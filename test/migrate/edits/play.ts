import { expect } from 'vitest';
import { parse } from 'yaml';

import type { TestDatabase } from '../../support/databases.ts';
import type { TestServer } from '../../support/server.ts';
import { type Resources, Versions } from '../specs.ts';
import { afterOf, type Edit, type Group, specOf } from './edit.ts';
import { Script } from './script.ts';

/** An edit that is tried, with its own part of a service. */
interface Tried {
  readonly edit: Edit;
  readonly number: number;
  readonly script: Script;
  /** The records that there were, by their names. */
  records: Map<string, Record<string, unknown> | undefined>;
  failure?: unknown;
}

const resourcesOf = (tried: readonly Tried[], side: 'before' | 'after'): Resources =>
  Object.fromEntries(
    tried.flatMap(({ edit, number }) =>
      [...specOf(side === 'before' ? edit.before : afterOf(edit), number)].map(([path, text]) => [
        path,
        parse(text) as object,
      ]),
    ),
  );

/** Tries the edits of a group in one service. If one fails, the others go on. */
export class Play implements AsyncDisposable {
  readonly #tried: readonly Tried[];
  readonly #group: Group;
  readonly #versions: Versions;
  readonly #database: TestDatabase;
  readonly #env: Record<string, string>;

  private constructor(tried: readonly Tried[], group: Group, versions: Versions, database: TestDatabase) {
    this.#tried = tried;
    this.#group = group;
    this.#versions = versions;
    this.#database = database;
    this.#env = { DATABASE_URL: database.url };
  }

  static async of(edits: readonly Edit[], group: Group, database: TestDatabase): Promise<Play> {
    const tried = edits.map((edit, number): Tried => ({
      edit,
      number,
      script: new Script(`e${number}`),
      records: new Map(),
    }));
    const versions = await Versions.of({ before: resourcesOf(tried, 'before'), after: resourcesOf(tried, 'after') });
    return new Play(tried, group, versions, database);
  }

  async run(): Promise<void> {
    const { url } = this.#database;
    const isRefused = this.#group === 'refused' || this.#group === 'blocked' || this.#group === 'late';
    await using former = await this.#versions.start('before', this.#env);
    await this.#each(({ edit, script }) => script.run(former.url, edit.rows));
    await this.#each(async (tried) => void (tried.records = await this.#read(tried, former)));
    if (isRefused) {
      await former.stop();
      await this.#refuse();
      await using again = await this.#versions.start('before', this.#env);
      await this.#each((tried) => this.#isAsBefore(tried, again));
      await this.#each(({ edit, script }) => script.run(again.url, edit.mended ?? ''));
      await this.#each(async (tried) => void (tried.records = await this.#read(tried, again)));
      if (this.#group === 'blocked') {
        await this.#each(({ edit, script }) => script.run(again.url, edit.next));
        return;
      }
    } else if (this.#group === 'incompatible') {
      await former.stop();
    }
    // A start on PostgreSQL leaves what servers of the former version may fail on.
    if (this.#group !== 'additions' && url.startsWith('postgres')) await this.#migrate();
    await using next = await this.#versions.start('after', this.#env);
    await this.#each((tried) => this.#isAsBefore(tried, next));
    // Servers of the former version go on.
    if (this.#group === 'additions') await this.#each((tried) => this.#isAsBefore(tried, former));
    await former.stop();
    await this.#each(({ edit, script }) => script.run(next.url, edit.next));
    await next.stop();
    await this.#migrate();
    const { stdout } = await this.#versions.migrate('after', this.#env, '--plan');
    expect(stdout).toContain('Nothing to do.');
  }

  /** @throws what is wrong with an edit */
  expect(edit: Edit): void {
    const { failure } = this.#tried.find((tried) => tried.edit === edit) as Tried;
    if (failure !== undefined) throw failure as Error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#versions[Symbol.dispose]();
    await this.#database[Symbol.asyncDispose]();
  }

  async #each(work: (tried: Tried) => Promise<void>): Promise<void> {
    await Promise.all(
      this.#tried.map(async (tried) => {
        if (tried.failure === undefined)
          await work(tried).catch((error: unknown) => {
            tried.failure = error;
          });
      }),
    );
  }

  async #migrate(): Promise<void> {
    expect(await this.#versions.migrate('after', this.#env)).toMatchObject({ code: 0 });
  }

  /** Both a dry run and a migration are refused, in the words of each edit. */
  async #refuse(): Promise<void> {
    for (const args of this.#group === 'late' ? [[]] : [['--plan'], []]) {
      const { code, stdout, stderr } = await this.#versions.migrate('after', this.#env, ...args);
      expect(code).toBe(1);
      await this.#each(async ({ edit, number }) => {
        for (const words of edit.refused ?? edit.blocked ?? [])
          expect(stdout + stderr).toContain(words.replaceAll(/_N(?![A-Za-z])/g, `_${number}`));
      });
    }
  }

  async #read({ edit, script }: Tried, { url }: TestServer): Promise<Tried['records']> {
    const texts = afterOf(edit);
    // Line items are not read alone.
    return script.read(
      url,
      (resource) => typeof texts[resource] === 'string' && !texts[resource].includes('kind: line-item'),
    );
  }

  /** No value is another one: those of fields that come or go are no part of both. */
  async #isAsBefore(tried: Tried, server: TestServer): Promise<void> {
    const now = await this.#read(tried, server);
    const { edit, records } = tried;
    for (const [name, before] of records) {
      const record = now.get(name);
      if (!before || !record) {
        expect(record, name).toBe(before);
        continue;
      }
      const kept = Object.entries(before).filter(([field]) => field in record && !edit.changed?.includes(field));
      expect(record, name).toMatchObject(Object.fromEntries(kept));
    }
  }
}
