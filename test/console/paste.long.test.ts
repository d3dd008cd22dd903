import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { expectCount, expectNoSideScroll, expectValue, pagesOf, phone } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { button, cell, control, create, expectSaved, expectToast, openPlace, read, refusals } from './record-page.ts';

const server = sharedServer();
const { open, pageTest } = pagesOf(server, { viewport: { width: 1280, height: 844 } }, refusals);

const order = { ordered_on: '2026-11-20', company: 'Acme', currency: 'EUR' };

/** HTML, text from right to left, an emoji, and a character that only draws. */
const hostile = '<img src=x onerror=alert(1)> \u202eشيء\u202c 🧑‍🚀 \u200b{{x}}';

/** Pastes a text where the focus is, as Ctrl+V does. @returns whether it is left to the element that has the focus */
const paste = (page: Page, text: string): Promise<boolean> =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', ${JSON.stringify(text)});
    return document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  })()`);

/** The texts of the cells of the preview, by rows. */
const preview = (page: Page): Promise<string[][]> =>
  page
    .locator('.paste tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((one) => one.textContent.replaceAll(/\s+/g, ' ').trim())),
    );

pageTest('cells of a spreadsheet become rows, with a preview of what is wrong', async (page) => {
  const id = await create(server, '/api/sales/order', order);
  await openPlace(page, `sales/order/${id}`);
  await button(page, 'Add a row').click();
  await cell(page, 'Article', 1).fill('first');
  await paste(
    page,
    'Due on\tquantity\tColour\tARTICLE\r\n12/31/2026\t1,234.5\tred\t"Bolt\n""M8"""\r\n2027-01-31\tmany\t\t\r\n',
  );
  await expect
    .poll(() => preview(page))
    .toEqual([
      ['1', 'Bolt "M8"', '1,234.5', 'Dec 31, 2026'],
      ['2', '–is required', 'manymust be a number, like 1234.5', 'Jan 31, 2027'],
    ]);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('2 cells are wrong.').waitFor();
  await dialog.getByText('belong to no field: Colour.').waitFor();
  await expectAccessible(page);
  await page.setViewportSize(phone);
  await expectNoSideScroll(page);
  await page.setViewportSize({ width: 1280, height: 844 });
  await button(page, 'Add 2 rows').click();
  await expectValue(cell(page, 'Article', 1), 'first');
  await expectValue(cell(page, 'Quantity', 3), 'many');
  await expect
    .poll(() => page.locator('.items .error-text').allTextContents())
    .toEqual(['Article is required.', 'Quantity must be a number, like 1234.5.']);
  // The focus is in the first cell that is wrong.
  await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Article, row 3');
  await page.keyboard.type('Nut');
  await cell(page, 'Quantity', 3).fill('3');
  await button(page, 'Save').click();
  await expectSaved(page);
  const { data } = await read(server, `/api/sales/order-line?parent_id=${id}`);
  expect(data).toMatchObject([
    { article: 'first', quantity: null },
    { article: 'Bolt\n"M8"', quantity: 1234.5, due_on: '2026-12-31' },
    { article: 'Nut', quantity: 3, due_on: '2027-01-31' },
  ]);
});

pageTest('cells are pasted anywhere in a record but in a text', async (page) => {
  const id = await create(server, '/api/sales/order', order);
  await openPlace(page, `sales/order/${id}`);
  await control(page, 'company').focus();
  expect(await paste(page, 'Bolt\nNut\nNail')).toBe(true);
  await control(page, 'ordered_on').focus();
  expect(await paste(page, '2026-12-31')).toBe(true);
  await paste(page, 'Bolt\t5');
  await button(page, 'Add 1 row').click();
  await control(page, 'payment_days').focus();
  expect(await paste(page, '30')).toBe(true);
  await paste(page, 'Nut\t6');
  await button(page, 'Add 1 row').click();
  await expectValue(cell(page, 'Article', 2), 'Nut');
  await expectCount(page.locator('[data-row]'), 2);
  // Under a dialog, nothing takes them.
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.evaluate('document.activeElement.blur()');
  expect(await paste(page, 'Screw\nNail')).toBe(true);
});

test('columns are matched by their place, numbers and dates read in the language of the browser, records by their names', async (context) => {
  await using watched = await open(context, { locale: 'de-DE' });
  const { page } = watched;
  const author = await create(server, '/api/library/author', { name: 'Ann Paste' });
  const book = await create(server, '/api/library/book', { title: 'Pasted', author_id: author });
  await openPlace(page, 'expenses/claim/new');
  await button(page, 'Zeilen einfügen').click();
  await page.getByLabel('fügen Sie sie hier ein').fill(`1.234,50\tPasted\t${author}\n1.234\t\tNobody\n12,00\t${book}`);
  await expect
    .poll(() => preview(page))
    .toEqual([
      ['1', '1.234,50', 'Pasted', 'Ann Paste'],
      ['2', '1.234', '–', expect.stringMatching(/^Nobody.*keinen/)],
      ['3', '12,00', 'Pasted', '–'],
    ]);
  // The decimals of the others have decided it; that can be changed.
  const meant = page.getByRole('group', { name: 'Zahlen wie 1.234 bedeuten' });
  await expect.poll(() => meant.getByLabel('1234').isChecked()).toBe(true);
  await meant.getByLabel('1,234').check();
  await expect
    .poll(async () => (await preview(page)).map(([, amount]) => amount))
    .toEqual([
      expect.stringMatching(/^1\.234,50.*muss eine Zahl sein/),
      '1,234',
      expect.stringMatching(/^12,00.*muss/),
    ]);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expectCount(page.locator('.items tbody tr'), 0);
  await button(page, 'Zeilen einfügen').click();
  await page.getByLabel('fügen Sie sie hier ein').fill('1.234\tPasted\n12\t');
  // Nothing decides, and nothing is guessed: the person says it.
  await expect
    .poll(() => preview(page))
    .toEqual([
      ['1', expect.stringMatching(/^1\.234.*entweder 1234 oder 1,234/), 'Pasted'],
      ['2', '12', '–'],
    ]);
  const add = button(page, '2 Zeilen hinzufügen');
  await expect.poll(() => add.getAttribute('aria-disabled')).toBe('true');
  await meant.getByLabel('1234').check();
  await expect.poll(async () => (await preview(page))[0]?.[1]).toBe('1.234');
  await expect.poll(() => add.getAttribute('aria-disabled')).toBeNull();
  await page.keyboard.press('Escape');
  await page.locator('form.record [name="title"]').fill('Einfügen');
  await button(page, 'Zeilen einfügen').click();
  await page.getByLabel('fügen Sie sie hier ein').fill(`1.234,50;Pasted;Ann Paste`);
  await button(page, '1 Zeile hinzufügen').click();
  await button(page, 'Anlegen').click();
  await expectToast(page, 'Claim angelegt.');
  await page.waitForURL(/claim_/);
  const { data } = await read(server, `/api/expenses/claim-item?parent_id=${page.url().split('/').at(-1)}`);
  expect(data).toMatchObject([{ amount: '1234.50', book_id: book, receipt_of_id: author }]);
  watched.expectNoFaults();
});

test.for([
  ['en-US', 'Paste rows', 'then paste them here', 'Add 2 rows', '1,234.5'],
  ['de-DE', 'Zeilen einfügen', 'fügen Sie sie hier ein', '2 Zeilen hinzufügen', '1.234,5'],
] as const)('hostile texts are pasted as they are, with the keyboard alone: $0', async (words, context) => {
  const [locale, action, label, add, quantity] = words;
  await using watched = await open(context, { locale });
  const { page } = watched;
  const id = await create(server, '/api/sales/order', order);
  await openPlace(page, `sales/order/${id}`);
  await button(page, action).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel(label).waitFor();
  await page.getByLabel(label).fill(`${hostile}\t${quantity}\n${'x'.repeat(20_000)}\t\u202e1`);
  await expectCount(page.locator('.paste tbody tr'), 2);
  const [first = [], second = []] = await preview(page);
  expect(first[1]?.startsWith('<img src=x onerror=alert(1)>')).toBe(true);
  expect(first[2]).toBe(quantity);
  expect(second[1]?.length).toBeLessThan(200);
  expect(second[2]).toMatch(/^\u202e1(?:must be|muss)/);
  await expectAccessible(page);
  await page.setViewportSize(phone);
  await expectNoSideScroll(page);
  await expect.poll(() => page.evaluate('document.activeElement.textContent.trim()')).toBe(add);
  await page.keyboard.press('Enter');
  await expectCount(page.locator('.items tbody tr'), 2);
  await expect.poll(() => page.locator('.items [name="article"]').first().inputValue()).toBe(hostile);
  watched.expectNoFaults();
});
