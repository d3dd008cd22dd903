import { expect, test } from 'vitest';

import { onEachEngine } from '../references/library.ts';
import { untilBlocked } from '../support/postgres.ts';
import type { PostgresDatabase } from '../support/postgres-databases.ts';

interface Event {
  readonly record: string;
  readonly number: number;
}

const tooLong = 'A book of over 2,000 pages stays in the reading room.';
const barred = 'A barred member borrows nothing.';
const status = (answer: { readonly status: number }): number => answer.status;

onEachEngine(
  'rules that read what they reference',
  (subject, engine) => {
    const ask = (method: string, path: string, body?: unknown) => subject.library.ask(method, path, body);
    const book = (pages: number | null = null) => subject.library.book({ pages });
    const member = async (state = 'draft'): Promise<string> => {
      const { body } = await ask('POST', 'register/member', { name: 'Eve', status: state });
      return (body as { id: string }).id;
    };
    const refusal = async (method: string, path: string, body?: unknown): Promise<unknown> => {
      const { code, errors = [] } = await subject.library.refused(method, path, body);
      return [code, ...errors.map(({ pointer, message }) => `${pointer} ${message}`)];
    };
    const loan = (body: object) => ({ borrower: 'Bob', ...body });
    const create = (body: object) => ({ method: 'POST', path: '/api/library/loan', body: loan(body) });
    const change = (path: string, body: object) => ({ method: 'PATCH', path: `/api/${path}`, body });
    const batch = (...operations: object[]) => ask('POST', 'batch', { operations });

    test('creates and updates are refused by what the records say that they name, and all of it is told', async () => {
      const [short, long] = [await book(2000), await book(2001)];
      const [eve, mallory] = [await member(), await member('barred')];
      expect(await refusal('POST', 'library/loan', loan({ book_id: long, member_id: mallory }))).toEqual([
        'rule_violated',
        `/book_id ${tooLong}`,
        `/member_id ${barred}`,
      ]);
      const id = await subject.library.loan(short, { member_id: eve });
      const none = await subject.library.loan(short, { member_id: null });
      for (const one of [id, none])
        expect(await refusal('PATCH', `library/loan/${one}`, { book_id: long })).toEqual([
          'rule_violated',
          `/book_id ${tooLong}`,
        ]);
      expect(await refusal('PATCH', `library/loan/${none}`, { member_id: mallory })).toHaveLength(2);
      // The reference stays, and its record is another now.
      expect(status(await ask('PATCH', `register/member/${eve}`, { status: 'barred' }))).toBe(200);
      expect(await refusal('PATCH', `library/loan/${id}`, { borrower: 'Zoe' })).toEqual([
        'rule_violated',
        `/member_id ${barred}`,
      ]);
      expect(status(await ask('PATCH', `library/loan/${id}`, { borrower: 'Bob' }))).toBe(200);
      expect(status(await ask('PATCH', `library/loan/${id}`, { borrower: 'Zoe', member_id: null }))).toBe(200);
      expect(await subject.library.read('loan', id)).toMatchObject({ borrower: 'Zoe', member_id: null });
    });

    test('a record that names itself is read as it would be, also by racing updates', async () => {
      const id = await book(5);
      const itself = await refusal('PATCH', `library/book/${id}`, { sequel_id: id, pages: 6 });
      expect(itself).toEqual(['rule_violated', '/sequel_id A sequel is longer or shorter.']);
      expect(status(await ask('PATCH', `library/book/${id}`, { sequel_id: id, pages: null }))).toBe(200);
      expect(await refusal('PATCH', `library/book/${id}`, { pages: 7 })).toMatchObject(['rule_violated', {}]);
      const titles = Array.from({ length: 12 }, (_, n) => ask('PATCH', `library/book/${id}`, { title: `${n}` }));
      expect(new Set((await Promise.all(titles)).map(status))).toEqual(new Set([200]));
    });

    test('a reference that names nothing is 409, also beside a record that breaks a rule', async () => {
      const none = { book_id: 'book_0', member_id: 'member_0' };
      expect(await refusal('POST', 'library/loan', loan(none))).toMatchObject({ 0: 'reference_missing', length: 3 });
      const id = await subject.library.loan(await book());
      expect(await refusal('PATCH', `library/loan/${id}`, { member_id: 'member_0' })).toMatchObject([
        'reference_missing',
        {},
      ]);
    });

    test('a batch reads the records as its operations have made them so far', async () => {
      const [id, eve] = [await book(10), await member('barred')];
      const lengthen = change(`library/book/${id}`, { pages: 3000 });
      const shorten = change(`library/book/${id}`, { pages: 20 });
      const refused = await batch(create({ book_id: id }), lengthen, create({ book_id: id }));
      expect(refused).toMatchObject({ status: 422, body: { operation: 2, detail: tooLong } });
      const author_id = await subject.library.author();
      const author = { method: 'POST', path: '/api/library/author', body: { name: 'Ann' } };
      const fresh = (pages: number, by: unknown = author_id) => ({
        method: 'POST',
        path: '/api/library/book',
        body: { title: 'New', author_id: by, pages },
      });
      const ofResult = create({ book_id: { result: 0 } });
      expect(await batch(fresh(3000), ofResult)).toMatchObject({ status: 422, body: { operation: 1 } });
      expect(status(await batch(fresh(30), ofResult))).toBe(200);
      const both = [author, fresh(3000, { result: 0 }), create({ book_id: { result: 1 } })];
      expect(await batch(...both)).toMatchObject({ status: 422, body: { operation: 2 } });
      const free = change(`register/member/${eve}`, { status: 'draft' });
      const done = await batch(lengthen, shorten, free, create({ book_id: id, member_id: eve }), lengthen);
      expect(status(done)).toBe(200);
      expect(await batch(free, create({ book_id: id }))).toMatchObject({ status: 422, body: { operation: 1 } });
    });

    test('an undo is checked as the write that it is; a reference that a delete sets to null is not read', async () => {
      const [id, eve] = [await book(1), await member()];
      const lent = await subject.library.loan(id, { member_id: eve });
      expect(status(await ask('DELETE', `library/loan/${lent}`))).toBe(200);
      const { body } = await ask('GET', `events?record=${lent}&operation=delete`);
      const [deleted] = (body as { data: readonly Event[] }).data;
      await ask('PATCH', `register/member/${eve}`, { status: 'barred' });
      expect(await refusal('POST', `events/${deleted?.number}/undo`)).toMatchObject(['rule_violated', {}]);
      await ask('PATCH', `register/member/${eve}`, { status: 'draft' });
      expect(status(await ask('POST', `events/${deleted?.number}/undo`))).toBe(200);
      await ask('PATCH', `register/member/${eve}`, { status: 'barred' });
      expect(status(await ask('DELETE', `register/member/${eve}`))).toBe(200);
      expect(await subject.library.read('loan', lent)).toMatchObject({ member_id: null });
    });

    test('no loan is committed behind the change of a book that forbids it', async () => {
      const answers = new Set<string>();
      for (let round = 0; round < 7; round++) {
        const [raced, other] = [await book(1), await book(1)];
        const [own, moved] = [await subject.library.loan(raced), await subject.library.loan(other)];
        const [taking, taken] = [() => ask('POST', 'library/loan', loan({ book_id: raced })), `library/loan/${own}`];
        const writes = await Promise.all([
          taking(),
          ask('PATCH', taken, { borrower: `Zoe ${round}` }),
          batch(create({ book_id: other }), create({ book_id: raced })),
          taking(),
          ask('PATCH', `library/book/${raced}`, { pages: 3000 }),
          ask('PATCH', `library/loan/${moved}`, { book_id: raced }),
          batch(change(taken, { due_date: '2030-01-01' }), change(`library/book/${other}`, { pages: 2 })),
          taking(),
          ask('PATCH', taken, { borrower: `Ann ${round}` }),
        ]);
        for (const { body, text } of writes) {
          const { code = 'done' } = body as { code?: string };
          expect(['done', 'rule_violated'], text).toContain(code);
          answers.add(code);
        }
        const [forbidden] = await events(`record=${raced}&operation=update`);
        const loans = await subject.library.list('loan', `?book_id=${raced}&limit=1000`);
        const later = await Promise.all(
          loans.map(({ id }) => events(`record=${String(id)}&after=${forbidden?.number}`)),
        );
        expect(later.flat()).toEqual([]);
      }
      expect(answers).toEqual(new Set(['done', 'rule_violated']));
    });

    test.runIf(engine.name === 'PostgreSQL')(
      'an update reads the record that its row names once that is locked',
      async () => {
        const { library, database } = subject;
        const [short, long] = [await book(1), await book(3000)];
        const lent = await library.loan(short);
        const { Client } = await import('pg');
        const holder = new Client(database.url);
        await holder.connect();
        await holder.query(`begin; select 1 from "loan" where "id" = '${lent}' for update`);
        const changing = refusal('PATCH', `library/loan/${lent}`, { borrower: 'Zoe' });
        await untilBlocked(database as unknown as PostgresDatabase);
        await holder.query(`update "loan" set "book_id" = '${long}' where "id" = '${lent}'; commit`);
        await holder.end();
        expect(await changing).toEqual(['rule_violated', `/book_id ${tooLong}`]);
      },
    );

    async function events(query: string): Promise<readonly Event[]> {
      const { body, text } = await ask('GET', `events?${query}`);
      expect(body, text).toHaveProperty('data');
      return (body as { data: readonly Event[] }).data;
    }
  },
  { WORKERS: '2', RATE_LIMIT: 'off' },
);
