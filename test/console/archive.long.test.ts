import { expect } from 'vitest';

import { shop } from '../archive/shop.ts';
import { expectCount, pagesOf } from '../support/browser.ts';
import { generateProject } from '../support/project.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import {
  button,
  choose,
  control,
  create,
  expectNotPossible,
  expectToast,
  openMenu,
  openPlace,
  read,
  refusals,
} from './record-page.ts';

const project = await generateProject(shop);
const server = sharedServer({ project });
const { pageTest } = pagesOf(server, {}, refusals);

pageTest('a record is archived by a button, behind a switch in the list, and unarchived', async (page) => {
  const id = await create(server, '/api/shop/customer', { name: 'Ada', city: 'Turin' });
  await create(server, '/api/shop/customer', { name: 'Bob', city: 'Turin' });
  await openPlace(page, `shop/customer/${id}`);
  await control(page, 'city').fill('Rome');
  await choose(page, 'Archive');
  await expectToast(page, 'Customer archived.');
  await page.getByText('It is locked while it is archived.').waitFor();
  expect(await read(server, `/api/shop/customer/${id}`)).toMatchObject({
    city: 'Rome',
    archived_at: expect.any(String),
  });
  await expectCount(button(page, 'Save'), 0);
  const entries = await openMenu(page);
  expect(await entries.allTextContents()).toEqual(['Duplicate', 'Print', 'Copy link', 'Unarchive', 'Block', 'Unblock']);
  await page.keyboard.press('Escape');
  await expectCount(entries, 0);
  await expectNotPossible(page, 'Block', 'Block is possible once the record is no longer archived.');
  await expectAccessible(page);

  await openPlace(page, 'shop/customer', { waitFor: '.pager' });
  await page.getByText('Bob').waitFor();
  await expectCount(page.locator('tbody tr'), 1);
  await page.getByRole('switch', { name: 'Archived' }).click();
  await page.locator('tr.archived').getByText('Ada').waitFor();
  await expectCount(page.locator('tbody tr'), 2);
  await expectAccessible(page);
  await page.getByText('Ada').click();
  await choose(page, 'Unarchive');
  await expectToast(page, 'Customer unarchived.');
  await (await openMenu(page)).filter({ hasText: 'Delete' }).waitFor();
  expect(await read(server, `/api/shop/customer/${id}`)).toMatchObject({ archived_at: null });
});
