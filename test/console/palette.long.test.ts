import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

import { expectCount, expectNoSideScroll, pagesOf, phone } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { create, keyWith, openPlace } from './record-page.ts';

const server = sharedServer();
const { open, pageTest } = pagesOf(server, {}, /status of 500/);

const contacts = '/api/crm/contact';

const box = (page: Page): Locator => page.getByRole('combobox', { name: 'Search everything' });

const group = (page: Page, name: string): Locator => page.getByRole('group', { name, exact: true }).getByRole('option');

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+K');
  await box(page).waitFor();
}

/** Enters a text, and waits until the first entry is the one that Enter chooses. */
async function choose(page: Page, text: string, entry: string | RegExp): Promise<void> {
  await box(page).fill(text);
  await page.locator('[role="option"][aria-selected="true"]', { hasText: entry }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.palette').waitFor({ state: 'detached' });
}

pageTest('Ctrl+K leads to pages, records by name and id, and actions', async (page) => {
  const id = await create(server, contacts, { full_name: 'Zoë Palette', company: 'Acme' });
  await create(server, '/api/library/author', { name: 'Zoë Author' });
  await openPlace(page, 'crm/contact', { waitFor: '.table' });
  await openPalette(page);
  await expectAccessible(page);
  await choose(page, 'lead crm', 'Leads');
  await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();

  await openPalette(page);
  await box(page).fill('zoe');
  await expectCount(group(page, 'Contacts'), 1);
  await expectCount(group(page, 'Authors'), 1);
  await expectAccessible(page);
  const chosen = page.locator('[role="option"][aria-selected="true"]');
  await chosen.filter({ hasText: 'Zoë Palette' }).waitFor();
  await page.keyboard.press('ArrowUp');
  await chosen.filter({ hasText: 'Zoë Author' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await choose(page, 'zoe palette', 'Zoë Palette');
  await expect.poll(() => page.url()).toContain(id);

  await openPalette(page);
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await openPalette(page);
  await choose(page, 'new author', 'New author');
  await expect.poll(() => page.url()).toContain('library/author/new');

  await openPalette(page);
  await expect.poll(() => group(page, 'Recently opened').allInnerTexts()).toEqual([expect.stringContaining('Zoë')]);
  await choose(page, id, id);
  await page.getByRole('heading', { name: 'Zoë Palette' }).waitFor();
  // Nothing is chosen before a text is typed: the first entries change the record.
  await openPalette(page);
  await group(page, 'On this page').filter({ hasText: 'Delete' }).waitFor();
  await expectCount(chosen, 0);
  await choose(page, 'delete', 'Delete');
  await page.getByRole('dialog', { name: 'Delete' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await openPalette(page);
  await choose(page, 'dark', 'Theme: Dark');
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
});

pageTest('the palette gives up a search for another text, and says which list could not be searched', async (page) => {
  await create(server, contacts, { full_name: 'Quince One' });
  await create(server, '/api/library/author', { name: 'Quince Two' });
  await page.route('**/api/**?q=qui&*', () => {});
  await page.route(`**${contacts}?q=quince*`, (route) =>
    route.fulfill({ status: 500, json: { status: 500, title: 'x', code: 'internal', detail: 'x' } }),
  );
  await openPlace(page, 'crm/contact', { waitFor: '.list' });
  await openPalette(page);
  const asked = page.waitForRequest(/q=qui&/);
  const givenUp = page.waitForEvent('requestfailed', (request) => request.url().includes('q=qui&'));
  await box(page).fill('qui');
  await asked;
  await box(page).fill('quince');
  await givenUp;
  await expectCount(group(page, 'Authors'), 1);
  await page.getByRole('status').filter({ hasText: 'Could not search: Contacts.' }).waitFor();
});

pageTest('the menu of the key is used by keys, and names the key and its organization', async (page) => {
  await openPlace(page, 'crm/contact', { waitFor: '.list' });
  const account = page.getByRole('button', { name: 'Key 1 of the server · main' });
  await account.focus();
  await page.keyboard.press('Enter');
  const item = (name: string): Locator => page.getByRole('menu').locator(':focus', { hasText: name });
  await item('System').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('ArrowUp');
  await item('Sign out').waitFor();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('menuitemradio', { name: 'Light', checked: true }).waitFor();
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('light');
  await page.keyboard.press('Escape');
  await page.locator('.account:focus').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
});

pageTest('a phone has the palette, and a key of few scopes finds only what it may read', async (_, context) => {
  const id = await create(server, contacts, { full_name: 'Hidden Contact' });
  await create(server, '/api/library/author', { name: 'Hidden Author' });
  const key = await keyWith(server, 'library/author:read');
  await using watched = await open(context, { viewport: phone });
  const { page } = watched;
  await openPlace(page, 'library/author', { key, waitFor: '.list' });
  await page.getByRole('button', { name: 'Search everything' }).click();
  await box(page).fill('hidden');
  await expectCount(group(page, 'Authors'), 1);
  await expectCount(page.locator('.palette [role="option"]'), 1);
  await expectNoSideScroll(page);
  await box(page).fill('contact');
  await page.getByText('Nothing found.').waitFor();
  await box(page).fill(id);
  await page.getByText('Nothing found.').waitFor();
  await box(page).fill('new');
  await page.getByText('Nothing found.').waitFor();
  watched.expectNoFaults();
});
