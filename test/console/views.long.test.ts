import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';

import { expectCount, expectNoSideScroll, pagesOf, phone } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { expectShown, fill, firstCells, openList } from './list-page.ts';
import { button, choose, holdAnswers } from './record-page.ts';

const server = sharedServer();
const { open, pageTest } = pagesOf(server);

/** A day so many after a given one, in the time zone of the pages. */
const dayAfter = (days: number): string =>
  new Intl.DateTimeFormat('sv', { timeZone: 'Pacific/Auckland' }).format(Date.now() + days * 86_400_000);

beforeAll(async () => {
  const orders = Array.from({ length: 130 }, (_, n) => ({
    company: n < 3 ? 'today' : `Company ${String(n).padStart(3, '0')}`,
    ordered_on: dayAfter(n - 125),
    currency: 'EUR',
    total: n,
    notes: `Note ${n}`,
  }));
  await fill(server, '/api/sales/order', orders);
  await fill(
    server,
    '/api/crm/lead',
    Array.from({ length: 60 }, (_, n) => ({ lead_name: `Lead ${n}`, status: n % 2 ? 'Lost' : 'Converted' })),
  );
});

const headings = (page: Page): Promise<readonly string[]> =>
  page
    .locator('.table th[data-name]')
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-name') ?? ''));

const columnsDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Columns' });

async function openColumns(page: Page): Promise<Locator> {
  await button(page, 'Columns').click();
  await columnsDialog(page).waitFor();
  return columnsDialog(page);
}

const placeOf = (page: Page): string => decodeURIComponent(new URL(page.url()).hash);

pageTest('columns are chosen, ordered and sized, by the keyboard too, and this browser keeps them', async (page) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(decodeURIComponent(request.url())));
  await openList(page, 'sales/order');
  await expectShown(page, '1–50 of 130');
  await page.evaluate(
    `localStorage.setItem('console-columns /console sales/order', '{"names":["company","gone","total"],"widths":{"total":"x"}}')`,
  );
  await page.reload();
  // A field that there is no longer is dropped.
  await expect.poll(() => headings(page)).toEqual(['company', 'total']);
  const dialog = await openColumns(page);
  await expectAccessible(page);
  await dialog.getByRole('checkbox', { name: 'Notes' }).focus();
  await page.keyboard.press('Space');
  await expect.poll(() => headings(page)).toEqual(['company', 'total', 'notes']);
  expect(
    requests.filter((url) => url.includes('fields=id,company,total,notes,updated_at&')),
    requests.slice(-5).join('\n'),
  ).not.toEqual([]);
  await expect.poll(() => page.evaluate("document.activeElement.closest('li').dataset.name")).toBe('notes');
  await dialog.getByRole('button', { name: 'Move Notes' }).focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => headings(page)).toEqual(['company', 'notes', 'total']);
  await dialog.getByText('Notes is column 2 of 3').waitFor();
  await dialog.getByLabel('Width of Total').fill('300');
  await page.keyboard.press('Tab');
  const widthOf = async (name: string): Promise<number> =>
    Math.round((await page.locator(`th[data-name="${name}"]`).boundingBox())?.width ?? 0);
  await expect.poll(() => widthOf('total')).toBe(300);
  await page.keyboard.press('Escape');
  await expectCount(columnsDialog(page), 0);
  // The edge of a heading stays below the pointer; the columns behind it take what is left.
  const edge = page.locator('th[data-name="company"] .edge');
  const box = await edge.boundingBox();
  const before = await widthOf('company');
  if (!box) throw new Error('The heading has no edge.');
  await page.mouse.move(box.x + 4, box.y + 9);
  await page.mouse.down();
  await page.mouse.move(box.x + 64, box.y + 9, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => widthOf('company')).toBe(before + 60);
  await expectCount(page.locator('th[aria-sort="ascending"]'), 0);
  await page.reload();
  await expect.poll(() => widthOf('company')).toBe(before + 60);
  expect(await headings(page)).toEqual(['company', 'notes', 'total']);
  await openColumns(page);
  await button(page, 'Reset').click();
  await expect.poll(() => headings(page)).toContain('currency');
});

pageTest('columns beyond the window are told, and reached', async (page) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  await openList(page, 'sales/order');
  await expectCount(page.locator('.beside'), 0);
  const dialog = await openColumns(page);
  for (const name of ['Contact', 'Due on', 'Shipped on', 'Payment days', 'Discount', 'Notes']) {
    const check = dialog.getByRole('checkbox', { name });
    if (!(await check.isChecked())) await check.click();
  }
  await page.keyboard.press('Escape');
  const beside = page.locator('.beside');
  await expect.poll(() => beside.innerText()).toMatch(/^\+\d more columns? →$/);
  const last = page.locator('th[data-name="notes"]');
  const isSeen = (): Promise<boolean> => last.evaluate((cell) => cell.getBoundingClientRect().right <= 1292);
  expect(await isSeen()).toBe(false);
  await beside.focus();
  await expect
    .poll(async () => {
      if ((await beside.innerText()).startsWith('+')) await page.keyboard.press('Enter');
      return beside.innerText();
    })
    .toBe('← First columns');
  expect(await isSeen()).toBe(true);
  // The name of the record stays in sight.
  await expect
    .poll(() =>
      firstCells(page)
        .first()
        .evaluate((cell) => cell.getBoundingClientRect().left),
    )
    .toBeGreaterThan(0);
  await expectNoSideScroll(page);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1920, height: 700 });
  await expectCount(beside, 0);
});

pageTest('a list gets a name, is shown again, renamed, a favourite, and removed', async (page) => {
  await openList(page, 'sales/order?status=draft&sort=-total&limit=20&page=2');
  await button(page, 'Save view').click();
  await page.getByRole('dialog', { name: 'Save view' }).waitFor();
  await page.keyboard.type('Large drafts');
  await page.keyboard.press('Enter');
  const views = page.getByRole('navigation', { name: 'Views' });
  await views.getByRole('link', { name: 'Large drafts' }).and(page.locator('[aria-current]:focus')).waitFor();
  await expect.poll(() => placeOf(page)).toBe('#/sales/order?status=draft&sort=-total');
  await views.getByRole('link', { name: 'All' }).click();
  await expect.poll(() => placeOf(page)).toBe('#/sales/order');
  await views.getByRole('link', { name: 'Large drafts' }).click();
  await expect.poll(() => firstCells(page).first().innerText()).toContain('draft');
  await button(page, 'Change the view Large drafts').click();
  await expectAccessible(page);
  await page.getByLabel('Name').fill('Drafts');
  await page.getByLabel('On the start page').check();
  await page.keyboard.press('Enter');
  await views.getByRole('link', { name: 'Drafts', exact: true }).waitFor();
  const stored = (): Promise<unknown> => page.evaluate("JSON.parse(localStorage.getItem('console-views /console'))");
  const drafts = { resource: 'sales/order', name: 'Drafts', parameters: 'status=draft&sort=-total', isFavourite: true };
  await expect.poll(stored).toEqual([drafts]);
  // A change of the view that is seen takes its place, if it keeps its name.
  await page.goto('/console#/sales/order?status=draft');
  await button(page, 'Save view').click();
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Drafts');
  await page.keyboard.press('Enter');
  await expect.poll(stored).toEqual([{ ...drafts, parameters: 'status=draft' }]);
  await page.setViewportSize(phone);
  await expectAccessible(page);
  await expectNoSideScroll(page);
  await button(page, 'Change the view Drafts').click();
  await button(page, 'Remove').click();
  await expect.poll(stored).toEqual([]);
  await expectCount(views, 0);
  await page.locator('h1:focus').waitFor();
});

test('relative dates stay in the URL, and are dates of the time zone in requests', async (context) => {
  await using watched = await open(context, { timezoneId: 'Pacific/Auckland' });
  const { page } = watched;
  const requests: URLSearchParams[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/api/sales/order') requests.push(url.searchParams);
  });
  await openList(page, 'sales/order');
  await expectShown(page, '1–50 of 130');
  await button(page, 'Filter').click();
  await page.getByLabel('Field').selectOption('ordered_on');
  await page.getByLabel('Day', { exact: true }).selectOption({ label: 'in the last … days' });
  await page.getByLabel('Days', { exact: true }).fill('7');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expectShown(page, '1–8 of 8');
  await expect.poll(() => placeOf(page)).toBe('#/sales/order?ordered_on=last-7d');
  expect(requests.at(-1)?.get('ordered_on[gte]')).toBe(dayAfter(-7));
  expect(requests.at(-1)?.get('ordered_on[lt]')).toBe(dayAfter(1));
  await page.getByRole('button', { name: /^Ordered on is in the last 7 days \(.* \d{4}\)$/ }).click();
  await page.getByLabel('Condition').selectOption({ label: 'is after' });
  await page.getByLabel('Day', { exact: true }).selectOption({ label: 'today' });
  await button(page, 'Apply').click();
  await expectShown(page, '1–4 of 4');
  await page.getByText('Ordered on is after today').waitFor();
  // Midnight in Auckland, of which two bounds are asked for: the later one holds.
  await page.goto('/console#/sales/order?created_at=today&created_at[gte]=today-7d&company=today');
  await expectShown(page, '1–3 of 3');
  const after = String(requests.at(-1)?.get('created_at[gte]'));
  expect(new Date(after).toLocaleString('sv', { timeZone: 'Pacific/Auckland' })).toBe(`${dayAfter(0)} 00:00:00`);
  expect(requests.at(-1)?.get('company')).toBe('today');
  watched.expectNoFaults();
});

test('a list prints as a table: all rows of the filter, without controls, on white paper', async (context) => {
  await using watched = await open(context, { colorScheme: 'dark', viewport: phone });
  const { page } = watched;
  await openList(page, 'sales/order?company[ne]=today&sort=total&limit=20');
  await expectShown(page, '1–20 of 127');
  // A test has no printer.
  await page.evaluate('window.print = () => void (window.isPrinting = true)');
  await choose(page, 'Print');
  await expect.poll(() => page.evaluate('window.isPrinting')).toBe(true);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expectCount(page.locator('tbody tr'), 127);
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  await page.getByText(/^1–127 of 127 · Printed on /).waitFor();
  await page.getByText('Company is not today').waitFor();
  for (const control of await page.locator('button:not(.chip button, th button), select, input, nav').all())
    expect(await control.isVisible(), String(await control.evaluate((node) => node.outerHTML))).toBe(false);
  const style = (selector: string, property: string): Promise<string> =>
    page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)}))[${JSON.stringify(property)}]`);
  expect(await style('thead', 'display')).toBe('table-header-group');
  expect(await style('body', 'backgroundColor')).toBe('rgb(255, 255, 255)');
  expect(await style('td', 'color')).toBe('rgb(27, 28, 32)');
  const pages = (await page.pdf({ format: 'A4', preferCSSPageSize: true }))
    .toString('latin1')
    .match(/\/Type ?\/Page\b/g);
  expect(pages?.length).toBeGreaterThan(2);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  await expectCount(page.locator('.card-list li'), 20);
  watched.expectNoFaults();
});

pageTest('another filter gives up what is being printed, and what it was is never on paper', async (page) => {
  await openList(page, 'sales/order?company=today');
  await expectShown(page, '1–3 of 3');
  await page.evaluate('window.print = () => void (window.isPrinting = true)');
  const held = await holdAnswers(page, '**/api/sales/order?*limit=1000*');
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().includes('limit=1000'));
  await choose(page, 'Print');
  await held.asked;
  await page.locator('.rows.busy').waitFor();
  await page.getByRole('button', { name: 'Remove the filter Company is today' }).click();
  await aborted;
  await expectShown(page, '1–50 of 130');
  await page.goBack();
  await expectShown(page, '1–3 of 3');
  await expectCount(page.locator('.rows.busy'), 0);
  expect(await page.evaluate('window.isPrinting')).toBeUndefined();
});

test.for([{}, { viewport: phone }])('pills of states have no faults that axe finds (%j)', async (options, context) => {
  await using watched = await open(context, options);
  const { page } = watched;
  await openList(page, 'crm/lead');
  await page.locator('.state[data-stage="stopped"]').first().waitFor();
  await page.locator('.state[data-stage="done"]').first().waitFor();
  await expectAccessible(page);
  watched.expectNoFaults();
});
