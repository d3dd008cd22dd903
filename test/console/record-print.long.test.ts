import { expect, test } from 'vitest';

import { expectCount, pagesOf } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { fill } from './list-page.ts';
import { choose, control, create, holdAnswers, openPlace } from './record-page.ts';

const server = sharedServer();
const { open, pageTest } = pagesOf(server);

test('a record prints on one page: its values and ten line items, no boxes, no buttons, from the dark theme, too', async (context) => {
  await using watched = await open(context, { colorScheme: 'dark', viewport: { width: 1280, height: 844 } });
  const { page } = watched;
  const claim = await create(server, '/api/expenses/claim', { title: 'Fair', notes: 'By train', advance: '1.50' });
  for (let line = 1; line <= 10; line++)
    await create(server, '/api/expenses/claim-item', { claim_id: claim, amount: `${line * 1000}.00` });
  await page.addInitScript('window.print = () => (window.printed = true)');
  await openPlace(page, `expenses/claim/${claim}`);
  await control(page, 'cost_center').fill('C 12');
  await choose(page, 'Print');
  await expect.poll(() => page.evaluate('window.printed')).toBe(true);

  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
  await expectCount(page.locator('.print-page > *'), 0, 'it is gone when it is printed');

  // The page as it is on paper.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  const paper = page.locator('.print-page');
  expect(await paper.locator('h1').innerText()).toBe('Fair');
  expect(await paper.locator('dt').allInnerTexts()).toEqual(
    expect.arrayContaining(['Title', 'Notes', 'Cost center', 'Advance', 'Total', 'To pay']),
  );
  expect(await paper.locator('dt', { hasText: 'Starts on' }).count(), 'fields without a value').toBe(0);
  expect(await paper.getByText('C 12').count(), 'what is not saved yet').toBe(1);
  expect(await paper.locator('tbody tr').count()).toBe(10);
  expect(await paper.locator('tbody tr').last().innerText()).toMatch(/10\s+10,000\.00/);
  expect(await paper.locator('.totals').innerText()).toContain('55,000.00');
  expect(await page.locator(':is(button, input, select, textarea, nav, header.header):visible').count()).toBe(0);
  const colors = await page.evaluate<string[]>(
    "[document.body, document.querySelector('.print-page td')].map((one) => getComputedStyle(one)).flatMap(({ color, backgroundColor }) => [color, backgroundColor])",
  );
  expect(colors).toEqual(['rgb(27, 28, 32)', 'rgb(255, 255, 255)', 'rgb(0, 0, 0)', 'rgba(0, 0, 0, 0)']);
  watched.expectNoFaults();
});

pageTest(
  'all of 1,000 line items are printed, with the names of records, and the form stays as it is',
  async (page) => {
    const author = await create(server, '/api/library/author', { name: 'Ann' });
    const book_id = await create(server, '/api/library/book', { title: 'The last book', author_id: author });
    const claim_id = await create(server, '/api/expenses/claim', { title: 'Many' });
    const item = (body: object) => ({ method: 'POST', path: '/api/expenses/claim-item', body: { claim_id, ...body } });
    for (let batch = 0; batch < 10; batch++) {
      const operations = Array.from({ length: 100 }, () => item({ amount: '1.00', ...(batch === 9 && { book_id }) }));
      expect((await server.request('POST', '/api/batch', { operations })).status).toBe(200);
    }
    await page.addInitScript('window.print = () => (window.printed = true)');
    await openPlace(page, `expenses/claim/${claim_id}`);
    await choose(page, 'Print');
    await expect.poll(() => page.evaluate('window.printed')).toBe(true);
    await expectCount(page.locator('.print-page tbody tr'), 1000);
    expect(await page.locator('.print-page tbody tr').last().textContent()).toMatch(/1000\s*1\.00\s*The last book/);
    await page.evaluate("dispatchEvent(new Event('afterprint'))");
    await expectCount(page.locator('.print-page tbody tr'), 0);
    await expectCount(page.locator('.items tbody tr'), 100);
    await page.getByRole('button', { name: 'Show more (900 left)' }).waitFor();
  },
);
test('a record that is left before all of its line items are there is not printed', async (context) => {
  await using watched = await open(context);
  const { page } = watched;
  const claim = await create(server, '/api/expenses/claim', { title: 'Long' });
  const items = Array.from({ length: 120 }, () => ({ claim_id: claim, amount: '1.00' }));
  await fill(server, '/api/expenses/claim-item', items);
  await page.addInitScript('window.print = () => (window.printed = true)');
  await openPlace(page, `expenses/claim/${claim}`);
  const held = await holdAnswers(page, '**/api/expenses/claim-item?*after=*');
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().includes('after='));
  await choose(page, 'Print');
  await held.asked;
  await page.keyboard.press('Escape');
  await aborted;
  await page.locator('.list .pager').waitFor();
  expect(await page.evaluate('window.printed')).toBeUndefined();
  watched.expectNoFaults();
});
