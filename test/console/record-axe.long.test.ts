import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { expectNoSideScroll, pagesOf, phone } from '../support/browser.ts';
import { longRounds } from '../support/seed.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { button, cell, choose, control, create, keyWith, openPlace, refusals } from './record-page.ts';

const server = sharedServer();
const { open } = pagesOf(server, {}, refusals);

const order = { ordered_on: '2026-11-20', company: 'Acme', currency: 'EUR' };

/** An order with two lines, and its place. */
async function orderPlace(): Promise<string> {
  const id = await create(server, '/api/sales/order', order);
  for (const article of ['Bolt', 'Nut']) await create(server, '/api/sales/order-line', { order_id: id, article });
  return `sales/order/${id}`;
}

interface Case {
  readonly name: string;
  readonly place: () => string | Promise<string>;
  /** Prepares the page. */
  readonly act?: (page: Page, place: string) => Promise<unknown>;
  readonly scopes?: readonly string[];
  readonly waitFor?: string;
}

const cases: readonly Case[] = [
  { name: 'a new record', place: () => 'crm/lead/new' },
  {
    name: 'errors',
    place: () => 'assets/machine/new',
    act: async (page) => {
      await button(page, 'Create').click();
      await page.locator('.error-text').first().waitFor();
    },
  },
  {
    name: 'line items',
    place: orderPlace,
    act: async (page) => {
      await button(page, 'Delete row 1').click();
      await button(page, 'Add a row').click();
      await cell(page, 'Quantity', 3).fill('x');
      await button(page, 'Save').click();
      await page.locator('.items .error-text').first().waitFor();
    },
  },
  {
    name: 'a conflict',
    place: orderPlace,
    act: async (page, place) => {
      await control(page, 'company').fill('Mine');
      await server.request('PATCH', `/api/${place}`, { company: 'Theirs', total: 1 });
      await button(page, 'Save').click();
      await page.locator('.conflict').waitFor();
    },
  },
  {
    name: 'a question',
    place: orderPlace,
    act: async (page) => {
      await choose(page, 'Delete');
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'a key that reads', place: orderPlace, scopes: ['sales:read'] },
  {
    name: 'a choice of a record, which others name',
    place: async () => {
      const author_id = await create(server, '/api/library/author', { name: 'A name that is long'.repeat(9) });
      return `library/book/${await create(server, '/api/library/book', { title: 'A book', author_id })}`;
    },
    act: async (page) => {
      await control(page, 'author_id').click();
      await page.locator('.offers li').first().waitFor();
    },
  },
  { name: 'settings', place: () => 'workshop/booking-settings' },
  { name: 'a record that is not there', place: () => 'crm/lead/lead_0', waitFor: '.empty' },
  {
    name: 'many line items',
    place: async () => {
      const place = await orderPlace();
      const body = { order_id: place.split('/').at(-1), article: 'Nail' };
      for (let count = 0; count < 10; count++) await create(server, '/api/sales/order-line', body);
      return place;
    },
  },
  { name: 'the choice of a parent', place: () => 'manufacturing/b-o-m-item', waitFor: '.choose-parent' },
];

const desktop = { width: 1280, height: 844 };

test.for(cases)('$name: axe finds nothing, and no side scroll', async ({ place, act, scopes, waitFor }, context) => {
  const key = scopes && (await keyWith(server, ...scopes));
  // Each page is opened in one size, and resized to the other.
  const first = longRounds(phone, desktop);
  await using watched = await open(context, { viewport: first });
  const { page } = watched;
  const at = await place();
  await openPlace(page, at, { ...(key !== undefined && { key }), ...(waitFor !== undefined && { waitFor }) });
  await act?.(page, at);
  for (const viewport of [first, first === phone ? desktop : phone]) {
    await page.setViewportSize(viewport);
    await expectAccessible(page);
    await expectNoSideScroll(page);
    const [wide, width, high] = await page.evaluate<[number, number, number]>(
      `(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth, document.documentElement.scrollHeight])(document.querySelector('main'))`,
    );
    expect(wide, 'the width of the page').toBeLessThanOrEqual(width);
    expect(high, 'the height of the window: the page scrolls inside its frame').toBeLessThanOrEqual(viewport.height);
  }
  watched.expectNoFaults();
});
