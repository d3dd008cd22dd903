import { expect, test } from 'vitest';

import { onEachEngine } from '../references/library.ts';
import { Claims, outcomeOf } from './claims.ts';

interface Event {
  readonly number: number;
  readonly operation: string;
  readonly version: number;
  readonly changes: Readonly<Record<string, readonly unknown[]>>;
}

onEachEngine('transitions that keep the state', (subject) => {
  const claims = new Claims(() => subject.library);
  const until = { until: '2030-01-31' };

  /** The events of a claim, the newest first. */
  const events = async (claim: string): Promise<readonly Event[]> =>
    ((await subject.library.ask('GET', `events?record=${claim}&sort=-number`)).body as { data: Event[] }).data;

  const undo = async ({ number }: Event) => {
    const headers = { authorization: `Bearer ${subject.library.key}` };
    return outcomeOf(await subject.library.server.request('POST', `/api/events/${number}/undo`, undefined, headers));
  };

  test('it sets fields of a locked record and keeps its state: words, an input, a literal and null', async () => {
    const reviewer = await subject.library.author();
    const { claim } = await claims.submitted();
    await claims.done('POST', `claim/${claim}/reject`, { reason: 'No receipt', reviewer });
    expect(await claims.outcome('POST', `claim/${claim}/remind`, until)).toBe('wrong_state');
    await claims.done('POST', `claim/${claim}/submit`);
    const reminded = await claims.done('POST', `claim/${claim}/remind`, until);
    expect(reminded).toMatchObject({ status: 'submitted', due_on: until.until, reviewer_id: null, comment: 'now' });
    const [event] = await events(claim);
    const { updated_at: _, edited_at: __, due_on: due, ...changes } = event!.changes;
    expect(event).toMatchObject({ operation: 'remind', version: 6 });
    expect(due?.[1]).toBe(until.until);
    expect(changes).toEqual({ reviewer_id: [reviewer, null], comment: [null, 'now'] });
    // No input is null.
    expect(await claims.done('POST', `claim/${claim}/remind`)).toMatchObject({ due_on: null });
  });

  test('it is a new version and an event also if no value changes, by itself and in a batch', async () => {
    const { claim } = await claims.submitted();
    const path = `/api/expenses/claim/${claim}/remind`;
    const headers = { authorization: `Bearer ${subject.library.key}` };
    const remind = async (more: Readonly<Record<string, string>> = {}) => {
      const response = await subject.library.server.request('POST', path, until, { ...headers, ...more });
      return [outcomeOf(response), response.headers.get('etag')];
    };
    expect(await remind()).toEqual([200, '"4"']);
    expect(await remind({ 'if-match': '"4"' })).toEqual([200, '"5"']);
    expect((await remind({ 'if-match': '"4"' }))[0]).toBe('stale');
    const once = { 'idempotency-key': claim };
    expect([await remind(once), await remind(once)]).toEqual([
      [200, '"6"'],
      [200, '"6"'],
    ]);
    const operation = { method: 'POST', path, body: until };
    const operations = [operation, { ...operation, if_match: '"7"' }];
    const { body } = await subject.library.ask('POST', 'batch', { operations });
    expect(body).toMatchObject({ results: [{ etag: '"7"' }, { etag: '"8"' }] });
    const all = await events(claim);
    expect(all.slice(0, 6).map((event) => [event.operation, event.version])).toEqual([
      ...[8, 7, 6, 5, 4].map((version) => ['remind', version]),
      ['submit', 3],
    ]);
    for (const { changes } of all.slice(0, 4))
      expect(Object.keys(changes).filter((name) => !['updated_at', 'edited_at'].includes(name))).toEqual([]);
  });

  test('of those that race each is done', async () => {
    const { claim } = await claims.submitted();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => claims.ask('POST', `claim/${claim}/remind`, until)),
    );
    expect(answers.map(outcomeOf)).toEqual(Array.from({ length: 8 }, () => 200));
    expect(new Set((await events(claim)).map(({ version }) => version)).size).toBe(11);
  });

  test('its rule is checked, also if no value changes, and points at the input', async () => {
    const { claim } = await claims.submitted();
    await claims.done('POST', `claim/${claim}/reject`, { reason: 'No receipt', due_on: until.until });
    await claims.done('PATCH', `claim/${claim}`, { ends_on: until.until });
    await claims.done('POST', `claim/${claim}/submit`, { comment: 'now' });
    const before = await claims.state(claim);
    const errors = [{ pointer: '/until', code: 'rule_violated', message: 'It is due after the journey.' }];
    const refused = await subject.library.refused('POST', `expenses/claim/${claim}/remind`, until);
    expect(refused).toMatchObject({ status: 422, code: 'rule_violated', errors });
    expect(await claims.state(claim)).toEqual(before);
    expect(await claims.outcome('POST', `claim/${claim}/remind`, { until: '2030-02-01' })).toBe(200);
  });

  test('an undo takes it back in the states that it starts from, also if they lock the record', async () => {
    const { claim } = await claims.submitted();
    await claims.done('POST', `claim/${claim}/remind`, until);
    const [first] = await events(claim);
    expect(await undo(first!)).toBe(200);
    const before = { status: 'submitted', due_on: null, comment: null };
    expect(await claims.done('GET', `claim/${claim}`)).toMatchObject(before);
    await claims.done('POST', `claim/${claim}/remind`, until);
    const [second] = await events(claim);
    await claims.done('PATCH', `claim/${claim}`, { cost_center: 'A', checker_id: await subject.library.author() });
    await claims.done('POST', `claim/${claim}/approve`);
    expect(await undo(second!)).toBe(200);
    await claims.done('POST', `claim/${claim}/remind`, until);
    expect(await undo(second!)).toBe(200);
    const other = await claims.submitted();
    await claims.done('POST', `claim/${other.claim}/remind`, until);
    const [third] = await events(other.claim);
    await claims.done('POST', `claim/${other.claim}/reject`, { reason: 'No receipt', due_on: until.until });
    expect(await undo(third!)).toBe('changed_since');
  });

  test('what took one back that moves the state is undone by that transition, under its conditions', async () => {
    const author_id = await subject.library.author();
    const checker_id = await subject.library.author();
    const { claim } = await claims.submitted({ author_id, checker_id, cost_center: 'A' });
    const undoLast = async () => undo((await events(claim))[0]!);
    const last = async () => {
      const [event] = await events(claim);
      return [event?.operation, (await claims.done('GET', `claim/${claim}`))['status']];
    };
    const { approved_on } = await claims.done('POST', `claim/${claim}/approve`);
    expect([await undoLast(), ...(await last())]).toEqual([200, 'update', 'submitted']);
    const [takenBack] = await events(claim);
    for (const [body, code] of [
      [{ cost_center: null }, 'changed_since'],
      [{ cost_center: 'B', checker_id: author_id }, 'rule_violated'],
    ] as const) {
      await claims.done('PATCH', `claim/${claim}`, body);
      const before = await claims.state(claim);
      expect(await undo(takenBack!)).toBe(code);
      expect(await claims.state(claim)).toEqual(before);
    }
    await claims.done('PATCH', `claim/${claim}`, { checker_id });
    expect([await undo(takenBack!), ...(await last())]).toEqual([200, 'approve', 'approved']);
    expect(await claims.done('GET', `claim/${claim}`)).toMatchObject({ approved_on, cost_center: 'B' });
    expect(await undo(takenBack!)).toBe('changed_since');
    expect([await undoLast(), ...(await last())]).toEqual([200, 'update', 'submitted']);
  });
});
