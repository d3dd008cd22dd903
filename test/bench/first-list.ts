import { chromium, type Browser } from 'playwright-core';

import { browserArgs, browserProgram } from '../support/browser-program.ts';
import type { Child } from './child.ts';
import type { Engine } from './databases/database.ts';
import { percentile } from './measure.ts';
import type { Options } from './options.ts';
import { prepareFindable } from './prepare.ts';
import { startServer } from './server.ts';
import { grouped, judged, tableOf } from './table.ts';
import { apiKey } from './traffic.ts';

/** Milliseconds from the navigation of a tab that is signed in to the first row of a list. */
const aim = 250;

/** Lists that the console shows first, as places of it. */
const lists = [
  ['a list of the console', 'crm/lead'],
  ['with a filter and a sort', 'crm/lead?status=Status%2001&sort=-annual_revenue'],
  ['with a search', 'crm/lead?q=word7'],
] as const;

/** A page that is shown as it comes: the browser's own share. */
const plainPage = ['a page without scripts', '/healthz', 'pre'] as const;

/** The milliseconds until a frame has an element, in a tab whose browser knows the page. The page tells it: questions from outside would have it laid out once more. */
async function firstFrame(
  browser: Browser,
  server: Child,
  path: string,
  selector: string,
  rounds: number,
): Promise<Float64Array> {
  await using context = await browser.newContext({ baseURL: `http://127.0.0.1:${server.port}` });
  await context.addInitScript(`sessionStorage.setItem('console-key', ${JSON.stringify(apiKey)});
    new MutationObserver((_, observer) => {
      if (!document.querySelector(${JSON.stringify(selector)})) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => console.debug('first frame', performance.now())));
    }).observe(document, { childList: true, subtree: true });`);
  const page = await context.newPage();
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    await page.goto('about:blank');
    const [message] = await Promise.all([
      page.waitForEvent('console', (one) => one.text().startsWith('first frame')),
      page.goto(path),
    ]);
    times.push(Number(message.text().split(' ').at(-1)));
    // The page asks for counts after its rows: the server still works on them.
    await page.waitForLoadState('networkidle');
  }
  // The first one has filled the caches.
  return Float64Array.from(times.slice(1)).toSorted();
}

/** Measures how soon the console shows the first row of a list, and how soon a browser shows any page. @returns the report */
export async function measureFirstList(
  engine: Engine,
  { rows, rounds }: Options,
  progress: (text: string) => void,
): Promise<string> {
  const lines = [['first frame', 'rows', 'ms p50', 'max', 'aim']];
  await using browser = await chromium.launch({ executablePath: browserProgram, args: browserArgs });
  for (const count of rows) {
    progress(`${engine.name}: filling ${count} rows`);
    const database = await prepareFindable(engine, count, true);
    const server = await startServer(database.url);
    const add = async (name: string, path: string, selector: string, limit?: number): Promise<void> => {
      const times = await firstFrame(browser, server, path, selector, rounds * 5);
      const [median, most] = [percentile(times, 0.5), percentile(times, 1)];
      lines.push([name, grouped(count), grouped(median), grouped(most), limit ? judged(median, limit, 0) : '']);
    };
    await add(...plainPage);
    for (const [name, place] of lists) await add(name, `/console#/${place}`, '.table tbody tr', aim);
    await server.stop();
  }
  return tableOf(lines);
}
