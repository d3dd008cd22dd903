import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { type TestServer, testKey } from '../support/server.ts';

/** Every answer that refuses something is an error of the browser's console: those that a test provokes are expected. */
export const refusals = /Failed to load resource: the server responded with a status of (403|404|409|412|422)/;

interface Place {
  readonly key?: string;
  /** A selector of an element of the finished page. */
  readonly waitFor?: string;
}

/**
 * Opens a place of the console, signed in, in a document of its own: what the one before shows is not taken for it.
 *
 * @param place like `crm/lead/new`
 */
export async function openPlace(page: Page, place: string, options: Place = {}): Promise<void> {
  const { key = testKey, waitFor = 'form.record' } = options;
  await page.addInitScript(`sessionStorage.setItem('console-key', ${JSON.stringify(key)})`);
  await page.goto('/healthz');
  await page.goto(`/console#/${place}`);
  await page.locator(waitFor).waitFor();
  // A new record takes the focus.
  if (place.endsWith('/new')) await page.locator('.grid :focus').waitFor();
}

/** The element of a field with its label, control and errors. */
export const field = (page: Page, name: string): Locator => page.locator(`.fields [data-field="${name}"]`);

/** The control of a field that is not a boolean. */
export const control = (page: Page, name: string): Locator =>
  field(page, name).locator('input, textarea, select').first();

/** The control of a line item. @param row from 1 */
export const cell = (page: Page, title: string, row: number): Locator =>
  page.getByLabel(`${title}, row ${row}`, { exact: true });

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true });

/** Opens the menu of a record, or of a list. @returns its entries */
export async function openMenu(page: Page): Promise<Locator> {
  const name = /^(?:More actions|Weitere Aktionen)$/;
  await page.getByRole('button', { name }).click();
  return page.getByRole('menu', { name }).getByRole('menuitem');
}

/** Chooses an entry of the menu of a record, or of a list. */
export async function choose(page: Page, name: string): Promise<void> {
  await (await openMenu(page)).filter({ hasText: new RegExp(`^${name}$`) }).click();
}

/** Waits until the menu says why an entry is not possible now, and closes it. */
export async function expectNotPossible(page: Page, name: string, reason: string): Promise<void> {
  await openMenu(page);
  const entry = page.getByRole('menuitem', { name, exact: true, disabled: true });
  const why = page.locator(`[id="${await entry.getAttribute('aria-describedby')}"]`);
  await expect.poll(() => why.innerText()).toBe(reason);
  await entry.press('Enter');
  await page.keyboard.press('Escape');
  await entry.waitFor({ state: 'hidden' });
}

/** Presses Escape in a dialog, and waits until it is gone: what follows its end comes a frame later. */
export async function escapeDialog(page: Page): Promise<void> {
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
}

/** Waits for a short message. */
export const expectToast = (page: Page, text: string): Promise<void> =>
  page.locator('.toast', { hasText: text }).waitFor();

/** Waits until the page knows that all is saved: before, it asks whether to leave it. */
export const expectSaved = (page: Page): Promise<void> =>
  expect.poll(() => page.locator('.unsaved').textContent()).toBe('');

/** The JSON of a record. */
export async function read(server: TestServer, path: string): Promise<Record<string, unknown>> {
  const { status, body } = await server.request('GET', path);
  expect(status, path).toBe(200);
  return body as Record<string, unknown>;
}

/** Stores a record, and returns its id. */
export async function create(server: TestServer, path: string, body: object): Promise<string> {
  const answer = await server.request('POST', path, body);
  expect(answer.status, answer.text).toBe(201);
  return (answer.body as { id: string }).id;
}

/** Runs `npm run keys` with arguments. @returns what it prints */
export async function runKeys(server: TestServer, ...args: readonly string[]): Promise<string> {
  const end = await runInProcess(service, { DATABASE_URL: `sqlite:${server.folder}/records.db` }, 'keys', ...args);
  expect(end.code, end.stderr).toBe(0);
  return end.stdout.trim();
}

/** Makes a key with scopes. */
export const keyWith = (server: TestServer, ...scopes: readonly string[]): Promise<string> =>
  runKeys(server, 'create', '--name', 'limited', ...scopes.flatMap((scope) => ['--scope', scope]));

/**
 * Keeps the answers to requests from the page until they are released; `asked` is fulfilled by the first request, and `release`
 * once the page has its answer.
 */
export async function holdAnswers(
  page: Page,
  url: string,
): Promise<{ readonly asked: Promise<void>; readonly release: () => Promise<void> }> {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const release = async (): Promise<void> => {
    const answered = page.waitForResponse(url);
    released.resolve();
    await answered;
  };
  await page.route(url, async (route) => {
    const response = await route.fetch();
    asked.resolve();
    await released.promise;
    await route.fulfill({ response });
  });
  return { asked: asked.promise, release };
}
