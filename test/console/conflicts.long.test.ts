import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { pagesOf } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { button, cell, create, expectToast, openPlace, read, refusals } from './record-page.ts';

const server = sharedServer();
const { pageTest } = pagesOf(server, {}, refusals);

const linePath = '/api/sales/order-line';

/** Opens an order whose lines have these articles. @returns its id and those of its lines */
async function openOrder(page: Page, ...articles: readonly string[]): Promise<{ id: string; lines: string[] }> {
  const id = await create(server, '/api/sales/order', {
    ordered_on: '2026-11-20',
    company: 'Acme',
    currency: 'EUR',
  });
  const lines: string[] = [];
  for (const article of articles) lines.push(await create(server, linePath, { order_id: id, article, quantity: 1 }));
  await openPlace(page, `sales/order/${id}`);
  return { id, lines };
}

const linesOf = async (id: string): Promise<unknown> => (await read(server, `${linePath}?parent_id=${id}`))['data'];

/** Another user changes a line. */
async function change(id: string | undefined, body: object): Promise<void> {
  const { status, text } = await server.request('PATCH', `${linePath}/${id}`, body);
  expect(status, text).toBe(200);
}

pageTest('the later of two editors of a line item chooses between the values', async (page) => {
  const { id, lines } = await openOrder(page, 'Bolt', 'Nut', 'Nail');
  await cell(page, 'Quantity', 2).fill('5');
  await cell(page, 'Article', 2).fill('Mine');
  await cell(page, 'Quantity', 3).fill('7');
  await change(lines[1], { quantity: 9, article: 'Theirs', due_on: '2026-12-24' });
  await button(page, 'Save').click();
  const conflict = page.locator('.conflict');
  await conflict.getByText('Another user has changed the line items').waitFor();
  expect(await conflict.getByRole('row').allInnerTexts()).toEqual([
    expect.stringContaining('Theirs, stored now'),
    expect.stringMatching(/Article in row 2\s+Theirs\s+Mine/),
    expect.stringMatching(/Quantity in row 2\s+9\s+5/),
  ]);
  expect(await conflict.textContent()).toContain('Only they have changed: Due on in row 2');
  await expectAccessible(page);
  expect(await linesOf(id)).toMatchObject([{ quantity: 1 }, { quantity: 9, article: 'Theirs' }, { quantity: 1 }]);
  await conflict.getByLabel('Article in row 2: take theirs').check();
  await button(page, 'Save again').click();
  await expectToast(page, 'Saved');
  expect(await linesOf(id)).toMatchObject([
    { article: 'Bolt', quantity: 1 },
    { article: 'Theirs', quantity: 5, due_on: '2026-12-24' },
    { article: 'Nail', quantity: 7 },
  ]);
  expect(await conflict.count()).toBe(0);
});

pageTest('a line item that another user has changed is only deleted after a question', async (page) => {
  const { id, lines } = await openOrder(page, 'Bolt', 'Nut');
  await button(page, 'Delete row 1').click();
  await change(lines[0], { quantity: 9 });
  await button(page, 'Save').click();
  await page.getByText('They have changed: Quantity in row 1, which you delete.').waitFor();
  expect(await linesOf(id)).toMatchObject([{ quantity: 9 }, { article: 'Nut' }]);
  await button(page, 'Save again').click();
  await expectToast(page, 'Saved');
  expect(await linesOf(id)).toMatchObject([{ article: 'Nut' }]);
});

pageTest('an order that another user has given the line items is not replaced without a word', async (page) => {
  const { id, lines } = await openOrder(page, 'A', 'B', 'C');
  await page.getByRole('button', { name: 'Move row 1', exact: true }).press('ArrowDown');
  const items = [2, 0, 1].map((line, at) => ({ id: lines[line], idx: at + 1 }));
  expect((await server.request('POST', `${linePath}/reorder`, { items })).status).toBe(200);
  await button(page, 'Save').click();
  await page.getByText('Another user has changed the line items.').waitFor();
  expect(await linesOf(id)).toMatchObject([{ article: 'C' }, { article: 'A' }, { article: 'B' }]);
  await button(page, 'Save').click();
  await expectToast(page, 'Saved');
  expect(await linesOf(id)).toMatchObject([{ article: 'B' }, { article: 'A' }, { article: 'C' }]);
});

pageTest('changes of other line items are no conflict', async (page) => {
  const { id, lines } = await openOrder(page, 'Bolt', 'Nut');
  await cell(page, 'Quantity', 1).fill('5');
  await change(lines[1], { quantity: 9 });
  await button(page, 'Save').click();
  await expectToast(page, 'Saved');
  expect(await linesOf(id)).toMatchObject([{ quantity: 5 }, { quantity: 9 }]);
  expect(await cell(page, 'Quantity', 2).inputValue()).toBe('9');
});
