import { createServer, request } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';

import { expectAccessible } from '../console/accessible.ts';
import { expectCount, expectNoSideScroll, openBrowser, openPage, pagesOf, phone } from '../support/browser.ts';
import { longRounds } from '../support/seed.ts';
import { sharedServer, testKey } from '../support/server.ts';

const server = sharedServer();
const { open, pageTest } = pagesOf(server);

/** A proxy that serves the service below /records/, as nginx does with a `location`. */
const proxy = createServer((incoming, outgoing) => {
  const path = /^\/records(\/.*)$/.exec(incoming.url ?? '')?.[1];
  if (path === undefined) return void outgoing.writeHead(404).end();
  const { method, headers } = incoming;
  const sent = request(server.url + path, { method: method ?? 'GET', headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(sent);
});
afterAll(() => proxy.close());

interface Document {
  readonly info: { readonly title: string };
  readonly tags: readonly { readonly name: string }[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
}

const openDocument = async (): Promise<Document> =>
  (await server.request('GET', '/openapi.json')).body as unknown as Document;

const texts = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allInnerTexts();

async function signIn(page: Page): Promise<void> {
  await page.click('.scheme-container .authorize');
  await page.fill('.modal-ux input', testKey);
  await page.click('.modal-ux button.authorize');
  await page.click('.modal-ux .btn-done');
}

/** Sends a create of a competitor, and returns the id in the answer that is shown. */
async function sendCreate(page: Page, name: string): Promise<string> {
  await page.fill('.search', 'competitor post');
  await page.click('.opblock-post .opblock-summary-control');
  await page.click('.try-out__btn');
  let shown = '';
  // None of them has the Idempotency-Key of another one.
  for (const sent of ['Another', name]) {
    await page.fill('.body-param textarea', JSON.stringify({ competitor_name: sent }));
    await page.click('.execute');
    const answer = page.locator('.live-responses-table', { hasText: `"competitor_name": "${sent}"` });
    await expect.poll(() => answer.innerText()).toMatch(/^\s*201\b/m);
    shown = await answer.innerText();
  }
  return /"id": "(\w+)"/.exec(shown)?.[1] as string;
}

for (const [width, options] of [
  ['desktop', { viewport: { width: 1280, height: 900 } }],
  ['phone', { viewport: phone, isMobile: true, hasTouch: true, colorScheme: 'dark' }],
] as const) {
  test(`the reference lists every resource, and sends requests, in a ${width}'s width`, async (context) => {
    await using watched = await open(context, options);
    const { page } = watched;
    const document = await openDocument();
    await page.goto('/');
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.waitForURL('**/docs');
    await page.waitForSelector('.opblock-tag');
    await expect.poll(() => page.title()).toBe(`${document.info.title}: API reference`);
    const [guide, ...groups] = document['x-tagGroups'];
    const chapters = new Set(guide?.tags);
    const tags = document.tags.filter(({ name }) => !chapters.has(name));
    const shown = (): Promise<(string | null)[]> =>
      page.locator('.opblock-tag').evaluateAll((all) => all.map((tag) => tag.getAttribute('data-tag')).toSorted());
    await expect.poll(shown).toEqual(tags.map(({ name }) => name).toSorted());
    const areas = async (): Promise<string[]> => (await texts(page, '.area')).map((area) => area.toLowerCase());
    await expect.poll(areas).toEqual(groups.map(({ name }) => name.toLowerCase()));
    await page.click('.guide summary');
    await expect.poll(() => texts(page, '.guide h2')).toEqual(guide?.tags);
    await page.click('.guide summary');
    await expectNoSideScroll(page);

    await signIn(page);
    const id = await sendCreate(page, `From a ${width}`);
    expect((await server.request('GET', `/api/crm/competitor/${id}`)).status).toBe(200);
    await expectNoSideScroll(page);
    // The samples of what was sent show no key.
    const samples = async (): Promise<string> => (await texts(page, '.curl-command')).join('');
    await expect.poll(samples).toContain(`From a ${width}`);
    expect(await samples()).not.toContain(testKey);

    // The key is kept for this tab.
    await page.reload();
    await page.waitForSelector('.scheme-container .authorize.locked');
    await expect.poll(() => page.evaluate('localStorage.length')).toBe(0);
    await page.click('.scheme-container .authorize');
    await page.click('.modal-ux .auth-btn-wrapper button:first-child');
    await expect.poll(() => page.evaluate('sessionStorage.length')).toBe(0);
    watched.expectNoFaults();
  });
}

test('nothing of the reference is closed to anyone: the dialog of the key, operations, schemas, and requests that were sent', async (context) => {
  await using watched = await open(context);
  const { page } = watched;
  await page.goto('/docs');
  await page.click('.scheme-container .authorize');
  await page.waitForSelector('.modal-ux input');
  await expectAccessible(page);
  await page.click('.modal-ux .btn-done');
  await signIn(page);
  await sendCreate(page, 'Accessible');
  await page.fill('.search', 'competitor');
  await page.click('.guide summary');
  const clickAll = async (selector: string): Promise<void> => {
    await page.waitForSelector(selector);
    await page.locator(selector).evaluateAll((all) => all.forEach((button) => button.click()));
  };
  await clickAll('.opblock-summary-control[aria-expanded=false]');
  await clickAll('.try-out__btn:not(.cancel)');
  await clickAll('.tablinks[data-name=model]');
  await clickAll('.json-schema-2020-12-expand-deep-button');
  await expectAccessible(page);
  watched.expectNoFaults();
});

pageTest('the reference has the theme of the console', async (page) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/docs');
  await page.waitForSelector('.opblock-tag');
  const background = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
  expect(await background()).toBe('rgb(255, 255, 255)');
  await page.evaluate("localStorage.setItem('console-theme', 'dark')");
  await page.reload();
  await expect.poll(background).toBe('rgb(18, 19, 22)');
  await page.getByRole('link', { name: 'Console' }).click();
  await page.getByLabel('API key').waitFor();
});

test('operations open at phone width without a scroll to the side', async (context) => {
  await using watched = await open(context, { viewport: phone });
  const { page } = watched;
  await page.goto('/docs');
  await page.fill('.search', longRounds('crm/lead', 'crm'));
  for (const operation of await page.locator('.opblock-summary-control').all()) {
    await operation.click();
    await expectCount(page.locator('.opblock.is-open'), 1);
    await expectNoSideScroll(page);
    await operation.click();
    await expectCount(page.locator('.opblock.is-open'), 0);
  }
  watched.expectNoFaults();
});

pageTest('a search finds paths, summaries and resources', async (page) => {
  await page.goto('/docs');
  const expectFound = async (words: string, ...paths: readonly string[]): Promise<void> => {
    await page.fill('.search', words);
    const shown = async (): Promise<Set<string>> =>
      new Set((await texts(page, '.opblock-summary-path')).map((path) => path.replaceAll(/[\u200b\s]/g, '')));
    await expect.poll(shown).toEqual(new Set(paths));
  };
  await expectFound('/api/crm/competitor', '/api/crm/competitor', '/api/crm/competitor/{id}');
  await expectFound('COMPETITOR delete', '/api/crm/competitor/{id}');
  await expectFound('nothing that there is');
  await expectFound('/api/crm/competitor', '/api/crm/competitor', '/api/crm/competitor/{id}');
  await expectFound('');
});

test('the reference works behind the prefix of a proxy', async (context) => {
  await using browser = await openBrowser(context);
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  await using watched = await openPage(browser, url);
  const { page } = watched;
  await page.goto('/records/');
  await page.getByRole('link', { name: 'API reference' }).click();
  await page.waitForURL('**/records/docs');
  await page.waitForSelector('.opblock-tag');
  await signIn(page);
  const id = await sendCreate(page, 'Behind a prefix');
  expect((await server.request('GET', `/api/crm/competitor/${id}`)).status).toBe(200);
  await expect
    .poll(async () => (await texts(page, '.curl-command')).join(''))
    .toContain(`'${url}/records/api/crm/competitor'`);
  watched.expectNoFaults();
});
