import { expect, test } from 'vitest';

import { onEachEngine } from '../references/library.ts';
import { Claims } from './claims.ts';

onEachEngine('transitions that require and set fields', (subject) => {
  const claims = new Claims(() => subject.library);

  test('it sets its time and its actor, as its event has them, also in a batch', async () => {
    const { library } = subject;
    const { claim } = await claims.claim();
    const moved = await claims.done('POST', `claim/${claim}/submit`);
    const page = await library.ask('GET', `events?record=${claim}&operation=submit`);
    const [event] = (page.body as { data: readonly { actor: string; changes: Record<string, unknown[]> }[] }).data;
    expect(moved).toMatchObject({ submitted_by: event?.actor, submitted_at: moved['updated_at'] });
    expect(event?.changes).toMatchObject({
      submitted_at: [null, moved['submitted_at']],
      status: ['draft', 'submitted'],
    });
    const { claim: other } = await claims.claim();
    const operations = [{ method: 'POST', path: `/api/expenses/claim/${other}/submit` }];
    const { body } = await library.ask('POST', 'batch', { operations });
    expect(body).toMatchObject({ results: [{ body: { submitted_by: event?.actor } }] });
  });

  test('fields that it requires must have values; its state comes first', async () => {
    const { library } = subject;
    const { claim } = await claims.claim();
    expect(await claims.outcome('POST', `claim/${claim}/approve`)).toBe('wrong_state');
    await claims.done('POST', `claim/${claim}/submit`);
    const before = await claims.state(claim);
    expect(await library.refused('POST', `expenses/claim/${claim}/approve`)).toMatchObject({
      status: 422,
      code: 'invalid_body',
      errors: [
        { pointer: '/cost_center', code: 'null_not_allowed', message: 'must have a value to approve' },
        { pointer: '/checker_id' },
      ],
    });
    expect(await claims.state(claim)).toEqual(before);
    await claims.done('PATCH', `claim/${claim}`, { cost_center: 'A', checker_id: await library.author() });
    // The day in the time zone of the service.
    const { approved_on } = await claims.done('POST', `claim/${claim}/approve`);
    const zone = Temporal.Now.zonedDateTimeISO('Pacific/Kiritimati').toPlainDate();
    expect([zone.toString(), zone.subtract({ days: 1 }).toString()]).toContain(approved_on);
  });
});
