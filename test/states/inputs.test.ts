import { expect, test } from 'vitest';

import { type Body, onEachEngine } from '../references/library.ts';
import { Claims, outcomeOf } from './claims.ts';

onEachEngine('transitions that take an input', (subject) => {
  const claims = new Claims(() => subject.library);
  const inputsOf = ({ comment, reason, reviewer_id, due_on }: Body) => [comment, reason, reviewer_id, due_on];

  test('it sets fields, those that are not sent to their defaults or null, and its event shows them', async () => {
    const { library } = subject;
    const { claim } = await claims.claim();
    expect(inputsOf(await claims.done('POST', `claim/${claim}/submit`, { comment: 'First' }))[0]).toBe('First');
    const reviewer = await library.author();
    const rejected = await claims.done('POST', `claim/${claim}/reject`, { reason: 'No receipt', reviewer });
    const zone = Temporal.Now.zonedDateTimeISO('Pacific/Kiritimati').toPlainDate();
    const days = [zone.toString(), zone.subtract({ days: 1 }).toString()];
    expect(inputsOf(rejected).slice(0, 3)).toEqual(['First', 'No receipt', reviewer]);
    expect(days).toContain(rejected['due_on']);
    const page = await library.ask('GET', `events?record=${claim}&operation=reject`);
    const [event] = (page.body as { data: readonly { changes: Body }[] }).data;
    expect(event?.changes).toMatchObject({ reason: [null, 'No receipt'], reviewer_id: [null, reviewer] });
    // No body is one without a comment, and a comment of before is not one of now.
    expect(await claims.done('POST', `claim/${claim}/submit`)).toMatchObject({ comment: null, reviewer_id: reviewer });
    const again = { reason: 'Again', due_on: null, reviewer: null };
    expect(inputsOf(await claims.done('POST', `claim/${claim}/reject`, again)).slice(1)).toEqual(['Again', null, null]);
  });

  test('a wrong one is refused as a body is, by itself and in a batch, and does nothing', async () => {
    const { library } = subject;
    const { claim } = await claims.submitted();
    const before = await claims.state(claim);
    const path = `/api/expenses/claim/${claim}/reject`;
    const unknown = 'author_01M7Y4YG13000B0XK630YDQN92';
    const cases: readonly (readonly [Body, string, ...(readonly string[])[]])[] = [
      [{}, 'invalid_body', ['/reason', 'missing']],
      [{ reason: 'x' }, 'invalid_body', ['/reason', 'too_short']],
      [{ reason: null, due_on: '3' }, 'invalid_body', ['/reason', 'null_not_allowed'], ['/due_on', 'invalid_date']],
      [{ reason: 'Too much', status: 'approved' }, 'invalid_body', ['/status', 'unknown_field']],
      [{ reason: 'Too much', reviewer: unknown }, 'reference_missing', ['/reviewer', 'reference_missing']],
    ];
    for (const [body, code, ...errors] of cases) {
      const shown = (at: string) => errors.map(([pointer, error]) => ({ pointer: at + pointer, code: error }));
      expect(await library.refused('POST', path.slice(5), body)).toMatchObject({ code, errors: shown('') });
      const operations = [{ method: 'POST', path, body }];
      const at = shown('/operations/0/body');
      expect(await library.refused('POST', 'batch', { operations })).toMatchObject({ code, operation: 0, errors: at });
    }
    expect(await library.refused('POST', path.slice(5))).toMatchObject({
      code: 'invalid_body',
      errors: [{ pointer: '/reason', code: 'missing' }],
    });
    expect(await claims.state(claim)).toEqual(before);
    // The input comes before the state, as any body does.
    const { claim: draft } = await claims.claim();
    expect(await claims.outcome('POST', `claim/${draft}/reject`, {})).toBe('invalid_body');
    expect(await claims.outcome('POST', `claim/${draft}/reject`, { reason: 'Too much' })).toBe('wrong_state');
    const operations = [
      { method: 'POST', path: `/api/expenses/claim/${draft}/submit` },
      { method: 'POST', path: `/api/expenses/claim/${draft}/reject`, body: { reason: 'Too much' } },
    ];
    const { body } = await library.ask('POST', 'batch', { operations });
    expect(body).toMatchObject({ results: [{}, { body: { status: 'rejected', reason: 'Too much' } }] });
  });

  test('its rule sees the record with the input, and points at the input', async () => {
    const { library } = subject;
    const author = await library.author();
    const { claim } = await claims.submitted({ author_id: author });
    const before = await claims.state(claim);
    const path = `/api/expenses/claim/${claim}/reject`;
    const body = { reason: 'Too much', reviewer: author };
    const broken = { code: 'rule_violated', message: 'The author cannot review the claim.' };
    expect(await library.refused('POST', path.slice(5), body)).toMatchObject({
      status: 422,
      code: 'rule_violated',
      errors: [{ pointer: '/reviewer', ...broken }],
    });
    const operations = [{ method: 'POST', path, body }];
    expect(await library.refused('POST', 'batch', { operations })).toMatchObject({
      errors: [{ pointer: '/operations/0/body/reviewer', ...broken }],
    });
    await claims.done('PATCH', `claim/${claim}`, { cost_center: 'A', checker_id: author });
    const message = 'To approve, this must hold: checker_id != author_id';
    expect(await library.refused('POST', `expenses/claim/${claim}/approve`)).toMatchObject({ errors: [{ message }] });
    await claims.done('PATCH', `claim/${claim}`, { cost_center: null, checker_id: null });
    expect(await claims.state(claim)).toMatchObject({ items: (before as { items: unknown }).items });
    await claims.done('POST', `claim/${claim}/reject`, { ...body, reviewer: await library.author() });
  });

  test('a key repeats it only with the same input', async () => {
    const { server } = subject.library;
    const { claim } = await claims.submitted();
    const headers = { authorization: `Bearer ${subject.library.key}`, 'idempotency-key': `reject-${claim}` };
    const reject = (reason: string) =>
      server.request('POST', `/api/expenses/claim/${claim}/reject`, { reason }, headers);
    const first = await reject('No receipt');
    const [same, other] = [await reject('No receipt'), await reject('Other')];
    expect([same.text, same.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
    expect(outcomeOf(other)).toBe('idempotency_key_reused');
  });
});
