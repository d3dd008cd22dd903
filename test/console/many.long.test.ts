import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

import { expectCount, expectNoSideScroll, pagesOf, phone } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { fill } from './list-page.ts';
import {
  button,
  cell,
  choose,
  control,
  create,
  expectToast,
  holdAnswers,
  keyWith,
  openPlace,
  read,
  refusals,
} from './record-page.ts';

const server = sharedServer();
const { open, pageTest } = pagesOf(server, {}, refusals);

const leads = '/api/crm/lead';

/** Stores leads of a company, and opens their list. */
async function openLeads(page: Page, company: string, count: number): Promise<void> {
  const bodies = Array.from({ length: count }, (_, n) => ({ lead_name: `Lead ${n}`, company_name: company }));
  await fill(server, leads, bodies);
  await openPlace(page, `crm/lead?q=${company}`, { waitFor: '.pager' });
}

const check = (page: Page, row: number): Locator => page.locator(`tbody tr[data-index="${row}"] input[type=checkbox]`);

/** How many leads of a company have a status. */
async function countOf(company: string, status: string): Promise<number> {
  const { body } = await server.request('GET', `${leads}?q=${company}&status=${encodeURIComponent(status)}&limit=1`);
  return (body as { total: number }).total;
}

pageTest('the status of 20 records takes at most 6 actions and 3 seconds, and is undone', async (page) => {
  await openLeads(page, 'twenty', 24);
  const actions = [
    () => check(page, 0).click(),
    () => check(page, 19).click({ modifiers: ['Shift'] }),
    () => button(page, 'Set field').click(),
    () => page.keyboard.type('Contacted'),
    () => page.keyboard.press('Enter'),
  ];
  expect(actions.length).toBeLessThanOrEqual(6);
  let fastest = Infinity;
  // A busy machine has three attempts.
  for (let attempt = 1; attempt === 1 || (attempt <= 3 && fastest > 3_000); attempt += 1) {
    const start = performance.now();
    for (const act of actions) await act();
    await page.getByRole('heading', { name: '20 records changed' }).waitFor();
    fastest = Math.min(fastest, performance.now() - start);
    expect(await countOf('twenty', 'Contacted')).toBe(20);
    if (attempt === 1) await expectAccessible(page);
    await button(page, 'Undo').click();
    await page.getByRole('heading', { name: '20 changes undone' }).waitFor();
    expect(await countOf('twenty', 'Lead')).toBe(24);
    await button(page, 'Close').click();
    await expectCount(page.locator('.selection-bar'), 0);
    // The button that had opened the dialog is gone.
    await expectCount(page.locator('h1:focus'), 1);
  }
  expect(fastest).toBeLessThan(3_000);
});

pageTest(
  'records that are refused, or were changed by others, are listed with a link, and stay selected',
  async (page) => {
    const claims = '/api/expenses/claim';
    const ids: string[] = [];
    for (const title of ['One', 'Locked', 'Stale', 'Four']) ids.push(await create(server, claims, { title }));
    const [one, locked, stale, four] = ids as [string, string, string, string];
    await server.request('POST', `${claims}/${locked}/submit`, {});
    await openPlace(page, 'expenses/claim?limit=20', { waitFor: '.pager' });
    await page.getByText('Four').waitFor();
    await server.request('PATCH', `${claims}/${stale}`, { notes: 'Meanwhile' });
    await check(page, 0).click();
    await check(page, 3).click({ modifiers: ['Shift'] });
    await button(page, 'Set field').click();
    await page.getByLabel('Field', { exact: true }).selectOption('title');
    await page.getByRole('dialog').getByLabel('Title').fill('Same');
    await button(page, 'Set title').click();
    await page.getByRole('heading', { name: '2 records changed' }).waitFor();
    await page.getByText('Not changed: 2 records.').waitFor();
    const listed = page.locator('.problems li');
    await listed.filter({ hasText: 'The claim is locked: its status is "submitted".' }).waitFor();
    await listed.filter({ hasText: 'Stale Another user has changed it since it was shown here.' }).waitFor();
    await expectAccessible(page);
    await server.request('PATCH', `${claims}/${four}`, { title: 'Other' });
    await button(page, 'Undo').click();
    await page.getByRole('heading', { name: '1 change undone' }).waitFor();
    await page.getByText('Not undone: 1 change.').waitFor();
    await listed.getByRole('link', { name: 'Other' }).waitFor();
    expect(await read(server, `${claims}/${one}`)).toMatchObject({ title: 'One' });
    expect(await read(server, `${claims}/${four}`)).toMatchObject({ title: 'Other' });
    await button(page, 'Close').click();
    await page.getByText('2 selected').waitFor();
    // The list shows what others have changed: now it can be changed again.
    await check(page, 2).click();
    await button(page, 'Submit').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click();
    await page.getByRole('heading', { name: '1 record changed' }).waitFor();
    expect(await read(server, `${claims}/${stale}`)).toMatchObject({ status: 'submitted', notes: 'Meanwhile' });
  },
);

pageTest('all records of a filter are deleted with the keyboard alone, and restored', async (page) => {
  await openPlace(page, 'register/member?company=Bulk', { waitFor: '.pager' });
  const bodies = Array.from({ length: 30 }, (_, n) => ({ name: `Member ${n}`, company: 'Bulk', code: n }));
  await fill(server, '/api/register/member', bodies);
  const { body } = await server.request('GET', '/api/register/member?company=Bulk&limit=1');
  const [{ id }] = (body as { data: [{ id: string }] }).data;
  await create(server, '/api/register/seat', { member_id: id, event: 'Fair' });
  // A cascade of references: those that name the members are set free, and name them again.
  await fill(server, '/api/register/member', [{ name: 'Friend', referrer_id: id }]);
  await openPlace(page, 'register/member?company=Bulk&limit=20', { waitFor: '.pager' });
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+J');
  await page.getByText('3 selected').waitFor();
  await page.keyboard.press('Shift+ArrowUp');
  await page.getByText('2 selected').waitFor();
  await page.keyboard.press('Escape');
  await expectCount(page.locator('.selection-bar'), 0);
  await page.keyboard.press('Control+a');
  await page.getByText('20 selected').waitFor();
  await page.keyboard.press('Control+a');
  await page.getByText('30 selected').waitFor();
  await page.keyboard.press('.');
  while ((await page.evaluate('document.activeElement.textContent.trim()')) !== 'Delete')
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Delete 30 records' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '30 records deleted' }).waitFor();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '31 changes undone' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.pager .count', { hasText: '1–20 of 30' }).waitFor();
  const seats = await server.request('GET', `/api/register/seat?parent_id=${id}`);
  expect((seats.body as { total: number }).total).toBe(1);
  const friends = await server.request('GET', `/api/register/member?q=Friend`);
  expect((friends.body as { data: object[] }).data).toMatchObject([{ referrer_id: id }]);
});

pageTest('a run stops behind the batch that is under way', async (page) => {
  await openLeads(page, 'stopped', 120);
  await page.getByLabel('Select the records on this page').click();
  await button(page, 'Select all 120').click();
  await button(page, 'Set field').click();
  const held = await holdAnswers(page, '**/api/batch');
  await page.keyboard.type('Contacted');
  await page.keyboard.press('Enter');
  await held.asked;
  await page.keyboard.press('Escape');
  await held.release();
  await page.getByRole('heading', { name: '100 records changed' }).waitFor();
  expect(await countOf('stopped', 'Contacted')).toBe(100);
});

pageTest('a phone has cards with check boxes, and a key that only reads may only export', async (page, context) => {
  await page.setViewportSize(phone);
  await openLeads(page, 'phone', 3);
  const boxes = page.getByRole('listitem').getByRole('checkbox');
  await boxes.nth(0).click();
  await boxes.nth(2).click();
  await page.getByText('2 selected').waitFor();
  await expectAccessible(page);
  await expectNoSideScroll(page);
  await using watched = await open(context);
  const reader = watched.page;
  await openPlace(reader, 'crm/lead?q=phone', { key: await keyWith(server, 'crm/lead:read'), waitFor: '.pager' });
  await check(reader, 0).click();
  await check(reader, 2).click();
  const labels = reader.locator('.selection-bar .button:not(.quiet)');
  await expect.poll(() => labels.allInnerTexts()).toEqual(['Export']);
  await button(reader, 'Export').last().click();
  const [download] = await Promise.all([
    reader.waitForEvent('download'),
    reader.getByRole('dialog').getByRole('button', { name: 'Export' }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines.map((line) => /Lead \d/.exec(line)?.[0])).toEqual([undefined, 'Lead 2', 'Lead 0']);
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
