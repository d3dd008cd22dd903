import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

import { service } from '../../generated/app.ts';
import { expectAccessible } from '../console/accessible.ts';
import { openPlace } from '../console/record-page.ts';
import { runInProcess } from '../server/in-process.ts';
import { expectCount, expectNoSideScroll, pagesOf, phone } from '../support/browser.ts';
import { sharedServer } from './server.ts';

const server = sharedServer();
// A part fails, and so many states are refused.
const { open, pageTest } = pagesOf(server, {}, /status of (400 \(Bad Request\)|500)/);

const home = { waitFor: '.home' };

const part = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

const states = (page: Page, list: string): Locator => part(page, 'By state').getByRole('list', { name: list });

async function create(path: string, body: object, key?: string): Promise<string> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const answer = await server.request('POST', `/api/${path}`, body, headers);
  expect(answer.status, answer.text).toBe(201);
  return (answer.body as { id: string }).id;
}

async function keyWith(...scopes: readonly string[]): Promise<string> {
  const args = ['create', '--name', 'office', ...scopes.flatMap((scope) => ['--scope', scope])];
  const made = await runInProcess(service, { DATABASE_URL: server.databaseUrl }, 'keys', ...args);
  expect(made.code, made.stderr).toBe(0);
  return made.stdout.trim();
}

pageTest('an empty service says how to begin, and then what there is', async (page) => {
  await openPlace(page, '', home);
  await part(page, 'Begin here').getByRole('link', { name: 'New bank guarantee' }).waitFor();
  await expectAccessible(page);
  await part(page, 'Begin here').getByRole('button', { name: 'Import addresses…' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1, name: 'Addresses' }).waitFor();
});

pageTest('the start page counts states, and each leads to its records', async (page) => {
  for (const status of ['Open', 'Open', 'Converted', null]) await create('crm/lead', { lead_name: 'Ann', status });
  await openPlace(page, '', home);
  await expect
    .poll(() => states(page, 'Leads').getByRole('link').allInnerTexts())
    .toEqual([
      expect.stringMatching(/^Open\s+2$/),
      expect.stringMatching(/^No value\s+1$/),
      expect.stringMatching(/^Converted\s+1$/),
    ]);
  await expectAccessible(page);
  await states(page, 'Leads').getByRole('link', { name: 'No value' }).click();
  await page.locator('.pager .count', { hasText: '1–1 of 1' }).waitFor();
  await page.goBack();
  await states(page, 'Leads').getByRole('link', { name: 'Open' }).click();
  await page.locator('.pager .count', { hasText: '1–2 of 2' }).waitFor();
});

pageTest('the start page shows open records whose date has passed, and leads to all of them', async (page) => {
  const dated = (title: string, status: string, valid_till: string | null) =>
    create('crm/quotation', { title, customer_name: title, status, valid_till });
  await dated('Late', 'Open', '2020-02-03');
  await dated('Later', 'draft', '2020-02-02');
  await dated('Done', 'Closed', '2020-02-01');
  await dated('Coming', 'Open', '2999-01-01');
  await dated('Timeless', 'Open', null);
  await openPlace(page, '', home);
  const overdue = part(page, 'Overdue');
  await expect
    .poll(() => overdue.getByRole('list', { name: 'Quotations: Valid till' }).getByRole('link').allInnerTexts())
    .toEqual(['Later', 'Late']);
  await overdue.getByRole('link', { name: '2', exact: true }).click();
  await page.locator('.pager .count', { hasText: '1–2 of 2' }).waitFor();
});

pageTest('overdue records in more states than are counted are told so', async (page) => {
  const operations = Array.from({ length: 101 }, (_, n) => ({
    method: 'POST',
    path: '/api/crm/quotation',
    body: { title: 'Many', customer_name: 'Many', status: `State ${n}`, valid_till: '2020-01-01' },
  }));
  for (const some of [operations.slice(0, 100), operations.slice(100)]) {
    expect((await server.request('POST', '/api/batch', { operations: some })).status).toBe(200);
  }
  await openPlace(page, '', home);
  const list = part(page, 'Overdue').getByRole('list', { name: 'Quotations: Valid till' });
  await list.getByText('More than 100 different values').waitFor();
  await expectCount(part(page, 'Overdue').getByRole('alert'), 0);
});

pageTest(
  'the start page shows the latest changes of all and of the key, favourites, and what was opened',
  async (page) => {
    const key = await keyWith('*');
    const own = await create('crm/competitor', { competitor_name: 'Own Competitor' });
    await create('crm/competitor', { competitor_name: 'Other Competitor' }, key);
    for (const website of ['https://one.example', 'https://two.example']) {
      await server.request('PATCH', `/api/crm/competitor/${own}`, { website });
    }
    await openPlace(page, `crm/competitor/${own}`);
    const view = { resource: 'crm/lead', name: 'Mine', parameters: 'status=Open', isFavourite: true };
    await page.evaluate(
      `localStorage.setItem('console-views ' + location.pathname, ${JSON.stringify(JSON.stringify([view]))})`,
    );
    await openPlace(page, '', home);
    await part(page, 'Recently opened').getByRole('link', { name: 'Own Competitor' }).waitFor();
    const changes = part(page, 'Latest changes');
    const other = changes.getByRole('listitem').filter({ hasText: 'Other Competitor' });
    await other.filter({ hasText: /Competitor · Created/ }).waitFor();
    const mine = changes.getByRole('listitem').filter({ hasText: 'Own Competitor' });
    await mine
      .filter({ hasText: 'Competitor · Changed: Website · and 2 more changes' })
      .filter({ hasText: 'you' })
      .waitFor();
    await changes.getByRole('button', { name: 'Yours' }).click();
    await expectCount(other, 0);
    await changes.getByRole('link', { name: 'Own Competitor' }).waitFor();
    await expectAccessible(page);
    await part(page, 'Favourites').getByRole('link', { name: 'Mine' }).click();
    await expect.poll(() => page.url()).toContain('#/crm/lead?status=Open');
  },
);

pageTest('a key of few scopes sees its part, on a phone, and a part that fails says so alone', async (_, context) => {
  await create('support/issue', { subject: 'Broken' });
  const key = await keyWith('crm/lead:read', 'support/issue');
  await using watched = await open(context, { viewport: phone });
  const { page } = watched;
  await page.route('**/api/crm/lead/count?*', (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: JSON.stringify({ status: 500, title: 'x', code: 'internal', detail: 'It is broken.' }),
    }),
  );
  await openPlace(page, '', { ...home, key });
  await part(page, 'By state').getByRole('alert').filter({ hasText: 'It is broken.' }).waitFor();
  await states(page, 'Issues').getByRole('link', { name: 'Open' }).waitFor();
  await expectCount(part(page, 'Latest changes'), 0);
  await expect.poll(() => part(page, 'Everything').getByRole('link').allInnerTexts()).toEqual(['Leads', 'Issues']);
  await expectNoSideScroll(page);
  await page.unroute('**/api/crm/lead/count?*');
  await part(page, 'By state').getByRole('button', { name: 'Try again' }).click();
  await expectCount(part(page, 'By state').getByRole('alert'), 0);
  watched.expectNoFaults();
});
