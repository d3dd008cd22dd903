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
  ['all records', 'crm/lead'],
  ['a filter and a sort', 'crm/lead?status=Status%2001&sort=-annual_revenue'],
  ['a search', 'crm/lead?q=word7'],
] as const;

/** The milliseconds until a frame has the first row, in a tab whose browser knows the console. */
async function firstRow(browser: Browser, server: Child, place: string, rounds: number): Promise<Float64Array> {
  await using context = await browser.newContext({ baseURL: `http://127.0.0.1:${server.port}` });
  await context.addInitScript(`sessionStorage.setItem('console-key', ${JSON.stringify(apiKey)});
    new MutationObserver((_, observer) => {
      if (!document.querySelector('.table tbody tr')) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => (window.firstRow = performance.now())));
    }).observe(document, { childList: true, subtree: true });`);
  const page = await context.newPage();
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    await page.goto('about:blank');
    await page.goto(`/console#/${place}`);
    await page.locator('.table tbody tr').first().waitFor();
    let time: number | undefined;
    while (time === undefined) time = await page.evaluate<number | undefined>('window.firstRow');
    times.push(time);
  }
  // The first one has filled the caches.
  return Float64Array.from(times.slice(1)).toSorted();
}

/** Measures how soon the console shows the first row of a list. @returns the report */
export async function measureFirstList(
  engine: Engine,
  { rows, rounds }: Options,
  progress: (text: string) => void,
): Promise<string> {
  const lines = [['first row of the console', 'rows', 'ms p50', 'max', 'aim']];
  await using browser = await chromium.launch({ executablePath: browserProgram, args: browserArgs });
  for (const count of rows) {
    progress(`${engine.name}: filling ${count} rows`);
    const database = await prepareFindable(engine, count, true);
    const server = await startServer(database.url);
    for (const [name, place] of lists) {
      const times = await firstRow(browser, server, place, rounds * 3);
      const [median, most] = [percentile(times, 0.5), percentile(times, 1)];
      lines.push([name, grouped(count), grouped(median), grouped(most), judged(median, aim, 0)]);
    }
    await server.stop();
  }
  return tableOf(lines);
}
