import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';

import { expectCount, pagesOf } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { expectShown, fill, openList } from './list-page.ts';
import { button } from './record-page.ts';

const server = sharedServer();
const { pageTest } = pagesOf(server, { viewport: { width: 1280, height: 800 } });

beforeAll(() =>
  fill(
    server,
    '/api/sales/order',
    [1, 2, 3].map((total) => ({ company: `Company ${total}`, ordered_on: '2026-01-01', currency: 'EUR', total })),
  ),
);

/** Opens what a button opens by the keyboard, and judges it; Escape leads back to the button. */
async function judge(page: Page, name: string, change = async (): Promise<void> => {}): Promise<void> {
  await button(page, name).focus();
  await page.keyboard.press('Enter');
  const box = page.locator(':is([role=dialog], [role=menu]):visible');
  await box.locator(':focus').waitFor();
  await change();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expectCount(box, 0);
  await page.locator(':focus').and(button(page, name)).waitFor();
}

pageTest('all that a list opens has no faults that axe finds, and is opened and left by keys', async (page) => {
  await openList(page, 'sales/order?status=draft&sort=-total');
  await expectShown(page, '1–3 of 3');
  await judge(page, 'Filter');
  await judge(page, 'Filter', async () => {
    await page.getByLabel('Field').selectOption('ordered_on');
    await page.getByLabel('Day', { exact: true }).selectOption({ label: 'in the last … days' });
  });
  await judge(page, 'Status is draft');
  await judge(page, 'Columns');
  await judge(page, 'More actions');
  await judge(page, 'Save view');
  await button(page, 'Save view').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Drafts');
  await page.keyboard.press('Enter');
  await judge(page, 'Change the view Drafts');
  // A heading sorts by Enter, with Shift by a further field.
  await page.getByRole('columnheader', { name: 'Ordered on' }).getByRole('button').focus();
  await page.keyboard.press('Shift+Enter');
  await expect.poll(() => decodeURIComponent(page.url())).toContain('sort=-total,ordered_on');
  await expectAccessible(page);
});
