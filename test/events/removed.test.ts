import { beforeAll, expect, test } from 'vitest';

import { administer } from '../organizations/administer.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { expectProblem } from '../support/problem.ts';
import { testKey } from '../support/server.ts';
import { onEachTrail } from './trail.ts';

const stream = { accept: 'text/event-stream' };

onEachTrail('events behind a number that were removed', (trail) => {
  const { ask, done } = trail;
  beforeAll(async () => {
    for (let n = 1; n <= 8; n++) await done('POST', 'crm/lead', { lead_name: String(n) });
    await trail.events();
    // As EVENTS_KEEP does when they are old enough.
    await administer(trail.database, (connection) => connection.query('delete from "_event" where "number" <= 5'));
  });

  test.each([
    ['after=1', {}],
    ['after=4', {}],
    ['after=4&limit=1', {}],
    ['after=3&resource=crm/lead', {}],
    ['after=3&resource=crm/competitor', {}],
    ['after=3&record=none', {}],
    ['after=3', stream],
    ['', { ...stream, 'last-event-id': '4' }],
    ['after=7', { ...stream, 'last-event-id': '4' }],
  ])('are a 410 with the first number that is there: %s %o', async (query, headers) => {
    const problem = expectProblem(await ask('GET', `events?${query}`, undefined, headers), 410, 'events_removed');
    expect(problem).toMatchObject({ first_number: 6, detail: expect.stringContaining('the first that is there is 6') });
  });

  test.each([
    ['', [6, 7, 8]],
    ['after=0', [6, 7, 8]],
    ['after=5', [6, 7, 8]],
    ['after=6', [7, 8]],
    ['after=8', []],
    ['after=1000', []],
    ['after=2&sort=-number', []],
    ['after=7&sort=-number', [6]],
    ['sort=-number', [8, 7, 6]],
  ])('are no matter to ?%s', async (query, numbers) => {
    const answer = await ask('GET', `events?${query}`);
    expect([answer.status, (answer.body as { data: { number: number }[] }).data.map(({ number }) => number)]).toEqual([
      200,
      numbers,
    ]);
  });

  test('are named by the command', async () => {
    const run = (...args: string[]) =>
      runInProcess(service, { API_KEY: testKey, API_KEYS: testKey }, 'events', '--url', trail.servers[0]!.url, ...args);
    expect(await run('--after', '2')).toMatchObject({ code: 1, stderr: expect.stringContaining('is there is 6') });
    const { code, stdout } = await run('--after', '5', '--json');
    expect([code, stdout.trim().split('\n').length]).toEqual([0, 3]);
  });
});
