import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, expect, test, type TestContext } from 'vitest';

import { browserArgs, browserProgram } from './browser-program.ts';
import { isLong } from './seed.ts';
import { skip } from './skip.ts';

/** The width of a phone, in CSS pixels. */
export const phone = { width: 390, height: 844 };

/** Opens a headless Chromium; where there is none, the test is skipped, which is printed. To be disposed of. */
export async function openBrowser(context: TestContext): Promise<Browser> {
  if (!existsSync(browserProgram))
    skip(context, `there is no Chromium at ${browserProgram}; TEST_CHROMIUM names another one`);
  return chromium.launch({ executablePath: browserProgram, args: browserArgs });
}

/** A page of a browser that notes what must not happen on it. */
export interface WatchedPage extends AsyncDisposable {
  readonly page: Page;
  /** The faults so far: errors of its console and its scripts, and requests to another host. */
  readonly faults: readonly string[];
  /** Fails if anything was wrong. */
  expectNoFaults(): void;
}

/**
 * Opens an empty page, in a context of its own.
 *
 * @param url of the server under test: requests to any other host are faults, and reach nothing but this machine
 * @param expected console errors that a test provokes, like that of an answer 401
 */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  expected?: RegExp,
): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL: url, ...options });
  // Beside other programs a page of 140 operations was not there in the 30 seconds that are usual.
  context.setDefaultTimeout(isLong ? 120_000 : 45_000);
  const faults: string[] = [];
  const note = (fault: string): void => {
    if (!expected?.test(fault)) faults.push(fault);
  };
  const { host } = new URL(url);
  // A route would have every request wait for this process, and nothing be cached: a quarter of the CPU time of a page.
  context.on('request', (request) => {
    const requested = new URL(request.url());
    if (requested.host !== host && requested.protocol !== 'data:' && requested.protocol !== 'blob:')
      faults.push(`request to another host: ${request.url()}`);
  });
  const page = await context.newPage();
  page.on('console', (message) => {
    const { url: at } = message.location();
    // The browser asks for an icon by itself where a page names none.
    if (message.type() === 'error' && !(URL.canParse(at) && new URL(at).pathname === '/favicon.ico'))
      note(`console: ${message.text()} (${at})`);
  });
  page.on('pageerror', (error) => note(`script: ${error.stack ?? error.message}`));
  return {
    page,
    faults,
    expectNoFaults: () => expect(faults).toEqual([]),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Opens a page, as `openPage` does. */
type Open = (context: TestContext, options?: BrowserContextOptions, expected?: RegExp) => Promise<WatchedPage>;

/** A test on an empty page, which fails if anything was wrong on the page. */
type PageTest = (name: string, run: (page: Page, context: TestContext) => Promise<void>) => void;

/** Opens and closes the browser that the tests of a file share. */
export function pagesOf(
  server: { readonly url: string },
  always: BrowserContextOptions = {},
  expectedAlways?: RegExp,
): { readonly open: Open; readonly pageTest: PageTest } {
  let browser: Browser | undefined;
  afterAll(() => browser?.close());
  const open: Open = async (context, options, expected = expectedAlways) =>
    openPage((browser ??= await openBrowser(context)), server.url, { ...always, ...options }, expected);
  const pageTest: PageTest = (name, run) =>
    test(name, async (context) => {
      await using watched = await open(context);
      await run(watched.page, context);
      watched.expectNoFaults();
    });
  return { open, pageTest };
}

/** Waits until so many elements are there. */
export const expectCount = (elements: Locator, count: number, message = String(elements)): Promise<void> =>
  expect.poll(() => elements.count(), { message }).toBe(count);

/** Waits until a control has a value. */
export const expectValue = (control: Locator, value: string): Promise<void> =>
  expect.poll(() => control.inputValue(), { message: String(control) }).toBe(value);

/** Fails if the page can be scrolled to the side. */
export const expectNoSideScroll = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'), {
      message: 'the width of the content beyond the window',
    })
    .toBeLessThanOrEqual(0);
