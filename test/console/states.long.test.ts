import { expect } from 'vitest';

import { expectCount, expectValue, pagesOf } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import {
  button,
  cell,
  control,
  create,
  escapeDialog,
  expectNotPossible,
  expectToast,
  openMenu,
  openPlace,
  read,
  refusals,
} from './record-page.ts';

const server = sharedServer();
const { pageTest } = pagesOf(server, {}, refusals);

/** A claim with an item, and its path. */
async function claim(): Promise<string> {
  const id = await create(server, '/api/expenses/claim', { title: 'Travel' });
  await create(server, '/api/expenses/claim-item', { claim_id: id, amount: '1.00' });
  return `expenses/claim/${id}`;
}

pageTest('a locked record is text with its buttons, but for its open fields', async (page) => {
  const place = await claim();
  await openPlace(page, place);
  await cell(page, 'Amount', 1).fill('2.50');
  await button(page, 'Save and submit').click();
  await page.locator('dialog :focus').waitFor();
  await page.keyboard.type('First');
  await button(page, 'Submit claim').click();
  await expectToast(page, 'now “submitted”');
  await page.getByText('It is locked while its status is “submitted”.').waitFor();
  for (const name of ['Add a row', 'Delete row 1']) await expectCount(button(page, name), 0, name);
  expect(await (await openMenu(page)).allTextContents()).not.toContain('Delete');
  await page.keyboard.press('Escape');
  for (const locked of [control(page, 'title'), cell(page, 'Amount', 1)]) await expectCount(locked, 0);
  await page.getByRole('table').getByText('2.50').waitFor();
  await control(page, 'notes').fill('Checked.');
  await button(page, 'Save').click();
  await expectToast(page, 'Saved');
  expect(await read(server, `/api/${place}`)).toMatchObject({ title: 'Travel', notes: 'Checked.' });
  await expectAccessible(page);
  await button(page, 'Remind').click();
  await page.locator('dialog input').fill('2030-01-31');
  await expectCount(page.locator('dialog').getByText('becomes'), 0);
  await button(page, 'Remind claim').click();
  await expectToast(page, 'Remind: done.');
  expect(await read(server, `/api/${place}`)).toMatchObject({ status: 'submitted', due_on: '2030-01-31' });
  await button(page, 'Reject').click();
  await page.locator('dialog textarea').fill('No receipt');
  await button(page, 'Reject claim').click();
  await expectToast(page, 'now “rejected”');
  await control(page, 'title').fill('Less travel');
});

pageTest('the dot of a state tells whether records wait in it, are in work, done, or given up', async (page) => {
  const order = { company: 'Dots', ordered_on: '2026-01-01', currency: 'EUR', total: 1 };
  for (const status of ['draft', 'submitted', 'cancelled', 'lost'])
    await create(server, '/api/sales/order', { ...order, status });
  await openPlace(page, 'sales/order?company=Dots', { waitFor: '.pager' });
  const stages = (): Promise<object> =>
    page
      .locator('.state')
      .evaluateAll((dots) => Object.fromEntries(dots.map((dot) => [dot.textContent, dot.getAttribute('data-stage')])));
  await expect.poll(stages).toEqual({ draft: 'open', submitted: 'progress', cancelled: 'stopped', lost: 'stopped' });
  // A dot is told by its form, not only by its color.
  const dots = await page.evaluate<Record<string, string>>(
    "Object.fromEntries([...document.querySelectorAll('.state')].map((state) => [state.textContent, getComputedStyle(state, '::before').backgroundImage]))",
  );
  expect(dots['lost']).toBe(dots['cancelled']);
  expect(new Set(Object.values(dots)).size).toBe(3);
});

pageTest('a form asks for the input of a transition, and shows at its fields what is wrong with it', async (page) => {
  const author = await create(server, '/api/library/author', { name: 'Ann' });
  const id = await create(server, '/api/expenses/claim', { title: 'Travel', author_id: author });
  const place = `expenses/claim/${id}`;
  expect((await server.request('POST', `/api/${place}/submit`)).status).toBe(200);
  await openPlace(page, place);
  const dialog = page.locator('dialog');
  await expectNotPossible(page, 'Approve', 'Approve needs: cost center, checker.');
  await button(page, 'Reject').click();
  await dialog.waitFor();
  await expectAccessible(page);
  await escapeDialog(page);
  await button(page, 'Reject').press('Enter');
  await button(page, 'Reject claim').click();
  await dialog.getByText('Reason is required.').waitFor();
  await dialog.locator('textarea').fill('x');
  await dialog.getByRole('combobox', { name: 'Reviewer' }).fill('Ann');
  await dialog.getByRole('option').first().click();
  await button(page, 'Reject claim').click();
  // The server's, with what was entered.
  await dialog.getByText('Reason must be at least 2 characters long.').waitFor();
  await expectAccessible(page);
  await dialog.locator('textarea').fill('No receipt');
  await button(page, 'Reject claim').click();
  await dialog.getByText('The author cannot review the claim.').waitFor();
  await dialog.getByRole('combobox', { name: 'Reviewer' }).fill('');
  await button(page, 'Reject claim').click();
  await expectToast(page, 'now “rejected”');
  expect(await read(server, `/api/${place}`)).toMatchObject({ reason: 'No receipt', reviewer_id: null });
});

pageTest('what was typed before another user has locked the record stays, and is not saved', async (page) => {
  const place = await claim();
  await openPlace(page, place);
  await control(page, 'title').fill('Mine');
  await cell(page, 'Amount', 1).fill('9.00');
  const { status } = await server.request('POST', `/api/${place}/submit`);
  expect(status).toBe(200);
  await button(page, 'Save').click();
  await page.getByText('The record is locked now.').waitFor();
  await expectValue(control(page, 'title'), 'Mine');
  await expectValue(cell(page, 'Amount', 1), '9.00');
  expect(await read(server, `/api/${place}`)).toMatchObject({ title: 'Travel' });
  await expectAccessible(page);
});
