import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

import { expectCount, pagesOf } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { button, control, create, expectSaved, expectToast, field, openPlace, read, refusals } from './record-page.ts';

const server = sharedServer();
const articles = '/api/catalogue/article';
const { pageTest } = pagesOf(server, {}, refusals);

const entries = (page: Page, name: string): Locator => field(page, name).locator('.entries li bdi');

const remove = (page: Page, name: string, text: string): Promise<void> =>
  field(page, name)
    .getByRole('button', { name: `Remove ${text}`, exact: true })
    .click();

pageTest('a list is edited entry by entry, with the keyboard alone', async (page) => {
  await openPlace(page, 'catalogue/article/new');
  await control(page, 'title').fill('Coat');
  await expect.poll(() => entries(page, 'seasons').allInnerTexts()).toEqual(['spring', 'summer']);
  await control(page, 'tags').focus();
  for (const tag of ['new', 'blue']) {
    await page.keyboard.type(tag);
    await page.keyboard.press('Enter');
  }
  await control(page, 'sizes').focus();
  await page.keyboard.type('1200');
  await page.keyboard.press('Enter');
  await page.keyboard.type('x');
  await control(page, 'seen_on').fill('2026-02-28');
  await expectAccessible(page);
  await button(page, 'Create').click();
  await field(page, 'sizes').getByText('Sizes entry 2 must be a whole number').waitFor();
  await remove(page, 'sizes', 'x');
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('sizes');
  await remove(page, 'seasons', 'spring');
  await control(page, 'seasons').selectOption('winter');
  // The text that is being typed is saved, too.
  await control(page, 'markets').fill('EU');
  await page.keyboard.press('Control+s');
  await expectToast(page, 'Article created');
  await page.waitForURL(/article_/);
  const path = `${articles}/${page.url().split('/').at(-1)}`;
  expect(await read(server, path)).toMatchObject({
    tags: ['new', 'blue'],
    sizes: [1200],
    seasons: ['summer', 'winter'],
    markets: ['EU'],
    seen_on: ['2026-02-28'],
  });
  // A list that is set once is shown.
  await page.getByRole('list', { name: 'Seen on' }).getByText('Feb 28, 2026').waitFor();
  await expectCount(control(page, 'seen_on'), 0);

  await control(page, 'tags').fill('x'.repeat(41));
  await button(page, 'Save').click();
  await field(page, 'tags').getByText('Tags entry 3 must be at most 40 characters long').waitFor();
  for (const tag of ['x'.repeat(41), 'new', 'blue']) await remove(page, 'tags', tag);
  await button(page, 'Save').click();
  await expectSaved(page);
  expect(await read(server, path)).toMatchObject({ tags: [] });
  await field(page, 'tags').getByRole('button', { name: 'Clear: Tags' }).click();
  await button(page, 'Save').click();
  await expectSaved(page);
  expect(await read(server, path)).toMatchObject({ tags: null });
});

pageTest('records are filtered by an entry of a list', async (page) => {
  await create(server, articles, { title: 'With', sizes: [4711], seasons: [] });
  await create(server, articles, { title: 'Without', sizes: [4712], seasons: ['autumn', 'winter'] });
  await openPlace(page, 'catalogue/article', { waitFor: '.pager' });
  for (const [name, value, titles] of [
    ['Sizes', '4711', ['With']],
    ['Seasons', 'autumn', ['Without']],
  ] as const) {
    await page.goto('/console#/catalogue/article');
    await button(page, 'Filter').click();
    await page.getByLabel('Field').selectOption({ label: name });
    const input = page.locator('#filter-value');
    await (name === 'Sizes' ? input.fill(value) : input.selectOption(value));
    await expectAccessible(page);
    await button(page, 'Add filter').click();
    await page
      .getByRole('button', { name: `${name} contains ${value.replace('4711', '4,711')}`, exact: true })
      .waitFor();
    await expect
      .poll(async () =>
        (await page.locator('.table tbody tr').allInnerTexts()).map((text) => text.trim().split(/\s/)[0]),
      )
      .toEqual(titles);
  }
});
