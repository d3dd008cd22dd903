import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

import { pagesOf, phone } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { expectShown, fill, openList } from './list-page.ts';

const server = sharedServer();
const { pageTest } = pagesOf(server, {}, /400 \(Bad Request\)/);

const leads = '/api/crm/lead';
const place = 'crm/lead?fields=lead_name,status,annual_revenue';

const chips = (page: Page): Locator => page.getByRole('list', { name: 'Records by status' }).getByRole('button');
const chip = (page: Page, name: string): Locator => chips(page).filter({ hasText: name });
const sums = (page: Page): Promise<string[]> => page.locator('.sums dd').allTextContents();

/** Expects what the chips say, those that are pressed with a star behind. */
const expectChips = (page: Page, expected: readonly string[]): Promise<void> =>
  expect
    .poll(() =>
      chips(page).evaluateAll((all) =>
        all.map((one) => {
          const text = [...one.children].map((part) => part.textContent?.trim()).join(' ');
          return one.getAttribute('aria-pressed') === 'true' ? `${text}*` : text;
        }),
      ),
    )
    .toEqual(expected);

const lead = (lead_owner: string, status: string | null, annual_revenue: number | null) => ({
  lead_name: 'Ann',
  lead_owner,
  status,
  annual_revenue,
});

pageTest('a list says how many records have each state, filters by it, and sums all pages', async (page) => {
  const all = [...Array<string>(60).fill('Open'), 'Lost', 'Lost', null].map((status, n) =>
    lead('sums', status, n + 0.5),
  );
  await fill(server, leads, [...all, lead('others', 'Never', 7)]);
  await openList(page, `${place}&lead_owner=sums`);
  await expectChips(page, ['Open 60', 'Lost 2', 'No value 1']);
  await expect.poll(() => sums(page)).toEqual(['1,984.5']);
  await expectAccessible(page);
  await chip(page, 'Lost').focus();
  await page.keyboard.press('Enter');
  await expectShown(page, '1–2 of 2');
  expect(page.url()).toContain('status=Lost');
  await expectChips(page, ['Open 60', 'Lost 2*', 'No value 1']);
  await expect.poll(() => sums(page)).toEqual(['122.0']);
  await chip(page, 'No value').click();
  await expectShown(page, '1–1 of 1');
  await expectChips(page, ['Open 60', 'Lost 2', 'No value 1*']);
  await chip(page, 'No value').click();
  await expectShown(page, '1–50 of 63');
  expect(page.url()).not.toContain('status%5B');
});

pageTest('a state that no record has any more can be taken back, on a phone too', async (page) => {
  await fill(server, leads, [lead('phone', 'Open', 1)]);
  await page.setViewportSize(phone);
  await openList(page, `${place}&lead_owner=phone&status=Gone`);
  await expectChips(page, ['Open 1', 'Gone 0*']);
  await expectAccessible(page);
  await chip(page, 'Gone').click();
  await expectShown(page, '1–1 of 1');
  await expectChips(page, ['Open 1']);
});

pageTest('more states than are counted are no failure, and a name that cannot be seen is the id', async (page) => {
  const all = Array.from({ length: 101 }, (_, n) => lead('many', `State ${n}`, n));
  await fill(server, leads, [...all, { ...lead('blank', 'Open', 1), lead_name: ' \u200B' }]);
  const counted = page.waitForResponse((response) => response.url().includes('by=status'));
  await openList(page, `${place}&lead_owner=many`);
  expect((await counted).status()).toBe(400);
  await expect.poll(() => page.locator('.counts').count()).toBe(0);
  await openList(page, `${place}&lead_owner=blank`);
  await page.getByRole('link', { name: /^lead_/ }).waitFor();
  await page.goto('/console#/');
  await page.getByText('More than 100 different values').waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
});
