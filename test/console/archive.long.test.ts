import { expect } from 'vitest';

import { shop } from '../archive/shop.ts';
import { expectCount, pagesOf } from '../support/browser.ts';
import { generateProject } from '../support/project.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { button, control, create, expectToast, openPlace, read, refusals } from './record-page.ts';

const project = await generateProject(shop);
const server = sharedServer({ project });
const { pageTest } = pagesOf(server, {}, refusals);

pageTest('a record is archived by a button, behind a switch in the list, and unarchived', async (page) => {
  const id = await create(server, '/api/shop/customer', { name: 'Ada', city: 'Turin' });
  await create(server, '/api/shop/customer', { name: 'Bob', city: 'Turin' });
  await openPlace(page, `shop/customer/${id}`);
  await control(page, 'city').fill('Rome');
  await button(page, 'Archive').click();
  await expectToast(page, 'Customer archived.');
  await page.getByText('It is locked while it is archived.').waitFor();
  expect(await read(server, `/api/shop/customer/${id}`)).toMatchObject({
    city: 'Rome',
    archived_at: expect.any(String),
  });
  for (const name of ['Delete', 'Save', 'Archive']) await expectCount(button(page, name), 0, name);
  await expect.poll(() => button(page, 'Block').getAttribute('aria-disabled')).toBe('true');
  await expectAccessible(page);

  await openPlace(page, 'shop/customer', { waitFor: '.pager' });
  await page.getByText('Bob').waitFor();
  await expectCount(page.locator('tbody tr'), 1);
  await page.getByRole('switch', { name: 'Archived' }).click();
  await page.locator('tr.archived').getByText('Ada').waitFor();
  await expectCount(page.locator('tbody tr'), 2);
  await expectAccessible(page);
  await page.getByText('Ada').click();
  await button(page, 'Unarchive').click();
  await expectToast(page, 'Customer unarchived.');
  await button(page, 'Delete').waitFor();
  expect(await read(server, `/api/shop/customer/${id}`)).toMatchObject({ archived_at: null });
});
