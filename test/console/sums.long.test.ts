import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';

import { pagesOf, phone } from '../support/browser.ts';
import { generateProject } from '../support/project.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { expectShown, fill, openList } from './list-page.ts';

const invoice = (list: string): string => `kind: record
doc: An amount in a currency.
list: ${list}
fields:
  number: { required: true }
  currency: { enum: [EUR, USD, JPY] }
  amount: { type: decimal, digits: 12, scale: 2 }
  qty: integer
`;

const server = sharedServer({
  project: await generateProject(
    new Map([
      ['spec/service.yaml', 'name: shop\ntitle: Shop\ndoc: Sells.\nversion: 1.0.0\nlicense: MIT\n'],
      ['spec/shop/invoice.yaml', invoice('{ count: [currency], sum: [amount, qty], columns: [number] }')],
      ['spec/shop/offer.yaml', invoice('{ filter: [currency], sum: [amount] }')],
    ]),
  ),
});
const { pageTest } = pagesOf(server);

const rows = [
  ['EUR', '1234.50'],
  ['EUR', '100.25'],
  ['USD', '20.00'],
  [null, '1.00'],
].map(([currency, amount], n) => ({ number: `N${n}`, currency, amount, qty: 2 }));

beforeAll(async () => {
  await fill(server, '/api/shop/invoice', rows);
  await fill(server, '/api/shop/offer', rows);
});

const sums = (page: Page): Promise<string[]> => page.locator('.sums > div').allInnerTexts();

const expectSums = (page: Page, expected: readonly string[]): Promise<void> =>
  expect.poll(async () => (await sums(page)).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual(expected);

pageTest(
  'amounts of each currency are added apart, quantities together, also on phones and without a column',
  async (page) => {
    const expected = ['Sum of amount EUR 1,334.75 USD 20.00 1.00 without a currency', 'Sum of qty 8'];
    await openList(page, 'shop/invoice');
    await expectSums(page, expected);
    await expectAccessible(page);
    await page.setViewportSize(phone);
    await page.locator('.card-list').waitFor();
    await expectSums(page, expected);
    await expectAccessible(page);
  },
);

pageTest('without counts by currency, amounts are added when the filter leaves one currency', async (page) => {
  await openList(page, 'shop/offer');
  await expectSums(page, ['Sum of amount not added up: there may be several currencies']);
  await openList(page, 'shop/offer?currency=EUR');
  await expectShown(page, '1–2 of 2');
  await expectSums(page, ['Sum of amount EUR 1,334.75']);
  await openList(page, 'shop/offer?currency=JPY');
  await page.getByText('No records match.').waitFor();
  await expectSums(page, []);
});
