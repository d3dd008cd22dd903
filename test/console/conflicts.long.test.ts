import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

import { expectCount, expectValue, pagesOf } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { button, cell, choose, control, create, expectToast, openPlace, read, refusals } from './record-page.ts';

const server = sharedServer();
const { pageTest } = pagesOf(server, {}, refusals);

const linePath = '/api/sales/order-line';

/** Opens an order whose lines have these articles. @returns its id and those of its lines */
async function openOrder(page: Page, ...articles: readonly string[]): Promise<{ id: string; lines: string[] }> {
  const id = await create(server, '/api/sales/order', {
    ordered_on: '2026-11-20',
    company: 'Acme',
    currency: 'EUR',
  });
  const lines: string[] = [];
  for (const article of articles) lines.push(await create(server, linePath, { order_id: id, article, quantity: 1 }));
  await openPlace(page, `sales/order/${id}`);
  return { id, lines };
}

const linesOf = async (id: string): Promise<unknown> => (await read(server, `${linePath}?parent_id=${id}`))['data'];

/** Another user changes a line. */
async function change(id: string | undefined, body: object): Promise<void> {
  const { status, text } = await server.request('PATCH', `${linePath}/${id}`, body);
  expect(status, text).toBe(200);
}

pageTest('the later of two editors of a line item chooses between the values', async (page) => {
  const { id, lines } = await openOrder(page, 'Bolt', 'Nut', 'Nail');
  await cell(page, 'Quantity', 2).fill('5');
  await cell(page, 'Article', 2).fill('Mine');
  await cell(page, 'Quantity', 3).fill('7');
  await change(lines[1], { quantity: 9, article: 'Theirs', due_on: '2026-12-24' });
  await button(page, 'Save').click();
  const conflict = page.locator('.conflict');
  await conflict.getByText('Another user has changed the line items').waitFor();
  await expect
    .poll(() => conflict.getByRole('row').allInnerTexts())
    .toEqual([
      expect.stringContaining('Theirs, stored now'),
      expect.stringMatching(/Article in row 2\s+Theirs\s+Mine/),
      expect.stringMatching(/Quantity in row 2\s+9\s+5/),
    ]);
  await expect.poll(() => conflict.textContent()).toContain('Changed only by them: Due on in row 2');
  await expectAccessible(page);
  expect(await linesOf(id)).toMatchObject([{ quantity: 1 }, { quantity: 9, article: 'Theirs' }, { quantity: 1 }]);
  await conflict.getByLabel('Article in row 2: take theirs').check();
  await button(page, 'Save again').click();
  await expectToast(page, 'Saved');
  expect(await linesOf(id)).toMatchObject([
    { article: 'Bolt', quantity: 1 },
    { article: 'Theirs', quantity: 5, due_on: '2026-12-24' },
    { article: 'Nail', quantity: 7 },
  ]);
  await expectCount(conflict, 0);
});

pageTest('a line item that another user has changed is only deleted after a question', async (page) => {
  const { id, lines } = await openOrder(page, 'Bolt', 'Nut');
  await button(page, 'Delete row 1').click();
  await change(lines[0], { quantity: 9 });
  await button(page, 'Save').click();
  await page.getByText('Changed by them: Quantity in row 1, which you delete.').waitFor();
  expect(await linesOf(id)).toMatchObject([{ quantity: 9 }, { article: 'Nut' }]);
  await button(page, 'Save again').click();
  await expectToast(page, 'Saved');
  expect(await linesOf(id)).toMatchObject([{ article: 'Nut' }]);
});

pageTest('an order that another user has given the line items is not replaced without a word', async (page) => {
  const { id, lines } = await openOrder(page, 'A', 'B', 'C');
  await page.getByRole('button', { name: 'Move row 1', exact: true }).press('ArrowDown');
  const items = [2, 0, 1].map((line, at) => ({ id: lines[line], idx: at + 1 }));
  expect((await server.request('POST', `${linePath}/reorder`, { items })).status).toBe(200);
  await button(page, 'Save').click();
  await page.getByText('Another user has changed the line items.').waitFor();
  expect(await linesOf(id)).toMatchObject([{ article: 'C' }, { article: 'A' }, { article: 'B' }]);
  await button(page, 'Save').click();
  await expectToast(page, 'Saved');
  expect(await linesOf(id)).toMatchObject([{ article: 'B' }, { article: 'A' }, { article: 'C' }]);
});

/** Another user is faster: something is done when the page has sent its first write of a line item, and the server has it not yet. */
async function beforeWrite(page: Page, act: () => Promise<void>): Promise<void> {
  let isFirst = true;
  await page.route(`**${linePath}/*`, async (route) => {
    if (isFirst) await act();
    isFirst = false;
    await route.continue();
  });
}

pageTest('a line item that another user changes after it was read again is not stored over', async (page) => {
  const { id, lines } = await openOrder(page, 'Bolt', 'Nut');
  await cell(page, 'Quantity', 1).fill('5');
  await beforeWrite(page, () => change(lines[0], { quantity: 9, article: 'Theirs' }));
  await button(page, 'Save').click();
  await page.locator('.conflict').getByText('Article in row 1').waitFor();
  expect(await linesOf(id)).toMatchObject([{ quantity: 9, article: 'Theirs' }, { article: 'Nut' }]);
  await button(page, 'Save again').click();
  await expectToast(page, 'Saved');
  expect(await linesOf(id)).toMatchObject([{ quantity: 5, article: 'Theirs' }, { article: 'Nut' }]);
});

pageTest('a line item that another user changes after it was read again is not deleted', async (page) => {
  const { id, lines } = await openOrder(page, 'Bolt', 'Nut');
  await button(page, 'Delete row 1').click();
  await beforeWrite(page, () => change(lines[0], { quantity: 9 }));
  await button(page, 'Save').click();
  await page.getByText('Changed by them: Quantity in row 1, which you delete.').waitFor();
  expect(await linesOf(id)).toMatchObject([{ quantity: 9 }, { article: 'Nut' }]);
});

pageTest('a record that another user has changed is not deleted before it was seen', async (page) => {
  const id = await create(server, '/api/crm/contact', { full_name: 'Ann' });
  const path = `/api/crm/contact/${id}`;
  await openPlace(page, `crm/contact/${id}`);
  await choose(page, 'Delete');
  await server.request('PATCH', path, { notes: 'do not delete' });
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Not deleted: another user has changed this contact.');
  await expect.poll(() => control(page, 'notes').inputValue()).toBe('do not delete');
  await choose(page, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Contact deleted');
  expect((await server.request('GET', path)).status).toBe(404);
});

/** A text that two consoles edit. */
interface Shared {
  readonly place: string;
  readonly input: (page: Page) => Locator;
  readonly stored: () => Promise<unknown>;
}

const fieldOf = (place: string, name: string): Shared => ({
  place,
  input: (page) => control(page, name),
  stored: async () => (await read(server, `/api/${place}`))[name],
});

const shared: Readonly<Record<string, (page: Page) => Promise<Shared>>> = {
  'a record': async () =>
    fieldOf(`crm/contact/${await create(server, '/api/crm/contact', { full_name: 'Ann' })}`, 'company'),
  settings: async () => fieldOf('workshop/booking-settings', 'holiday_list'),
  'a line item': async (page) => {
    const { id } = await openOrder(page, 'Bolt');
    return {
      place: `sales/order/${id}`,
      input: (one) => cell(one, 'Article', 1),
      stored: async () => ((await linesOf(id)) as readonly { article: string }[])[0]?.article,
    };
  },
};

for (const [name, make] of Object.entries(shared)) {
  pageTest(`of two consoles that save ${name} at once, one is told of the other`, async (page) => {
    const { place, input, stored } = await make(page);
    const pages = [page, await page.context().newPage()];
    for (const [at, one] of pages.entries()) {
      await openPlace(one, place);
      await input(one).fill(`Text ${at}`);
    }
    await Promise.all(pages.map((one) => button(one, 'Save').click()));
    await Promise.all(pages.map((one) => one.locator('.conflict, .toast').first().waitFor()));
    const told = await Promise.all(pages.map((one) => one.locator('.conflict').count()));
    expect(told.toSorted()).toEqual([0, 1]);
    const loser = told.indexOf(1);
    expect(await stored()).toBe(`Text ${1 - loser}`);
    await expect.poll(() => pages[loser]!.locator('.conflict').textContent()).toContain(`Text ${1 - loser}`);
    await button(pages[loser]!, 'Save again').click();
    await expectToast(pages[loser]!, 'Saved');
    expect(await stored()).toBe(`Text ${loser}`);
  });
}

pageTest(
  'nothing is lost of what two consoles store in an order and its lines at once, again and again',
  async (page) => {
    const { id } = await openOrder(page, 'Bolt', 'Nut');
    const pages = [page, await page.context().newPage()];
    await openPlace(pages[1]!, `sales/order/${id}`);
    const rounds = 3;
    for (let round = 1; round <= rounds; round++) {
      for (const [at, one] of pages.entries()) {
        await control(one, at === 0 ? 'company' : 'notes').fill(`Order ${at} ${round}`);
        await cell(one, 'Quantity', at + 1).fill(String(10 * round + at));
        const rows = await one.getByLabel(/^Article, row /).count();
        await button(one, 'Add a row').click();
        await cell(one, 'Article', rows + 1).fill(`New ${at} ${round}`);
      }
      await Promise.all(pages.map((one) => button(one, 'Save').click()));
      for (const one of pages) {
        const saved = async (): Promise<boolean> => {
          if ((await one.locator('.unsaved').textContent()) === '') return true;
          if (await button(one, 'Save').isEnabled()) await button(one, 'Save').click();
          return false;
        };
        await expect.poll(saved, { timeout: 60_000, interval: 500 }).toBe(true);
      }
      for (const one of pages) await openPlace(one, `sales/order/${id}`);
      expect(await read(server, `/api/sales/order/${id}`)).toMatchObject({
        company: `Order 0 ${round}`,
        notes: `Order 1 ${round}`,
      });
      const lines = (await linesOf(id)) as readonly { article: string; quantity: number }[];
      expect(lines.slice(0, 2)).toMatchObject([{ quantity: 10 * round }, { quantity: 10 * round + 1 }]);
      const added = Array.from({ length: round }, (_, n) => [`New 0 ${n + 1}`, `New 1 ${n + 1}`]).flat();
      expect(
        lines
          .slice(2)
          .map(({ article }) => article)
          .toSorted(),
      ).toEqual(added.toSorted());
    }
  },
);

pageTest('changes of other line items are no conflict', async (page) => {
  const { id, lines } = await openOrder(page, 'Bolt', 'Nut');
  await cell(page, 'Quantity', 1).fill('5');
  await change(lines[1], { quantity: 9 });
  await button(page, 'Save').click();
  await expectToast(page, 'Saved');
  expect(await linesOf(id)).toMatchObject([{ quantity: 5 }, { quantity: 9 }]);
  await expectValue(cell(page, 'Quantity', 2), '9');
});
