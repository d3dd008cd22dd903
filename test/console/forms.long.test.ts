import { expect } from 'vitest';

import { expectCount, pagesOf } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { button, control, create, expectToast, field, openPlace, read, refusals } from './record-page.ts';

const server = sharedServer();
const { pageTest } = pagesOf(server, {}, refusals);

const permits = '/api/inspection/permit';

pageTest('a form has the groups of the spec, and shows one while its condition holds', async (page) => {
  await openPlace(page, 'inspection/permit/new');
  const headings = (): Promise<string[]> => page.locator('.record h2').allInnerTexts();
  await expect.poll(headings).toEqual(['Request', 'Grant', 'Other fields', 'Permit checks']);
  await control(page, 'site').fill('Harbour');
  const urgent = field(page, 'is_urgent');
  await urgent.getByRole('radio', { name: 'Yes' }).check();
  await control(page, 'visits').fill('-1');
  await expectAccessible(page);
  // Typed values do not vanish, and nothing is sent that the page does not show.
  await urgent.getByRole('radio', { name: 'No', exact: true }).check();
  await expect.poll(headings).toContain('Visits');
  await button(page, 'Create').click();
  await field(page, 'visits').locator('.error-text').waitFor();
  await control(page, 'visits').fill('1');
  await expect.poll(headings).not.toContain('Visits');
  await control(page, 'stage').selectOption('granted');
  await control(page, 'fee').fill('12');
  await button(page, 'Create').click();
  await expectToast(page, 'created');
  await page.getByRole('heading', { name: 'Harbour · ' }).waitFor();
  await expect
    .poll(headings)
    .toEqual(['Request', 'Visits', 'Grant', 'Other fields', 'Permit checks', 'Filled in automatically', 'History']);
  // The fee is immutable: it is text in its group.
  await expect.poll(() => page.getByRole('region', { name: 'Visits' }).innerText()).toMatch(/Fee\s+12/);
});

pageTest('states have the colors of the spec in lists and on the page of a record', async (page) => {
  for (const stage of ['open', 'granted', 'refused']) await create(server, permits, { site: `Site ${stage}`, stage });
  await create(server, '/api/expenses/claim', { title: 'Rome' });
  await openPlace(page, 'inspection/permit', { waitFor: '.table' });
  const colors = (): Promise<object> =>
    page
      .locator('.table .state')
      .evaluateAll((all) => Object.fromEntries(all.map((one) => [one.textContent, one.getAttribute('data-color')])));
  await expect.poll(colors).toEqual({ open: null, granted: 'green', refused: 'red' });
  await expectAccessible(page);
  await openPlace(page, 'expenses/claim', { waitFor: '.table' });
  await page.getByRole('link', { name: 'Rome' }).click();
  await button(page, 'Submit').click();
  await page.locator('dialog').getByRole('button', { name: 'Submit claim' }).click();
  await page.locator('.record-state .state[data-color="blue"]', { hasText: 'submitted' }).waitFor();
  // Words for programs are no help, and the history leaves out the fields that each change sets.
  const help = await page.locator('.help').allInnerTexts();
  expect(help.filter((text) => /events|Each change|Set by the service|When created/.test(text))).toEqual([]);
  await page.locator('summary', { hasText: 'History' }).click();
  const history = page.getByRole('region', { name: 'History' });
  await history.getByText('Submitted by').waitFor();
  await expectCount(history.getByText(/^Edited (at|by)$/), 0);
});

pageTest('titles are read through references, with a request for all rows and each step', async (page) => {
  const author = await create(server, '/api/library/author', { name: 'Ann' });
  const loans: string[] = [];
  for (let at = 1; at <= 8; at++) {
    const book = await create(server, '/api/library/book', { title: `Book ${at}`, author_id: author });
    loans.push(await create(server, '/api/library/loan', { book_id: book, borrower: `Bob ${at}` }));
  }
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/library/')) requests.push(pathname);
  });
  await openPlace(page, 'library/loan', { waitFor: '.table' });
  await page.getByRole('link', { name: 'Bob 8 · Book 8 · Ann' }).waitFor();
  await page.getByRole('link', { name: 'Bob 1 · Book 1 · Ann' }).waitFor();
  expect(requests.toSorted()).toEqual(['/api/library/author', '/api/library/book', '/api/library/loan']);
  await page.getByRole('link', { name: 'Bob 3 · Book 3 · Ann' }).click();
  await page.getByRole('heading', { name: 'Bob 3 · Book 3 · Ann' }).waitFor();
  await control(page, 'borrower').fill('Eve');
  await button(page, 'Save').click();
  await page.getByRole('heading', { name: 'Eve · Book 3 · Ann' }).waitFor();
  // Links and the history name it in the same way.
  const { book_id: book } = await read(server, `/api/library/loan/${loans[2]}`);
  await openPlace(page, `library/book/${book}`);
  await page.getByRole('region', { name: 'Loans' }).getByRole('link', { name: 'Eve · Book 3 · Ann' }).waitFor();
  await page.goto('/console#/activity');
  await page.getByRole('link', { name: 'Bob 7 · Book 7 · Ann' }).waitFor();
});
