import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';

import { pagesOf } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectShown, fill, firstCells, openList } from './list-page.ts';
import { button, holdAnswers } from './record-page.ts';

const server = sharedServer();
const { pageTest } = pagesOf(server, { viewport: { width: 1280, height: 800 } });

beforeAll(() =>
  fill(
    server,
    '/api/crm/lead',
    Array.from({ length: 90 }, (_, n) => ({ lead_name: `Lead ${n}`, status: n % 2 ? 'Lost' : 'Open' })),
  ),
);

/** The parts of a list that must not move when records come. */
const edges = (page: Page): Promise<readonly number[]> =>
  page.evaluate(
    "['.counts', '.frame', 'th:nth-child(3)', '.sums', ':is(.pager, .pager-place)'].map((one) => { const { left, top } = document.querySelector(one).getBoundingClientRect(); return Math.round(left + 10000 * Math.round(top)); })",
  );

const list = '**/api/crm/lead?*';

pageTest('nothing moves when a slow list comes, and a filter that is being typed stays', async (page) => {
  const held = await holdAnswers(page, list);
  await openList(page, 'crm/lead?status=Open&fields=lead_name,status,company_name');
  await held.asked;
  await page.locator('.rows.busy').waitFor();
  const before = await edges(page);
  await button(page, 'Status is Open').click();
  await page.getByLabel('Value').fill('Lo');
  await held.release();
  await expectShown(page, '1–45 of 45');
  await page.locator('.sums dd').waitFor();
  expect(await page.getByLabel('Value').inputValue()).toBe('Lo');
  expect(await edges(page)).toEqual(before);
});

pageTest(
  'a page that is no longer wanted is told apart, and keys count the pages that are not there yet',
  async (page) => {
    await openList(page, 'crm/lead?limit=20');
    await expectShown(page, '1–20 of 90');
    const held = await holdAnswers(page, list);
    await page.keyboard.press(']');
    await held.asked;
    await page.keyboard.press(']');
    await page.locator('.rows.busy').waitFor();
    // The rows turn pale after a while.
    await expect
      .poll(() => page.evaluate<number>("Number(getComputedStyle(document.querySelector('tbody')).opacity)"))
      .toBeLessThan(1);
    await held.release();
    await expectShown(page, '41–60 of 90');
    await expect.poll(() => firstCells(page).first().innerText()).toBe('Lead 49');
  },
);

pageTest('a list that is gone back to is there at once, and is as it is now once it has come', async (page) => {
  await openList(page, 'crm/lead?limit=20&lead_owner=__user');
  await expectShown(page, '1–20 of 90');
  const first = firstCells(page).first();
  const name = await first.innerText();
  await first.getByRole('link').click();
  await page.locator('form.record').waitFor();
  const id = page.url().split('/').at(-1);
  await server.request('PATCH', `/api/crm/lead/${id}`, { lead_name: 'Changed' });
  const held = await holdAnswers(page, list);
  await page.goBack();
  await held.asked;
  await expect.poll(() => first.innerText()).toBe(name);
  await page.locator('.rows.busy').waitFor();
  await page.locator('.rows :focus').waitFor();
  await held.release();
  await expect.poll(() => first.innerText()).toBe('Changed');
  await page.locator('.rows :focus').getByText('Changed').waitFor();
});
