import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

import { expectCount, expectValue, pagesOf } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import {
  button,
  cell,
  choose,
  control,
  create,
  expectToast,
  field,
  keyWith,
  openPlace,
  read,
  refusals,
} from './record-page.ts';

const server = sharedServer();
const { pageTest } = pagesOf(server, {}, refusals);

const author = (name: string): Promise<string> => create(server, '/api/library/author', { name });

const book = (title: string, author_id: string): Promise<string> =>
  create(server, '/api/library/book', { title, author_id });

const option = (page: Page, name: string): Locator => page.getByRole('option', { name, exact: true });

const link = (page: Page, name: string | RegExp): Locator =>
  page.locator('main').getByRole('link', { name, exact: true });

pageTest('a record is chosen by its name, with the keyboard alone, in a form and in a row', async (page) => {
  const [jane, mary] = [await author('Jane Austen'), await author('Mary Shelley')];
  const emma = await book('Emma', jane);
  await openPlace(page, 'library/book/new');
  await control(page, 'title').fill('Mathilda');
  // A search of the other resource.
  await control(page, 'author_id').focus();
  await page.keyboard.type('shel');
  await option(page, 'Mary Shelley').waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expectValue(control(page, 'author_id'), 'Mary Shelley');
  // Its newest records, if it has no search; Escape takes back what was typed.
  await control(page, 'sequel_id').focus();
  await page.keyboard.press('ArrowDown');
  await option(page, 'Emma').waitFor();
  await page.keyboard.press('Escape');
  await expectValue(control(page, 'sequel_id'), '');
  await page.keyboard.type('EMM');
  await page.keyboard.press('Tab');
  await expect.poll(() => control(page, 'sequel_id').inputValue()).toBe('Emma');
  await button(page, 'Add a row').click();
  await cell(page, 'Donor', 1).fill('austen');
  await option(page, 'Jane Austen').click();
  await button(page, 'Create').click();
  await expectToast(page, 'Book created');
  await page.waitForURL(/book_/);
  const id = page.url().split('/').at(-1);
  expect(await read(server, `/api/library/book/${id}?expand=book-copy`)).toMatchObject({
    author_id: mary,
    sequel_id: emma,
    book_copy: { data: [{ donor_id: jane }] },
  });
  await field(page, 'author_id').getByRole('link', { name: 'Open Mary Shelley' }).click();
  await page.getByRole('heading', { name: 'Mary Shelley' }).waitFor();
});

pageTest('a record of one of several resources is chosen by its resource and name', async (page) => {
  const [ada, code] = [await author('Ada Byron'), await book('Code', await author('Another'))];
  const picker = (name: string): Locator => field(page, name).locator('input');
  await openPlace(page, 'library/remark/new');
  await control(page, 'text').fill('First');
  const kind = page.getByRole('combobox', { name: 'Kind of about', exact: true });
  await kind.selectOption('Author');
  await picker('about_id').fill('byron');
  await option(page, 'Ada Byron').click();
  // Another resource takes the record back.
  await kind.selectOption('Book');
  await expectValue(picker('about_id'), '');
  await picker('about_id').fill('code');
  await option(page, 'Code').click();
  await page.getByRole('combobox', { name: 'Kind of source', exact: true }).selectOption('Author');
  await picker('source_id').fill('byron');
  await option(page, 'Ada Byron').click();
  await expectAccessible(page);
  await button(page, 'Create').click();
  await expectToast(page, 'Remark created');
  await page.waitForURL(/remark_/);
  const id = page.url().split('/').at(-1);
  expect(await read(server, `/api/library/remark/${id}`)).toMatchObject({ about_id: code, source_id: ada });
  await openPlace(page, `library/remark/${id}`);
  await expect.poll(() => kind.inputValue()).toBe('library/book');
  await field(page, 'about_id').getByRole('link', { name: 'Open Code' }).click();
  await page.getByRole('heading', { name: 'Code' }).waitFor();
  await expect
    .poll(() => page.getByRole('region', { name: 'Remarks', exact: true }).innerText())
    .toMatch(/Remarks\s+1\s+First/);
  await page.goto('/console#/library/remark');
  await link(page, 'Ada Byron').click();
  await page.getByRole('heading', { name: 'Ada Byron' }).waitFor();
});

pageTest('references lead to their records, and back to lists of those that name one', async (page) => {
  const ann = await author('Ann');
  const ids = [await book('First', ann), await book('Second', ann)];
  await create(server, '/api/library/loan', { book_id: ids[0], borrower: 'Bob' });
  await openPlace(page, `library/author/${ann}`);
  await expectAccessible(page);
  const books = page.getByRole('region', { name: 'Books', exact: true });
  await expect.poll(() => books.innerText()).toMatch(/Books\s+2\s+Second\s+First/);
  await link(page, 'First').click();
  await page.getByRole('heading', { name: 'First' }).waitFor();
  // Line items lead to their parents.
  await button(page, 'Add a row').click();
  await cell(page, 'Donor', 1).fill('Ann');
  await option(page, 'Ann').click();
  await cell(page, 'Shelf', 1).fill('A 7');
  await button(page, 'Save').click();
  await expectToast(page, 'Saved');
  await link(page, 'Open Ann').first().click();
  await expect
    .poll(() => page.getByRole('region', { name: 'Gifts' }).innerText())
    .toMatch(/Gifts\s+1\s+A 7\s+in\s+First/);
  await expectAccessible(page);
  await link(page, 'Books').click();
  await page.getByRole('button', { name: 'Author is Ann', exact: true }).waitFor();
  await expectAccessible(page);
  await expect
    .poll(() => page.locator('.table tbody tr').allInnerTexts())
    .toEqual([expect.stringMatching(/Second\s+Ann/), expect.stringMatching(/First\s+Ann/)]);
  await link(page, 'Ann').first().click();
  await page.getByRole('heading', { name: 'Ann' }).waitFor();
  // The first column leads to the record of the row.
  await page.goto('/console#/library/loan');
  await link(page, 'Bob · First · Ann').click();
  await page.getByRole('heading', { name: 'Bob · First · Ann' }).waitFor();
});

pageTest('what a reference or a unique value refuses is said at its field, with the record', async (page) => {
  const [eve, gone] = [await author('Eve'), await author('Gone')];
  await book('Only one', eve);
  await openPlace(page, 'library/book/new');
  await control(page, 'title').fill('Lost');
  await control(page, 'author_id').fill('Gone');
  await option(page, 'Gone').click();
  await server.request('DELETE', `/api/library/author/${gone}`);
  await button(page, 'Create').click();
  await field(page, 'author_id').getByText('Author refers to no existing record').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('author_id');
  await control(page, 'author_id').fill('Eve');
  await option(page, 'Eve').click();
  await button(page, 'Create').click();
  await expectToast(page, 'Book created');

  await openPlace(page, `library/author/${eve}`);
  await choose(page, 'Delete');
  await page.locator('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'This author is still referenced' }).waitFor();
  await page.locator('dialog').getByRole('link', { name: 'Only one' }).waitFor();
  await expectAccessible(page);
  await page.locator('dialog').getByRole('link', { name: 'Lost' }).click();
  await page.getByRole('heading', { name: 'Lost' }).waitFor();

  await create(server, '/api/register/member', { name: 'Ann Smith', company: 'Acme', code: 7 });
  await openPlace(page, 'register/member/new');
  await control(page, 'name').fill('Bob');
  await control(page, 'company').fill('Acme');
  await control(page, 'code').fill('7');
  await button(page, 'Create').click();
  await field(page, 'code').getByText('Code and company are the same as in').waitFor();
  await expectAccessible(page);
  await field(page, 'company').getByRole('link', { name: 'Ann Smith' }).click();
  await button(page, 'Discard').click();
  await page.getByRole('heading', { name: 'Ann Smith' }).waitFor();
  for (const row of [1, 2]) {
    await button(page, 'Add a row').click();
    await cell(page, 'Event', row).fill('Gala');
  }
  await button(page, 'Save').click();
  await page.getByText('Event is the same as in another row.').waitFor();
});

pageTest('a key that may not read the other resource enters an id', async (page) => {
  const zoe = await author('Zoe');
  await openPlace(page, 'library/book/new', { key: await keyWith(server, 'library/book') });
  await control(page, 'title').fill('Named');
  await control(page, 'author_id').fill(zoe);
  await button(page, 'Create').click();
  await page.waitForURL(/book_/);
  await expectValue(control(page, 'author_id'), zoe);
  const regions = page.getByRole('region', { name: /Sequels|Loans/ });
  await expect.poll(() => regions.allInnerTexts()).toEqual([expect.stringMatching(/Sequels\s+0/)]);
  await expectCount(link(page, /^Author as/), 0);
});
