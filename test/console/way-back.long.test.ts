import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';

import { pagesOf } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectShown, fill, openList } from './list-page.ts';
import { choose, control, create, expectToast, refusals } from './record-page.ts';

const server = sharedServer();
const { pageTest } = pagesOf(server, {}, refusals);

/** The title of the author whose books the lists show. */
let author = '';

beforeAll(async () => {
  author = await create(server, '/api/library/author', { name: 'Ann' });
  const books = Array.from({ length: 90 }, (_, n) => ({
    title: `Book ${String(n).padStart(2, '0')}`,
    author_id: author,
  }));
  await fill(server, '/api/library/book', books);
});

const placeOf = (page: Page): string => decodeURIComponent(new URL(page.url()).hash);

/** The text of the link that has the focus, and the pixels that the list is scrolled by. */
const seen = (page: Page): Promise<readonly [string, number]> =>
  page.evaluate(
    "[document.querySelector('.rows :focus')?.innerText ?? '', Math.round(document.querySelector('.rows')?.scrollTop ?? -1)]",
  );

/** Scrolls a list to a row, and opens it. @returns what was seen of the list */
async function openRow(page: Page, text: string): Promise<readonly [string, number]> {
  const link = page.locator('.rows a').filter({ hasText: text });
  await link.focus();
  await link.scrollIntoViewIfNeeded();
  const before = await seen(page);
  await page.keyboard.press('Enter');
  await page.locator('form.record').waitFor();
  return before;
}

const expectSeen = (page: Page, before: readonly [string, number]): Promise<void> =>
  expect.poll(() => seen(page)).toEqual(before);

pageTest('a list is left and found again as it was: its filter, order, page, place and row', async (page) => {
  const list = `#/library/book?author_id=${author}&sort=title&limit=20&page=2`;
  await openList(page, list.slice(2));
  await expectShown(page, '21–40 of 90');
  await page.setViewportSize({ width: 1280, height: 500 });
  const before = await openRow(page, 'Book 38');
  expect(before[0]).toContain('Book 38');
  expect(before[1]).toBeGreaterThan(100);
  const back = async (): Promise<void> => {
    await expectShown(page, '21–40 of 90');
    await expectSeen(page, before);
    expect(placeOf(page)).toBe(list);
  };
  await page.goBack();
  await back();
  await page.goForward();
  await page.locator('form.record').waitFor();
  await page.keyboard.press('Escape');
  await back();
  await page.keyboard.press('Enter');
  await page.locator('form.record').waitFor();
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
  await back();
  // Through a second record, which is of another resource, and after a reload.
  await page.keyboard.press('Enter');
  await page.locator('form.record').waitFor();
  await page.getByRole('link', { name: 'Ann' }).first().click();
  await page.locator('h1', { hasText: 'Ann' }).waitFor();
  await page.reload();
  await page.locator('form.record').waitFor();
  await page.keyboard.press('Escape');
  await back();
  // A save moves the record to another page: its place stays.
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Title' }).fill('Zero');
  await page.keyboard.press('Control+s');
  await expectToast(page, 'Saved');
  await page.keyboard.press('Escape');
  await expectShown(page, '21–40 of 90');
  await expectSeen(page, ['Book 39', before[1]]);
});

pageTest('a list that a record leads to is the one that is gone back to, also after a delete', async (page) => {
  await openList(page, 'library/author?sort=-id');
  await openRow(page, 'Ann');
  await page.getByRole('region', { name: 'Books' }).getByRole('link', { name: 'Books' }).click();
  await expectShown(page, '1–50 of 90');
  const before = await openRow(page, 'Book 60');
  await choose(page, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'deleted');
  await expectShown(page, '1–50 of 89');
  await expectSeen(page, ['Book 59', before[1]]);
  expect(placeOf(page)).toBe(`#/library/book?author_id=${author}`);
  await page.goBack();
  await page.goBack();
  await page.locator('h1', { hasText: 'Ann' }).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => placeOf(page)).toBe('#/library/author?sort=-id');
});

pageTest('a record is saved and left by one key, unless it is refused', async (page) => {
  const other = await create(server, '/api/library/author', { name: 'Bea' });
  await fill(
    server,
    '/api/library/book',
    Array.from({ length: 30 }, (_, n) => ({ title: `Tale ${n + 10}`, author_id: other })),
  );
  const list = `#/library/book?author_id=${other}&sort=title&limit=20&page=2`;
  await openList(page, list.slice(2));
  await expectShown(page, '21–30 of 30');
  await openRow(page, 'Tale 30');
  const title = control(page, 'title');
  await title.fill('');
  await page.keyboard.press('Control+Enter');
  await page.locator('.fields [aria-invalid="true"]').waitFor();
  await title.fill('Tale 30 again');
  await page.keyboard.press('Control+Enter');
  await expectShown(page, '21–30 of 30');
  await expect.poll(() => page.locator('.rows :focus').textContent()).toContain('Tale 30 again');
  expect(placeOf(page)).toBe(list);
  // Nothing to save is no reason to stay.
  await page.keyboard.press('Enter');
  await page.locator('form.record').waitFor();
  await page.keyboard.press('Control+Enter');
  await expectShown(page, '21–30 of 30');
  // A name that is typed is the record that it means.
  await page.keyboard.press('Enter');
  await page.locator('h1:focus', { hasText: 'Tale 30 again' }).waitFor();
  await control(page, 'author_id').fill('Ann');
  await page.getByRole('option', { name: 'Ann' }).waitFor();
  await page.keyboard.press('Control+Enter');
  await expectShown(page, '21–29 of 29');
  // The user has gone elsewhere before a save is done.
  const held = Promise.withResolvers<void>();
  await page.route(`**/api/library/book/**`, async (route) => {
    if (route.request().method() === 'PATCH') await held.promise;
    await route.continue();
  });
  await openRow(page, 'Tale 32');
  await title.fill('Tale 32 again');
  await page.keyboard.press('Control+Enter');
  await page.locator('.side-bar').getByRole('link', { name: 'Patrons' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  await page.locator('h1', { hasText: 'Patrons' }).waitFor();
  const stored = page.waitForResponse((response) => response.request().method() === 'PATCH');
  held.resolve();
  await stored;
  await expectToast(page, 'Saved');
  expect(placeOf(page)).toBe('#/lending/patron');
});
