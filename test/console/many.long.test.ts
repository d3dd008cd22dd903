import { expect } from 'vitest';

import { pagesOf } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { button, cell, choose, control, create, expectToast, openPlace, read, refusals } from './record-page.ts';

const server = sharedServer();
const { pageTest } = pagesOf(server, {}, refusals);

pageTest('a record is duplicated with its line items, without what tells it apart', async (page) => {
  const claims = '/api/expenses/claim';
  const id = await create(server, claims, { title: 'Fair', notes: 'By train', advance: '1.50' });
  for (const amount of ['10.00', '5.50']) await create(server, '/api/expenses/claim-item', { amount, claim_id: id });
  expect((await server.request('POST', `${claims}/${id}/submit`, {})).status).toBe(200);
  await openPlace(page, `expenses/claim/${id}`);
  await choose(page, 'Duplicate');
  await page.waitForURL(/\/new\?copy=/);
  await expect.poll(() => cell(page, 'Amount', 2).inputValue()).toBe('5.50');
  await control(page, 'title').fill('Second fair');
  await button(page, 'Create').click();
  await expectToast(page, 'Claim created');
  await page.waitForURL(/claim_/);
  const copy = page.url().split('/').at(-1) as string;
  expect(await read(server, `${claims}/${copy}`)).toMatchObject({
    title: 'Second fair',
    notes: 'By train',
    advance: '1.50',
    status: 'draft',
    submitted_at: null,
    item_count: 2,
    total: '15.50',
  });

  const member = await create(server, '/api/register/member', { name: 'Ada', card_number: '1', company: 'Acme' });
  await openPlace(page, `register/member/new?copy=${member}`);
  await expect.poll(() => control(page, 'company').inputValue()).toBe('Acme');
  expect(await control(page, 'card_number').inputValue()).toBe('');
});
