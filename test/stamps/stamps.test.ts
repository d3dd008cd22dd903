import { expect, test } from 'vitest';

import { type Body, Library, onEachEngine } from '../references/library.ts';
import { Claims } from '../states/claims.ts';
import { actorOf, testKey } from '../support/server.ts';

const otherKey = 'other-key-0123456789abcdef0123456789abcdef';
const [ann, bob] = [testKey, otherKey].map(actorOf) as [string, string];

onEachEngine(
  'fields that each request sets which changes the record',
  (subject) => {
    const claims = new Claims(() => subject.library);
    const byBob = new Claims(() => new Library(subject.library.server, otherKey));
    const stampsOf = (record: Body) => [record['opened_by'], record['edited_by']];
    const itemOf = async (claim: string, id: string): Promise<Body> => {
      const items = (await claims.done('GET', `claim-item?parent_id=${claim}`))['data'] as readonly Body[];
      return items.find((item) => item['id'] === id)!;
    };
    const eventsOf = async (record: string): Promise<readonly { number: number; operation: string; changes: Body }[]> =>
      ((await subject.library.ask('GET', `events?record=${record}`)).body as { data: [] }).data;

    test('a create, an update, a transition and a batch set them, and their events show it', async () => {
      const { id: claim, ...made } = await claims.done('POST', 'claim', { title: 'A' });
      expect(stampsOf(made)).toEqual([ann, ann]);
      expect(made['edited_at']).toBe(made['created_at']);
      const updated = await byBob.done('PATCH', `claim/${claim}`, { title: 'B' });
      expect(stampsOf(updated)).toEqual([ann, bob]);
      expect(updated['edited_at']).toBe(updated['updated_at']);
      const moved = await claims.done('POST', `claim/${claim}/submit`);
      expect([...stampsOf(moved), moved['edited_at']]).toEqual([ann, ann, moved['updated_at']]);
      const operations = [
        { method: 'POST', path: `/api/expenses/claim/${claim}/reject`, body: { reason: 'Too much' } },
        { method: 'PATCH', path: `/api/expenses/claim/${claim}`, body: { title: 'C' } },
        { method: 'POST', path: '/api/expenses/claim', body: { title: 'D' } },
      ];
      const { body } = await byBob.library().ask('POST', 'batch', { operations });
      const { results } = body as { results: readonly { body: Body }[] };
      expect(results.map((one) => stampsOf(one.body))).toEqual([
        [ann, bob],
        [ann, bob],
        [bob, bob],
      ]);
      const [created, update] = await eventsOf(claim);
      expect(created?.changes).toMatchObject({ opened_by: [null, ann], edited_by: [null, ann] });
      expect(update?.changes).toEqual({
        title: ['A', 'B'],
        edited_by: [ann, bob],
        ...(made['edited_at'] !== updated['edited_at'] && { edited_at: [made['edited_at'], updated['edited_at']] }),
        ...(made['updated_at'] !== updated['updated_at'] && {
          updated_at: [made['updated_at'], updated['updated_at']],
        }),
      });
    });

    test('no client sets them: the value that is stored may be sent back', async () => {
      const refused = await subject.library.refused('POST', 'expenses/claim', { title: 'A', edited_by: 'Eve' });
      expect(refused.errors).toMatchObject([{ pointer: '/edited_by', code: 'read_only' }]);
      // A default is one.
      const sent = await claims.done('POST', 'claim', { title: 'A', opened_by: null });
      expect(stampsOf(sent)).toEqual([null, ann]);
      const { status, body, headers } = await byBob.ask('PATCH', `claim/${sent.id}`, { edited_by: 'Eve', title: 'B' });
      expect([status, (body as Body)['errors']]).toMatchObject([422, [{ pointer: '/edited_by', code: 'read_only' }]]);
      expect(headers.get('etag')).toBeNull();
      const back = await byBob.done('PATCH', `claim/${sent.id}`, { ...sent, title: 'B' });
      expect(stampsOf(back)).toEqual([null, bob]);
    });

    test('an update of nothing, and totals alone, set neither', async () => {
      const { claim, item } = await claims.claim();
      const before = await claims.done('GET', `claim/${claim}`);
      expect(await byBob.done('PATCH', `claim/${claim}`, { title: before['title'], notes: null })).toEqual(before);
      await byBob.done('PATCH', `claim-item/${item}`, { amount: '7.00' });
      const totalled = await claims.done('GET', `claim/${claim}`);
      expect(totalled).toMatchObject({ total: '7.00', edited_by: ann, edited_at: before['edited_at'] });
      const { edited_by: editor, edited_at: editedAt } = await itemOf(claim, item);
      expect([editor, editedAt]).toEqual([bob, totalled['items_edited_at']]);
    });

    test('a reorder sets those of the items that it moves, and the totals that follow', async () => {
      const { claim, item } = await claims.claim();
      const stays = await claims.item(claim);
      const items = [
        { id: item, idx: 3 },
        { id: stays, idx: 2 },
      ];
      await byBob.done('POST', 'claim-item/reorder', { items });
      const moved = await itemOf(claim, item);
      expect([moved['edited_by'], (await itemOf(claim, stays))['edited_by']]).toEqual([bob, ann]);
      expect(await claims.done('GET', `claim/${claim}`)).toMatchObject({
        items_edited_at: moved['edited_at'],
        edited_by: ann,
      });
      expect(await eventsOf(item)).toMatchObject([
        { operation: 'create' },
        { operation: 'reorder', changes: { idx: [1, 3], edited_by: [ann, bob] } },
      ]);
      expect(await eventsOf(stays)).toHaveLength(1);
      const operations = [
        { method: 'POST', path: '/api/expenses/claim-item/reorder', body: { items: [{ id: stays, idx: 9 }] } },
      ];
      const { body } = await byBob.library().ask('POST', 'batch', { operations });
      expect(body).toMatchObject({ results: [{ body: { data: [{ id: item }, { id: stays, edited_by: bob }] } }] });
    });

    test('a delete sets those of the records whose references it sets to null', async () => {
      const author = await subject.library.author();
      const { id: claim } = await claims.done('POST', 'claim', { title: 'A', author_id: author, checker_id: author });
      const item = await claims.item(claim, { receipt_of_id: author });
      await byBob.library().delete('author', author);
      const after = await claims.done('GET', `claim/${claim}`);
      expect(after).toMatchObject({ author_id: null, checker_id: null, opened_by: ann, edited_by: bob });
      expect(after['edited_at']).toBe(after['updated_at']);
      const cleared = await itemOf(claim, item);
      expect(cleared).toMatchObject({ receipt_of_id: null, edited_by: bob });
      expect(after['items_edited_at']).toBe(cleared['edited_at']);
      const [, , event, ...others] = await eventsOf(claim);
      expect(others).toEqual([]);
      const changes = { author_id: [author, null], checker_id: [author, null], edited_by: [ann, bob] };
      expect(event).toMatchObject({ operation: 'update', changes });
    });

    test('an undo is a change, and reverses what others have not changed since', async () => {
      const { claim, item } = await claims.claim();
      await claims.done('PATCH', `claim/${claim}`, { title: 'B' });
      await claims.done('PATCH', `claim/${claim}`, { notes: 'Later' });
      const titled = (await eventsOf(claim)).find(
        ({ operation, changes }) => operation === 'update' && changes['title'],
      );
      const undo = (number: number | undefined) => byBob.library().ask('POST', `events/${number}/undo`);
      const { status, body: undone, text } = await undo(titled?.number);
      expect(status, text).toBe(200);
      expect(undone).toMatchObject({ title: 'Travel', notes: 'Later', opened_by: ann, edited_by: bob });
      await claims.done('DELETE', `claim/${claim}`);
      const gone = (await eventsOf(claim)).at(-1);
      const { body: restored } = await undo(gone?.number);
      expect(restored).toMatchObject({ id: claim, opened_by: ann, edited_by: bob });
      expect((restored as Body)['edited_at']).not.toBe((undone as Body)['edited_at']);
      expect(await itemOf(claim, item)).toMatchObject({ edited_by: bob });
    });

    test('of many racing changes the last one has signed the record', async () => {
      const { id } = await claims.done('POST', 'claim', { title: 'A' });
      const change = (n: number) => (n % 2 ? claims : byBob).done('PATCH', `claim/${id}`, { title: `${n}` });
      await Promise.all(Array.from({ length: 20 }, (_, n) => change(n)));
      const { title, edited_by: editor } = await claims.done('GET', `claim/${id}`);
      expect(editor).toBe(Number(title) % 2 ? ann : bob);
      const [, ...events] = await eventsOf(id);
      const signed = [ann, ...events.map(({ changes }) => (Number((changes['title'] as string[])[1]) % 2 ? ann : bob))];
      const shown = events.map(({ changes }) => changes['edited_by'] ?? null);
      expect(shown).toEqual(signed.slice(1).map((now, at) => (now === signed[at] ? null : [signed[at], now])));
    });
  },
  { API_KEYS: `${testKey},${otherKey}` },
);
