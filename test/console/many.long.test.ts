import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { expectCount, pagesOf } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { fill } from './list-page.ts';
import { button, cell, choose, control, create, expectToast, openPlace, read, refusals } from './record-page.ts';

const server = sharedServer();
const { pageTest } = pagesOf(server, {}, refusals);

const leads = '/api/crm/lead';

/** Stores leads of a company, and opens their list. */
async function openLeads(page: Page, company: string, count: number): Promise<void> {
  const bodies = Array.from({ length: count }, (_, n) => ({ lead_name: `Lead ${n}`, company_name: company }));
  await fill(server, leads, bodies);
  await openPlace(page, `crm/lead?q=${company}`, { waitFor: '.pager' });
}

const check = (page: Page, row: number) => page.locator(`tbody tr[data-index="${row}"] input[type=checkbox]`);

/** How many leads of a company have a status. */
async function countOf(company: string, status: string): Promise<number> {
  const { body } = await server.request('GET', `${leads}?q=${company}&status=${encodeURIComponent(status)}&limit=1`);
  return (body as { total: number }).total;
}

pageTest('the status of 20 records takes at most 6 actions and 3 seconds, and is undone', async (page) => {
  await openLeads(page, 'twenty', 24);
  const start = performance.now();
  const actions = [
    () => check(page, 0).click(),
    () => check(page, 19).click({ modifiers: ['Shift'] }),
    () => button(page, 'Set field').click(),
    () => page.keyboard.type('Contacted'),
    () => page.keyboard.press('Enter'),
  ];
  for (const act of actions) await act();
  await page.getByRole('heading', { name: '20 records changed' }).waitFor();
  expect(performance.now() - start).toBeLessThan(3_000);
  expect(actions.length).toBeLessThanOrEqual(6);
  expect(await countOf('twenty', 'Contacted')).toBe(20);
  await expectAccessible(page);
  await button(page, 'Undo').click();
  await page.getByRole('heading', { name: '20 changes undone' }).waitFor();
  expect(await countOf('twenty', 'Lead')).toBe(24);
  await button(page, 'Close').click();
  await expectCount(page.locator('.selection-bar'), 0);
});

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
