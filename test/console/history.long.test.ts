import { expect, test } from 'vitest';

import { expectCount, expectNoSideScroll, expectValue, pagesOf, phone } from '../support/browser.ts';
import { actorOf, sharedServer, testKey } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import {
  button,
  cell,
  choose,
  control,
  create,
  expectSaved,
  expectToast,
  keyWith,
  openPlace,
  read,
  refusals,
} from './record-page.ts';

const server = sharedServer();
const { open, pageTest } = pagesOf(server, { viewport: { width: 1280, height: 844 } }, refusals);

const order = { ordered_on: '2026-11-20', company: 'Acme', currency: 'EUR' };

/** An order with a line. */
async function createOrder(): Promise<{ readonly id: string; readonly line: string }> {
  const id = await create(server, '/api/sales/order', order);
  return { id, line: await create(server, '/api/sales/order-line', { order_id: id, article: 'Bolt' }) };
}

pageTest('shows what was changed in a record, and undoes it', async (page) => {
  const { id } = await createOrder();
  await openPlace(page, `sales/order/${id}`);
  await control(page, 'company').fill(`Sons ${'of Acme '.repeat(50)}`);
  await button(page, 'Save').click();
  await expectSaved(page);
  await page.getByText('History', { exact: true }).click();
  const events = page.locator('.events > ul > li');
  await expect
    .poll(() => events.allInnerTexts())
    .toEqual([
      expect.stringMatching(/^Changed\b[^]*\byou\b[^]*Company\s+Acme → Sons of Acme [^]*…$/),
      expect.stringMatching(/^Created\b[^]*Company\s+Acme\s/),
    ]);
  await server.request('PATCH', `/api/sales/order/${id}`, { company: 'Theirs' });
  await events.first().getByRole('button').click();
  await expectToast(page, 'has changed since');
  await server.request('PATCH', `/api/sales/order/${id}`, { company: 'Acme', total: 1 });
  await page.reload();
  await page.getByText('History', { exact: true }).click();
  await events.first().getByRole('button').click();
  await expect.poll(() => control(page, 'company').inputValue()).toBe('Theirs');
  await expect.poll(() => events.count()).toBe(5);
  expect(await read(server, `/api/sales/order/${id}`)).toMatchObject({ company: 'Theirs' });
});

pageTest('shows and undoes what was changed in a line item and in settings', async (page) => {
  const { id, line } = await createOrder();
  await server.request('PATCH', `/api/sales/order-line/${line}`, { article: 'Nut' });
  await openPlace(page, `sales/order/${id}`);
  await button(page, 'History of row 1').click();
  const events = page.locator('.items .events > ul > li');
  await events.filter({ hasText: 'Bolt → Nut' }).getByRole('button').click();
  await events.nth(2).waitFor();
  await expectValue(cell(page, 'Article', 1), 'Bolt');
  await openPlace(page, 'workshop/booking-settings');
  await page.getByText('History', { exact: true }).click();
  await page.locator('.events').waitFor();
});

pageTest('a record that was deleted is restored with its line items', async (page) => {
  const { id, line } = await createOrder();
  await openPlace(page, `sales/order/${id}`);
  await choose(page, 'Delete');
  await page.locator('dialog').getByRole('button', { name: 'Delete' }).click();
  await button(page, 'Undo').click();
  await page.waitForURL(new RegExp(`${id}$`));
  await cell(page, 'Article', 1).waitFor();
  expect(await read(server, `/api/sales/order-line?parent_id=${id}`)).toMatchObject({ data: [{ id: line }] });
});

pageTest('the activity leads to the records that are there, and restores others', async (page) => {
  const { id } = await createOrder();
  await server.request('DELETE', `/api/sales/order/${id}`);
  await openPlace(page, '', { waitFor: '.home' });
  await page.getByRole('link', { name: 'Activity' }).click();
  const events = page.locator('.events > ul > li');
  await page.getByRole('combobox', { name: 'Resource' }).selectOption('sales/order');
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('delete');
  await page.getByLabel('Actor').fill(actorOf(testKey));
  await page.getByLabel('Actor').press('Enter');
  await page.waitForURL(/resource=sales%2Forder&operation=delete&actor=API_KEYS\+[\da-f]{8}$/);
  // Events of before the filter are shown until its page is there.
  await expectCount(events.filter({ hasText: id }), 1);
  await events.filter({ hasText: id }).getByRole('button').click();
  await expectToast(page, 'Undone');
  await events.locator(`.record-link[href$="${id}"]`).first().click();
  await page.waitForURL(new RegExp(`${id}$`));
});

pageTest('axe finds nothing in the activity and in a history, and no side scroll', async (page) => {
  const { id } = await createOrder();
  for (const viewport of [{ width: 1280, height: 844 }, phone]) {
    await page.setViewportSize(viewport);
    await openPlace(page, 'activity', { waitFor: '.activity-filters' });
    await page.locator('.events li').first().waitFor();
    await expectAccessible(page);
    await expectNoSideScroll(page);
    await openPlace(page, `sales/order/${id}`);
    await page.getByText('History', { exact: true }).click();
    await button(page, 'History of row 1').click();
    await page.locator('.items .events li').waitFor();
    await expectAccessible(page);
    await expectNoSideScroll(page);
  }
});

test('a key that may not read events sees none of it', async (context) => {
  const { id } = await createOrder();
  await using watched = await open(context);
  const { page } = watched;
  await openPlace(page, `sales/order/${id}`, { key: await keyWith(server, 'sales') });
  await cell(page, 'Article', 1).waitFor();
  await expectCount(page.getByText(/History|Activity/), 0);
  await choose(page, 'Delete');
  await page.getByText('This cannot be undone.').waitFor();
  watched.expectNoFaults();
});
