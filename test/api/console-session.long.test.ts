import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';

import { service } from '../../generated/app.ts';
import { consoleScripts } from '../../runtime/apps/console/scripts.ts';
import { resources } from './interface.ts';
import { sharedServer } from './server.ts';
import { runInProcess } from '../server/in-process.ts';
import { expectAccessible } from '../console/accessible.ts';
import { enterKey, openList, signOut } from '../console/list-page.ts';
import { expectCount, openBrowser, openPage, pagesOf, phone } from '../support/browser.ts';
import { testKey } from '../support/server.ts';

const server = sharedServer();
const { open, pageTest } = pagesOf(server);

const unauthorized = /status of 401/;

test('signs in with a key, keeps it in the session of the tab alone, and signs out', async (context) => {
  await using watched = await open(context, {}, unauthorized);
  const { page } = watched;
  await page.goto('/console');
  await enterKey(page, 'wrong-key-0123456789abcdef');
  await page.getByRole('alert').filter({ hasText: 'This key is not valid.' }).waitFor();
  await enterKey(page);
  await page.getByRole('heading', { level: 1, name: 'Business Records' }).waitFor();
  const stored = await page.evaluate<unknown>('[{ ...sessionStorage }, { ...localStorage }, document.cookie]');
  expect(stored).toEqual([{ 'console-key': testKey }, {}, '']);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Business Records' }).waitFor();
  await signOut(page);
  await page.getByLabel('API key').waitFor();
  await expect.poll(() => page.evaluate<unknown>('({ ...sessionStorage })')).toEqual({});
  watched.expectNoFaults();
});

test('a key that is no longer valid leads back to the sign-in, and then to the same place', async (context) => {
  await using watched = await open(context, {}, unauthorized);
  const { page } = watched;
  await page.route('**/api/crm/lead?*', (route) =>
    route.fulfill({ status: 401, json: { status: 401, code: 'unauthorized', detail: 'The key was revoked.' } }),
  );
  await page.addInitScript(`sessionStorage.setItem('console-key', ${JSON.stringify(testKey)})`);
  await page.goto('/console#/crm/lead');
  await page.getByRole('alert').filter({ hasText: 'Your key is no longer valid.' }).waitFor();
  await page.unroute('**/api/crm/lead?*');
  await enterKey(page);
  await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
  watched.expectNoFaults();
});

pageTest('every resource can be reached from the side bar, or from the page of its parent', async (page) => {
  await page.goto('/console');
  await enterKey(page);
  const links = page.getByRole('navigation', { name: 'Resources' }).locator('li a');
  await links.first().waitFor();
  const places = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href')));
  const ofOtherParents = resources.filter(
    (resource) => resource.kind !== 'line-item' || resource.parentResource === undefined,
  );
  const wanted = [...ofOtherParents.map(({ path }) => path.replace('/api', '#')), '#/activity'];
  expect(places.toSorted()).toEqual(wanted.toSorted());
  for (const [index, place] of places.entries()) {
    await links.nth(index).click();
    await expect.poll(() => page.url()).toContain(place);
    const title = await links.nth(index).innerText();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await expectCount(page.locator('.opening, [aria-busy="true"]'), 0);
  }
});

test('offers what the scopes of a key allow', async (context) => {
  const scopes = ['--scope', 'crm/lead:read', '--scope', 'support'];
  const made = await runInProcess(
    service,
    { DATABASE_URL: server.databaseUrl },
    'keys',
    'create',
    '--name',
    'office',
    ...scopes,
  );
  expect(made.code, made.stderr).toBe(0);
  const key = made.stdout.trim();
  await using watched = await open(context);
  const { page } = watched;
  await openList(page, 'crm/lead', key);
  await expect.poll(() => page.locator('.side-bar li').allInnerTexts()).toEqual(['Leads', 'Issues']);
  await expectCount(page.getByRole('link', { name: 'New' }), 0);
  await page.locator('.side-bar').getByRole('link', { name: 'Issues' }).click();
  await page.getByRole('link', { name: 'New' }).waitFor();
  await page.goto('/console#/crm/competitor');
  await page.getByText('a key with the scope crm/competitor:read').waitFor();
  watched.expectNoFaults();
});

test.for([{}, { viewport: phone }])(
  'the sign-in and the start page have no faults that axe finds (%j)',
  async (options, context) => {
    await using watched = await open(context, options);
    const { page } = watched;
    await page.goto('/console');
    await page.getByLabel('API key').waitFor();
    await expectAccessible(page);
    await enterKey(page);
    await page.getByRole('heading', { level: 1, name: 'Business Records' }).waitFor();
    await expectAccessible(page);
    if ('viewport' in options) {
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.locator('.open .side-bar').waitFor();
      await expectAccessible(page);
    }
    watched.expectNoFaults();
  },
);

test('works behind the path prefix of a proxy', async (context) => {
  const proxy = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming;
    if (!url.startsWith('/office/')) {
      outgoing.writeHead(404).end();
      return;
    }
    const options = { port: server.port, path: url.slice('/office'.length), method, headers };
    const forwarded = request(options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  try {
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    await using browser = await openBrowser(context);
    await using watched = await openPage(browser, url);
    const { page } = watched;
    await page.goto('/office/console');
    await enterKey(page);
    await page.locator('.side-bar').getByRole('link', { name: 'Leads', exact: true }).click();
    await page.getByText('There are no records yet.').waitFor();
    await page.getByRole('link', { name: 'New', exact: true }).click();
    await page.locator('form.record').waitFor();
    await expect.poll(() => page.url()).toBe(`${url}/office/console#/crm/lead/new`);
    watched.expectNoFaults();
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});

test('the first load takes less than 140 kB, compressed', async (context) => {
  await using watched = await open(context);
  const { page } = watched;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  let documents = 0;
  page.on('request', (sent) => (documents += Number(sent.url().endsWith('/openapi.json'))));
  await openList(page, 'crm/lead');
  await page.locator('.pager').waitFor();
  expect(documents, 'the one that the page has begun to load is used').toBe(1);
  console.info(`The first load of the console takes ${bytes} bytes.`);
  expect(bytes).toBeLessThan(140_000);
});

test('all JavaScript of the console, also what is rarely loaded, takes less than 140 kB, compressed', async () => {
  const sizeOf = async ({ name }: { readonly name: string }): Promise<number> => {
    const init = { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip, br' } };
    const { status, headers } = await fetch(`${server.url}/console/${name}`, init);
    expect(status, name).toBe(200);
    return Number(headers.get('Content-Length'));
  };
  const sizes = await Promise.all(consoleScripts(service.tables).map(sizeOf));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  console.info(`The console has ${sizes.length} scripts of ${bytes} bytes.`);
  expect(Math.min(...sizes)).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(140_000);
});
