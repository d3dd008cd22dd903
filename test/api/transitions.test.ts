import { describe, expect, test } from 'vitest';

import { expectProblem } from '../support/problem.ts';
import { create, list, retrieve, storedIn, update } from '../support/records.ts';
import { minimalBody } from '../support/samples.ts';
import { records } from './interface.ts';
import { sharedServer } from './server.ts';

const server = sharedServer();

const moved = records.filter(({ operations }) => operations.includes('submit'));
const unmoved = records.filter(({ operations }) => !operations.includes('submit'));

const transitions = [
  { operation: 'submit', from: 'draft', to: 'submitted' },
  { operation: 'cancel', from: 'submitted', to: 'cancelled' },
] as const;

const states = ['draft', 'submitted', 'cancelled', 'anything', 'Draft', ' submitted', '', null] as const;

test('four types move their status', () => {
  expect(moved.map(({ name }) => name)).toEqual([
    'signing_document',
    'invoice_discounting',
    'repost_payment_ledger',
    'bank_guarantee',
  ]);
});

describe.each(moved)('$name', (resource) => {
  const { name, path } = resource;

  describe.each(transitions)('$operation', ({ operation, from, to }) => {
    test.each(states)('from status %s', async (status) => {
      const before = await create(server, path, { ...minimalBody(resource), status });
      const answer = await server.request('POST', `${path}/${before.id}/${operation}`);
      if (status === from) {
        const after = storedIn(answer);
        expect(after).toEqual({ ...before, status: to, updated_at: after['updated_at'] });
        expect(after['updated_at']! >= before['updated_at']!).toBe(true);
        expect(Object.keys(after)).toEqual(Object.keys(before));
        expect(await retrieve(server, path, before.id)).toEqual(after);
      } else {
        expectProblem(answer, 409, 'wrong_state');
        expect(await retrieve(server, path, before.id)).toEqual(before);
      }
    });

    test('an unknown id is not found', async () => {
      expectProblem(await server.request('POST', `${path}/${name}_0/${operation}`), 404, 'not_found');
    });
  });

  test('a new record goes from draft to submitted to cancelled, and no further', async () => {
    const { id, status } = await create(server, path, minimalBody(resource));
    expect(status).toBe('draft');
    const post = (operation: string) => server.request('POST', `${path}/${id}/${operation}`);
    expect(storedIn(await post('submit'))['status']).toBe('submitted');
    expect(storedIn(await post('cancel'))['status']).toBe('cancelled');
    expectProblem(await post('submit'), 409, 'wrong_state');
    expectProblem(await post('cancel'), 409, 'wrong_state');
  });

  test('an update sets any status, and the operations go by it', async () => {
    const { id } = await create(server, path, minimalBody(resource));
    for (const status of ['cancelled', 'anything', null, 'submitted']) {
      expect((await update(server, path, id, { status }))['status']).toBe(status);
    }
    expect(storedIn(await server.request('POST', `${path}/${id}/cancel`))['status']).toBe('cancelled');
    await update(server, path, id, { status: 'draft' });
    expect(storedIn(await server.request('POST', `${path}/${id}/submit`))['status']).toBe('submitted');
  });

  test('a submitted or cancelled record is still updated and deleted', async () => {
    for (const status of ['submitted', 'cancelled']) {
      const { id } = await create(server, path, { ...minimalBody(resource), status });
      const next = minimalBody(resource);
      expect(await update(server, path, id, next)).toMatchObject({ ...next, status });
      storedIn(await server.request('DELETE', `${path}/${id}`));
      expectProblem(await server.request('POST', `${path}/${id}/cancel`), 404, 'not_found');
    }
  });
});

describe.each(unmoved)('$name', (resource) => {
  const { path } = resource;

  test('has no submit and no cancel', async () => {
    const record = await create(server, path, minimalBody(resource));
    for (const operation of ['submit', 'cancel']) {
      expectProblem(await server.request('POST', `${path}/${record.id}/${operation}`), 404, 'not_found');
    }
    expect((await list(server, path, { limit: 1 })).data).toEqual([record]);
  });
});
