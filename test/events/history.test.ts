import { expect, test } from 'vitest';

import { onEachTrail } from './trail.ts';

onEachTrail('events', (trail) => {
  const { ask, done } = trail;

  test('of a delete are those of the records that go or change with it', async () => {
    const author_id = (await done('POST', 'library/author', { name: 'Ann' })).id;
    const book = await done('POST', 'library/book', { title: 'x', author_id });
    const sequel = await done('POST', 'library/book', { title: 'y', author_id, sequel_id: book.id });
    const copy = await done('POST', 'library/book-copy', { book_id: book.id });
    const loan = await done('POST', 'library/loan', { book_id: sequel.id, borrower: 'Bob' });
    await done('PATCH', `library/author/${author_id}`, { favorite: sequel.id });
    const { number } = await trail.last();
    const answer = await ask('DELETE', `library/book/${book.id}`);
    const events = await trail.events('', number);
    const requestId = answer.headers.get('x-request-id');
    expect(new Set(events.map((event) => `${event.request_id} ${event.time}`)).size).toBe(1);
    expect(events[0]).toMatchObject({ record: book.id, request_id: requestId, changes: { title: ['x', null] } });
    const deleted = [book, sequel, copy, loan].map(({ id }) => `delete ${id} 2`);
    const all = events.map(({ operation, record, version }) => `${operation} ${record} ${version}`);
    expect(all.toSorted()).toEqual([...deleted, `update ${author_id} 3`].toSorted());
    expect(events.at(-1)?.changes['favorite']).toEqual([sequel.id, null]);
  });
});
