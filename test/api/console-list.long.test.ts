import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { sharedServer } from './server.ts';
import { expectAccessible } from '../console/accessible.ts';
import { expectShown, fill, firstCells, openList } from '../console/list-page.ts';
import { choose, escapeDialog } from '../console/record-page.ts';
import { expectCount, pagesOf, phone } from '../support/browser.ts';

const server = sharedServer();
const { open, pageTest } = pagesOf(server);

const hostile = {
  subject: '<img src=x onerror="document.title=1"><script>alert(1)</script>\u202e\u2066txt.exe\u0000'.replace(
    '\u0000',
    '',
  ),
  customer: '"><svg/onload=alert(1)>',
  raised_by: '${alert(1)} {{7*7}} javascript:alert(1)',
  description: '\u202e'.repeat(100),
};

beforeAll(async () => {
  const issues = Array.from({ length: 1_200 }, (_, n) => ({
    subject: `Issue ${String(n).padStart(4, '0')}`,
    customer: n % 3 === 0 ? 'Globex' : `Customer, ${n % 10}`,
    status: n % 4 === 0 ? 'Closed' : 'Open',
    priority: ['Low', 'Medium', 'High'][n % 3],
    ...(n % 2 === 0 && { opening_date: `2026-0${1 + (n % 9)}-15` }),
  }));
  await fill(server, '/api/support/issue', issues);
  await fill(server, '/api/crm/competitor', [{ competitor_name: 'Initech' }]);
});

const placeOf = (page: Page): string => decodeURIComponent(new URL(page.url()).hash);

pageTest('filters, which the URL has and going back takes away', async (page) => {
  await openList(page, 'support/issue');
  await expectShown(page, '1–50 of 1,200');
  const filter = page.getByRole('button', { name: 'Filter', exact: true });
  await filter.click();
  await page.getByLabel('Field').selectOption('customer');
  await page.getByLabel('Value').fill('Globex');
  await page.keyboard.press('Enter');
  await expectShown(page, '1–50 of 400');
  await expect.poll(() => placeOf(page)).toBe('#/support/issue?customer=Globex');
  await filter.click();
  await page.getByLabel('Field').selectOption('status');
  await page.getByLabel('Condition').selectOption({ label: 'is not' });
  await page.getByLabel('Value').fill('Closed');
  await page.getByRole('button', { name: 'Add filter' }).click();
  await expectShown(page, '1–50 of 300');
  await page.reload();
  await expectShown(page, '1–50 of 300');
  await page.getByRole('button', { name: 'Customer is Globex', exact: true }).click();
  await page.getByLabel('Condition').selectOption({ label: 'is any of' });
  await page.getByLabel('Value').fill(String.raw`Customer\, 1, Customer\, 2`);
  await page.getByRole('button', { name: 'Apply' }).click();
  await expectShown(page, '1–50 of 120');
  await page.getByRole('button', { name: 'Remove the filter Status is not Closed' }).click();
  await expectShown(page, '1–50 of 160');
  await page.goBack();
  await expectShown(page, '1–50 of 120');
});

test.for([
  ['opening_date', 'is empty', undefined, '1–50 of 600'],
  ['opening_date', 'is on or after', '2026-05-01', '1–50 of 333'],
  ['customer', 'starts with', 'Cust', '1–50 of 800'],
] as const)('filters where %s %s %s', async ([field, condition, value, shown], context) => {
  await using watched = await open(context);
  const { page } = watched;
  await openList(page, 'support/issue');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel('Field').selectOption(field);
  await page.getByLabel('Condition').selectOption({ label: condition });
  if (value !== undefined) await page.getByLabel('Value').fill(value);
  await page.getByRole('button', { name: 'Add filter' }).click();
  await expectShown(page, shown);
  watched.expectNoFaults();
});

pageTest('sorts by the headers, and pages by cursors', async (page) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(decodeURIComponent(request.url())));
  await openList(page, 'support/issue?limit=100');
  await expectShown(page, '1–100 of 1,200');
  await expect.poll(() => firstCells(page).first().innerText()).toBe('Issue 1199');
  await page.getByRole('button', { name: 'Opening date' }).click();
  await page.locator('th[aria-sort="ascending"]', { hasText: 'Opening date' }).waitFor();
  await page.getByRole('button', { name: 'Opening date' }).click();
  await page.locator('th[aria-sort="descending"]', { hasText: 'Opening date' }).waitFor();
  await expect.poll(() => page.locator('tbody tr[data-index="0"] td').last().innerText()).toContain('2026');
  await page.getByRole('button', { name: 'Opening date' }).click();
  await page.locator('th[aria-sort="none"]', { hasText: 'Opening date' }).waitFor();
  const next = page.getByRole('button', { name: 'Next page' });
  await next.click();
  await expectShown(page, '101–200 of 1,200');
  await expect.poll(() => firstCells(page).first().innerText()).toBe('Issue 1099');
  await next.click();
  await expectShown(page, '201–300 of 1,200');
  await page.getByRole('button', { name: 'Previous page' }).click();
  await expectShown(page, '101–200 of 1,200');
  expect(requests.filter((url) => url.includes('offset='))).toHaveLength(1);
  await page.getByLabel('Per page').selectOption('1000');
  await expectShown(page, '1–1,000 of 1,200');
  await page.goto('/console#/support/issue?limit=100&page=12');
  await expectShown(page, '1,101–1,200 of 1,200');
  await expect.poll(() => firstCells(page).first().innerText()).toBe('Issue 0099');
  await expect.poll(() => next.isDisabled()).toBe(true);
});

pageTest('a filter on the empty text is one', async (page) => {
  await openList(page, 'support/issue');
  await expectShown(page, '1–50 of 1,200');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByLabel('Field').selectOption('customer');
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByText('No records match.').waitFor();
});

test('a page whose cursor is gone is found by its number', async (context) => {
  await using watched = await open(context, {}, /status of 400/);
  const { page } = watched;
  await openList(page, `support/issue?sort=opening_date&limit=100&page=3&after=issue_${'0'.repeat(26)}`);
  await expectShown(page, '201–300 of 1,200');
  await expectCount(page.getByRole('alert'), 0);
  watched.expectNoFaults();
});

pageTest('searches the words of a text', async (page) => {
  await openList(page, 'support/issue');
  await expectShown(page, '1–50 of 1,200');
  await page.keyboard.press('/');
  await page.keyboard.type('issue 0042');
  await expectShown(page, '1–1 of 1');
  await expect.poll(() => firstCells(page).allInnerTexts()).toEqual(['Issue 0042']);
  await expect.poll(() => placeOf(page)).toContain('q=issue');
});

pageTest('is used by the keyboard, and comes back to the record that was opened', async (page) => {
  await openList(page, 'support/issue?limit=1000');
  await expectShown(page, '1–1,000 of 1,200');
  for (let n = 0; n < 60; n++) await page.keyboard.press('j');
  await page.keyboard.press('k');
  const focused = page.locator('tbody tr:focus-within td:nth-child(2)');
  await expect.poll(() => focused.innerText()).toBe('Issue 1141');
  await page.keyboard.press('Enter');
  await expect.poll(() => placeOf(page)).toMatch(/^#\/support\/issue\/issue_/);
  await page.goBack();
  await expect.poll(() => focused.innerText()).toBe('Issue 1141');
  await page.keyboard.press('?');
  await escapeDialog(page);
  await page.keyboard.press('n');
  await expect.poll(() => placeOf(page)).toBe('#/support/issue/new');
});

pageTest('a record leads back to its list as it was, also after a reload and a save', async (page) => {
  const list = '#/support/issue?status=Open&sort=-opening_date&limit=20&page=2';
  await openList(page, list.slice(2));
  const row = firstCells(page).first();
  await row.click();
  await page.locator('form.record').waitFor();
  await expect.poll(() => placeOf(page)).toMatch(/^#\/support\/issue\/issue_\w+$/);
  await page.reload();
  await page.locator('form.record').waitFor();
  await page.keyboard.press('Escape');
  await expectShown(page, '21–40 of 900');
  await expect.poll(() => placeOf(page)).toBe(list);
  await row.click();
  await page.locator('form.record').waitFor();
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link').click();
  await expectShown(page, '21–40 of 900');
  await expect.poll(() => placeOf(page)).toBe(list);
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Subject' }).fill('Zero');
  await page.keyboard.press('Control+s');
  await page.getByText('Issue created').waitFor();
  await choose(page, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.locator('.toast', { hasText: 'Issue deleted' }).waitFor();
  await expect.poll(() => placeOf(page)).toBe(list);
});

test('says that nothing matches, what a query is refused for, and that the server cannot be reached', async (context) => {
  await using watched = await open(context, {}, /status of 400|ERR_FAILED/);
  const { page } = watched;
  await openList(page, 'support/issue?customer=Nobody');
  await page.getByText('No records match.').waitFor();
  await page.getByRole('button', { name: 'Show all records' }).click();
  await expectShown(page, '1–50 of 1,200');
  await page.goto('/console#/support/issue?custmer=Globex');
  await page.getByRole('alert').filter({ hasText: 'customer' }).waitFor();
  await page.getByRole('alert').getByRole('button', { name: 'Show all records' }).click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.route('**/api/support/issue?*', (route) => route.abort());
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByText('The server cannot be reached.').waitFor();
  await expect.poll(() => firstCells(page).first().innerText()).toBe('Issue 1199');
  await page.unroute('**/api/support/issue?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectShown(page, '51–100 of 1,200');
  watched.expectNoFaults();
});

test('shows a hostile record as text', async (context) => {
  await fill(server, '/api/support/issue', [hostile]);
  for (const options of [{}, { viewport: phone }]) {
    await using watched = await open(context, options);
    const { page } = watched;
    await openList(page, 'support/issue?customer=%22%3E%3Csvg/onload%3Dalert(1)%3E');
    await expectShown(page, '1–1 of 1');
    const link = page.locator('.rows a');
    await expect.poll(() => link.innerText()).toContain('<img src=x onerror=');
    await expect.poll(() => page.locator('.rows').innerText()).toContain(hostile.customer);
    await expectCount(page.locator('.rows :is(img, script, svg)'), 0);
    await expect.poll(() => page.title()).toBe('Issues · Business Records');
    watched.expectNoFaults();
  }
  const { body } = await server.request('GET', '/api/support/issue?limit=1');
  const [{ id = '' } = {}] = (body as { data: { id?: string }[] }).data;
  await server.request('DELETE', `/api/support/issue/${id}`);
});

test.for([{}, { viewport: phone }])('has no faults that axe finds (%j)', async (options, context) => {
  await using watched = await open(context, options);
  const { page } = watched;
  await openList(page, 'support/issue?status=Open&sort=-opening_date');
  await expectShown(page, '1–50 of 900');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('dialog', { name: 'Filter' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expectCount(page.getByRole('dialog'), 0);
  await choose(page, 'Keyboard');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  await expectAccessible(page);
  await escapeDialog(page);
  await page.goto('/console#/support/issue?status=None');
  await page.getByText('No records match.').waitFor();
  await expectAccessible(page);
  await page.goto('/console#/accounts/bank-guarantee');
  await page.getByText('There are no records yet.').waitFor();
  await expectAccessible(page);
  watched.expectNoFaults();
});
