import { expect } from 'vitest';

import { expectCount, pagesOf, phone } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { create, openMenu, openPlace, refusals } from './record-page.ts';

const server = sharedServer();
const { pageTest } = pagesOf(server, { viewport: { width: 1280, height: 600 } }, refusals);

pageTest('title, state, what matters and totals stay in sight, compactly; on a phone the title does', async (page) => {
  const book = await create(server, '/api/library/book', {
    title: 'A book',
    author_id: await create(server, '/api/library/author', { name: 'Ann' }),
  });
  const claim = await create(server, '/api/expenses/claim', { title: 'Fair', book_id: book, notes: 'By train' });
  for (let line = 0; line < 8; line++)
    await create(server, '/api/expenses/claim-item', { claim_id: claim, amount: '10.00' });
  await openPlace(page, `expenses/claim/${claim}`);
  const facts = page.locator('.facts');
  await facts.getByText('A book').waitFor();
  // Each of these values stands once: nothing but the service sets them, and its section leaves out what the head shows.
  const automatic = page.getByRole('region', { name: 'Filled in automatically' });
  await automatic.getByText('Submitted at').waitFor();
  for (const title of ['Status', 'Total', 'To pay'])
    await expectCount(automatic.getByText(title, { exact: true }), 0, title);
  expect(await facts.locator('dt').allInnerTexts()).toEqual(['Book', 'Item count', 'Total', 'Largest', 'To pay']);
  /** How far the end of an element is from the upper end of the page below the header. */
  const endOf = async (selector: string): Promise<number> => {
    const box = await page.locator(selector).boundingBox();
    return (box?.y ?? 0) + (box?.height ?? 0) - 48;
  };
  await page.locator('.items tbody tr').last().scrollIntoViewIfNeeded();
  for (const part of ['.record-bar', '.facts']) {
    expect(await endOf(part), part).toBeGreaterThan(0);
    expect(await endOf(part), part).toBeLessThan(110);
  }
  // The focus goes through the menu, and back to its button.
  const entries = await openMenu(page);
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.locator(':focus').innerText()).toBe('Print');
  await page.keyboard.press('Escape');
  await expectCount(entries, 0);
  await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('More actions');
  await page.setViewportSize(phone);
  await page.locator('.items tbody tr').last().scrollIntoViewIfNeeded();
  await expect.poll(() => endOf('.record-bar')).toBeLessThan(60);
  await expect.poll(() => endOf('.record-bar')).toBeGreaterThan(0);
  await expect.poll(async () => (await page.locator('.record-actions').boundingBox())?.height).toBeLessThan(130);
});
