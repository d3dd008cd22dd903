import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

import { type TestServer, testKey } from '../support/server.ts';

/** Enters a key in the form that asks for it. */
export async function enterKey(page: Page, key = testKey): Promise<void> {
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs out by the menu of the key. */
export async function signOut(page: Page): Promise<void> {
  await page.locator('.account').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
}

/** Opens a place of the console, signed in. @param place like `crm/lead?sort=-id` */
export async function openList(page: Page, place: string, key = testKey): Promise<void> {
  await page.addInitScript(`sessionStorage.setItem('console-key', ${JSON.stringify(key)})`);
  await page.goto(`/console#/${place}`);
  await page.locator('.list').waitFor();
}

/** The first cells of the rows that are shown. */
export const firstCells = (page: Page): Locator => page.locator('.table tbody tr[data-index] td:nth-child(2)');

/** Waits until the list says which records it shows. @param shown like `1–50 of 120` */
export const expectShown = (page: Page, shown: string): Promise<void> =>
  page.locator('.pager .count', { hasText: new RegExp(`^${shown}$`) }).waitFor();

/** Stores records, a hundred in each request. */
export async function fill(server: TestServer, path: string, bodies: readonly object[]): Promise<void> {
  for (let first = 0; first < bodies.length; first += 100) {
    const operations = bodies.slice(first, first + 100).map((body) => ({ method: 'POST', path, body }));
    const { status, text } = await server.request('POST', '/api/batch', { operations });
    expect(status, text).toBe(200);
  }
}
