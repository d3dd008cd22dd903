import { beforeAll, expect, test } from 'vitest';

import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { expectProblem } from '../support/problem.ts';
import { actorOf, testKey } from '../support/server.ts';
import { codeOf, type Event, onEachTrail } from './trail.ts';

onEachTrail('GET /api/events', (trail) => {
  const { ask, done } = trail;
  let lead = '';

  beforeAll(async () => {
    ({ id: lead } = await done('POST', 'crm/lead', { lead_name: 'a' }));
    await done('PATCH', `crm/lead/${lead}`, { lead_name: 'b' });
    await done('POST', 'crm/competitor', { competitor_name: 'x' });
    await done('DELETE', `crm/lead/${lead}`);
  });

  const numbers = (events: readonly Event[]): number[] => events.map(({ number }) => number);

  test.each([
    ['', [1, 2, 3, 4]],
    ['&resource=crm/lead', [1, 2, 4]],
    ['&resource=crm%2Flead&operation=update', [2]],
    ['&operation=delete', [4]],
    [`&actor=${actorOf(testKey).replace(' ', '+')}`, [1, 2, 3, 4]],
    ['&actor=nobody', []],
    ['&record=none', []],
    ['&record=', []],
    ['&record=%00', []],
    ['&resource=%00', []],
    ['&actor=a%00b', []],
    ['&operation=%27%3B+drop+table', []],
    [`&record=${'x'.repeat(5_000)}`, []],
  ])('%s', async (query, expected) => {
    for (const limit of [1, 2, 1000]) expect(numbers(await trail.events(query, 0, limit))).toEqual(expected);
  });

  test('shows what was done, by whom, and the request', async () => {
    const answer = await ask('PATCH', `crm/competitor/${(await trail.events('&resource=crm/competitor'))[0]?.record}`, {
      website: 'https://example.com',
    });
    const { updated_at: updated } = answer.body as Record<string, string>;
    const { changes, ...event } = await trail.last();
    expect(event).toEqual({
      number: 5,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor: actorOf(testKey),
      request_id: answer.headers.get('x-request-id'),
      operation: 'update',
      resource: 'crm/competitor',
      record: (answer.body as { id: string }).id,
      version: 2,
    });
    expect(changes['website']).toEqual([null, 'https://example.com']);
    expect(changes['updated_at']?.[1] ?? updated).toBe(updated);
    await done('PATCH', `crm/competitor/${event.record}`, { website: 'https://example.com' });
    expect((await trail.last()).number).toBe(5);
  });

  test.each([
    'limit=0',
    'limit=1001',
    'limit=-1',
    'limit=1.0',
    'limit=',
    'limit=1e2',
    'after=-1',
    'after=x',
    'after=',
    'after=9007199254740992',
    'sort=time',
    'sort=',
    'sort=number,-number',
    'limit=1&limit=1',
    'resource=a&resource=b',
    'record=%ff',
    'record=%ED%A0%80',
    'offset=1',
    'q=x',
    'fields=id',
    'resource[ne]=crm/lead',
    'Limit=1',
    'number=1',
    'until=1',
    'time=x',
    'requestId=x',
  ])('?%s is refused, and the parameter is named', async (query) => {
    const { detail } = expectProblem(await ask('GET', `events?${query}`), 400, 'invalid_query');
    expect(detail).toContain(query.split('=', 1)[0]);
  });

  test.each([
    ['POST', 'events', 405],
    ['DELETE', 'events/1', 404],
    ['GET', 'events/1', 404],
    ['GET', 'events/', 404],
    ['GET', 'events/1/undo', 405],
    ['HEAD', 'events', 200],
  ])('%s %s is %i', async (method, path, status) => {
    expect((await ask(method, path)).status).toBe(status);
  });

  test('shows a key the events of what it may read, of its organization', async () => {
    const all = await trail.events();
    const seen = async (organization: string, ...scopes: string[]): Promise<number[] | string> => {
      const answer = await ask('GET', 'events?limit=1000', undefined, await trail.key(organization, ...scopes));
      return answer.status === 200 ? numbers((answer.body as { data: Event[] }).data) : codeOf(answer);
    };
    const of = (wanted: (event: Event) => boolean): number[] => numbers(all.filter(wanted));
    const isLead = ({ resource }: Event): boolean => resource === 'crm/lead';
    for (const scope of ['crm', 'crm:read', 'crm/lead', 'crm/lead:read', '*:write', 'events:write']) {
      if (scope !== 'events:write') expect(await seen('main', scope), scope).toBe('insufficient_scope');
    }
    expect(await seen('main', 'events:read')).toEqual([]);
    expect(await seen('main', 'events', 'crm/lead:write')).toEqual([]);
    expect(await seen('main', 'events', 'crm/lead:read')).toEqual(of(isLead));
    expect(await seen('main', 'events:read', 'crm')).toEqual(numbers(all));
    expect(await seen('main', '*:read')).toEqual(numbers(all));

    const env = { DATABASE_URL: trail.database.url };
    expect((await runInProcess(service, env, 'organizations', 'create', 'other')).code).toBe(0);
    expect(await seen('other', '*')).toEqual([]);
    const key = await trail.key('other', '*');
    const { id } = await done('POST', 'crm/lead', { lead_name: 'other' }, key);
    const { data } = (await ask('GET', 'events', undefined, key)).body as { data: Event[] };
    expect(data.map(({ number, record }) => [number, record])).toEqual([[1, id]]);
    expect(await trail.events()).toEqual(all);
    // Its number is that of an event of the first one, too.
    expect(codeOf(await ask('POST', 'events/2/undo', undefined, key))).toBe('not_found');
    expect(codeOf(await ask('POST', 'events/1/undo', undefined, key))).toBe('done');
  });

  test('finds the few that a filter is about among many', async () => {
    const { number: first } = await trail.last();
    const rare = [9_999, 25_000].map((n) => first + n);
    // No reader waits until all of them are searched at once.
    await trail.database.execute(
      `insert into _event (_organization, number, time, operation, resource, record, version, changes) ` +
        `with recursive n(n) as (select ${first + 1} union all select n + 1 from n where n < ${first + 25_001}) ` +
        `select 1, n, '', case when n in (${rare.join()}) then 'rare' else 'common' end, 'crm/lead', 'x', n, '{}' from n`,
    );
    for (const limit of [1, 2]) expect(numbers(await trail.events('&operation=rare', 0, limit))).toEqual(rare);
    expect((await trail.last('&operation=rare')).number).toBe(rare[1]);
    expect(await trail.events('&operation=rarer')).toEqual([]);
    expect(await trail.events('&operation=rare', rare[1])).toEqual([]);
  });
});
