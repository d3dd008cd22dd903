import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';

import { Filler } from '../../runtime/data/demo/fill.ts';
import { Api } from '../../runtime/data/transfer/api.ts';
import { writableResources } from '../../runtime/data/transfer/resource.ts';
import { service } from '../service/generated/app.ts';
import { pagesOf, phone } from '../support/browser.ts';
import { Random } from '../support/random.ts';
import { longRounds, repeatable, seed } from '../support/seed.ts';
import { sharedServer, testKey } from '../support/server.ts';

const server = sharedServer();
const refused = /Failed to load resource: the server responded with a status of 4(00|03|04|09|12|13|22)/;
const { open } = pagesOf(server, {}, refused);

beforeEach(repeatable);

beforeAll(async () => {
  const api = new Api({ url: server.url, key: testKey });
  await new Filler(api, { count: 300, seed }, () => {}).fill(writableResources(service.tables));
});

/** The milliseconds of a run: `TEST_CLICKS` gives seconds. */
const duration = Number(process.env['TEST_CLICKS'] ?? longRounds(15, 120)) * 1_000;

/** All that a person could press or type into. */
const controls =
  ':is(a[href], button, input, select, textarea, summary, [role=option], [role^=menuitem], tr[data-index] td)';

/** These words would end the session, or leave the console. */
const leaves = /sign out|abmelden|api.referen/i;

const keys =
  'Escape Enter Tab Shift+Tab Space ArrowDown ArrowUp Control+k Control+s Control+a j k x n / ? [ ] Home End Backspace Alt+Backspace'.split(
    ' ',
  );

const words = ['Ada', '12', '-1,5', '2026-11-28', 'draft', 'ß and „“', '<b>', ' ', '٣', 'x'.repeat(300)];

interface Place {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

/** The middle of a control that nothing covers. @param choice from 0 to 1 */
const someControl = (page: Page, choice: number): Promise<Place | null> =>
  page.evaluate<Place | null>(`(() => {
    const places = [...document.querySelectorAll(${JSON.stringify(controls)})].flatMap((control) => {
      const { x, y, width, height } = control.getBoundingClientRect();
      const place = { x: x + width / 2, y: y + height / 2, text: control.textContent.trim().slice(0, 40) };
      return control.contains(document.elementFromPoint(place.x, place.y)) ? [place] : [];
    });
    return places[Math.floor(${choice} * places.length)] ?? null;
  })()`);

/** Does one thing that a person could do. @returns what, for the report */
async function act(page: Page, random: Random): Promise<string> {
  const kind = random.weighted({ click: 60, key: 15, type: 12, back: 4, shift: 4, size: 2, reload: 1, elsewhere: 2 });
  if (kind === 'key') {
    const key = random.of(keys);
    await page.keyboard.press(key);
    return key;
  }
  if (kind === 'back') {
    await page.goBack({ timeout: 1_000 });
    return kind;
  }
  if (kind === 'size') {
    await page.setViewportSize(random.of([phone, { width: 1_280, height: 800 }, { width: 1_920, height: 1_080 }]));
    return kind;
  }
  if (kind === 'reload') {
    await page.reload();
    return kind;
  }
  if (kind === 'elsewhere') {
    await page.goto(`/console#/${random.of(service.tables).path}${random.chance(0.3) ? '/new' : ''}`);
    return kind;
  }
  const control = await someControl(page, random.next());
  if (!control || leaves.test(control.text)) return 'nothing';
  if (kind === 'shift') await page.keyboard.down('Shift');
  await page.mouse.click(control.x, control.y);
  if (kind === 'shift') await page.keyboard.up('Shift');
  if (kind !== 'type') return `${kind} ${control.text}`;
  const word = random.of(words);
  await page.keyboard.insertText(word);
  return `type ${word.slice(0, 20)}`;
}

test.for([
  ['a desktop', { locale: 'en-US' }],
  ['a phone in German', { locale: 'de-DE', viewport: phone }],
] as const)(
  'random clicks and keys on %s find no error of a page',
  { timeout: duration * 2 + 120_000 },
  async ([device, options], context) => {
    await using watched = await open(context, options);
    const { page } = watched;
    const random = new Random(seed);
    page.on('dialog', (dialog) => void dialog.accept().catch(() => {}));
    await page.addInitScript(`sessionStorage.setItem('console-key', ${JSON.stringify(testKey)})`);
    await page.goto('/console');
    const end = Date.now() + duration;
    const recent: string[] = [];
    let actions = 0;
    context.onTestFailed(() => console.error(`The last actions: ${recent.slice(-20).join(' | ')}`));
    for (; Date.now() < end && watched.faults.length === 0; actions += 1) {
      // There may be no page to go back to, or none yet.
      recent.push(await act(page, random).catch((error: Error) => `not done: ${error.message.slice(0, 40)}`));
      await expect.poll(() => page.locator('.shell').count(), { message: recent.slice(-5).join(' | ') }).toBe(1);
    }
    console.info(`${actions} actions on ${device} in ${duration / 1_000} s.`);
    watched.expectNoFaults();
  },
);
