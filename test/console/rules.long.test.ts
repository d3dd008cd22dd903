import type { Page } from 'playwright-core';
import { expect } from 'vitest';

import { expectCount, pagesOf } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { tableErrors } from './import-dialog.ts';
import {
  button,
  cell,
  choose as chooseEntry,
  control,
  create,
  expectToast,
  field,
  openPlace,
  read,
  refusals,
} from './record-page.ts';

const server = sharedServer();
const { pageTest } = pagesOf(server, {}, refusals);

const journey = 'A journey ends after it starts.';
const notes = 'Notes say more than the title.';
const advance = 'The advance is at most the total.';

pageTest('a form shows the rules that a new record would break before it is sent', async (page) => {
  const sent: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));
  await openPlace(page, 'expenses/claim/new');
  await expectCount(page.getByText('An expense has'), 0);
  await control(page, 'title').fill('Rome');
  await control(page, 'starts_on').fill('2026-05-02');
  await control(page, 'ends_on').fill('2026-05-01');
  await expect.poll(() => field(page, 'ends_on').locator('.error-text').textContent()).toBe(journey);
  await expect.poll(() => control(page, 'ends_on').getAttribute('aria-invalid')).toBe('true');
  await control(page, 'notes').fill('Rome');
  await page.getByRole('status').getByText(notes).waitFor();
  await button(page, 'Add a row').click();
  await cell(page, 'Amount', 1).fill('0.00');
  await page.getByText('An expense has an amount.').waitFor();
  await expectAccessible(page);
  await cell(page, 'Amount', 1).fill('0.01');
  await control(page, 'starts_on').fill('2026-05-01');
  await control(page, 'notes').fill('Rome, by train');
  for (const text of [journey, notes, 'An expense has an amount.']) {
    await expectCount(page.getByText(text), 0, text);
  }
  expect(sent).toEqual([]);
  await button(page, 'Create').click();
  await expectToast(page, 'created');
});

pageTest('an update is judged as the whole record would be, with the totals of its line items', async (page) => {
  const id = await create(server, '/api/expenses/claim', { title: 'Rome', starts_on: '2026-05-01' });
  await create(server, '/api/expenses/claim-item', { claim_id: id, amount: '10.00' });
  await openPlace(page, `expenses/claim/${id}`);
  await control(page, 'ends_on').fill('2026-04-30');
  await field(page, 'ends_on').getByText(journey).waitFor();
  await control(page, 'ends_on').fill('');
  await control(page, 'advance').fill('10.01');
  await field(page, 'advance').getByText(advance).waitFor();
  // Only the service knows the totals of edited line items.
  await cell(page, 'Amount', 1).fill('9.99');
  await expectCount(page.getByText(advance), 0);
  await button(page, 'Save').click();
  await field(page, 'advance').getByText(advance).waitFor();
  await expectCount(page.getByRole('alert').getByText('One field is not valid.'), 1);
  await expectAccessible(page);
  await control(page, 'advance').fill('9.99');
  await expectCount(page.getByText(advance), 0);
  await button(page, 'Save').click();
  await expectToast(page, 'Saved');
  expect(await read(server, `/api/expenses/claim/${id}`)).toMatchObject({ total: '9.99', to_pay: '0.00' });
});

pageTest('a computed field is text, and follows the line items once these are saved', async (page) => {
  const id = await create(server, '/api/expenses/claim', { title: 'Rome', advance: '1.00' });
  await openPlace(page, `expenses/claim/${id}`);
  const totals = page.locator('.facts');
  const shown = (label: string) => totals.locator('div', { has: page.getByText(label, { exact: true }) }).locator('dd');
  await expect.poll(() => shown('To pay').textContent()).toBe('-1.00');
  await expectCount(totals.locator('input'), 0);
  await button(page, 'Add a row').click();
  await cell(page, 'Amount', 1).fill('3.50');
  await button(page, 'Save').click();
  await expectToast(page, 'Saved');
  await expect.poll(() => shown('To pay').textContent()).toBe('2.50');
  await expect.poll(() => shown('Item count').textContent()).toBe('1');
  await control(page, 'advance').fill('2.00');
  await button(page, 'Save').click();
  await expect.poll(() => shown('To pay').textContent()).toBe('1.50');
});

/** The dialog of an import. */
function importOf(page: Page) {
  const dialog = page.getByRole('dialog');
  return {
    choose: (...rows: readonly string[]): Promise<void> =>
      dialog
        .locator('input[type=file]')
        .setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from([...rows, ''].join('\n')) }),
    /** Why the file cannot be read. */
    problems: (): Promise<string[]> => dialog.getByRole('alert').getByRole('listitem').allTextContents(),
    errors: (): Promise<string[]> => tableErrors(page),
  };
}

pageTest('an import names the errors of all rows at once, before it sends any', async (page) => {
  const sent: string[] = [];
  page.on('request', (request) => request.method() !== 'GET' && sent.push(request.url()));
  await openPlace(page, 'expenses/claim', { waitFor: '.pager' });
  await chooseEntry(page, 'Import');
  const dialog = page.getByRole('dialog');
  const { choose, errors } = importOf(page);
  const header = 'title,starts_on,ends_on,advance';
  const right = `${'ä'.repeat(200)},2026-05-02,2026-05-02,1.50`;
  await choose(header, ',2026-02-30,,', right, `${'x'.repeat(201)},,,`, 'Oslo,2026-05-02,2026-05-01,');
  await expect
    .poll(errors)
    .toEqual([
      'title, line 2: is required',
      'starts_on, line 2: must be a date, like 11/22/2026',
      'title, line 4: must be at most 200 characters long',
      `ends_on, line 5: ${journey}`,
    ]);
  expect(sent).toEqual([]);
  await choose(header, 'Oslo,2026-05-02,2026-05-01,');
  await expect.poll(errors).toEqual([`ends_on, line 2: ${journey}`]);
  // A hook may mend it: the server decides.
  await expect.poll(() => dialog.getByRole('button', { name: 'Import' }).isEnabled()).toBe(true);
  await choose(header, right);
  await page.getByText('1 row.').waitFor();
  await dialog.getByRole('button', { name: 'Import' }).click();
  await page.getByText('1 record created.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.goto('/console#/assets/machine');
  await page.getByRole('heading', { name: 'Machines' }).waitFor();
  await chooseEntry(page, 'Import');
  await choose('power,condition', 'steam,new', 'hand,');
  await dialog.getByText('No column of the file is imported as Serial number, Model, Location, Is leased').waitFor();
  await choose('serial_number,model,location,is_leased,power,condition', 'AB-123456,M12,A,true,steam,new');
  await expect.poll(errors).toContain('power, line 2: must be one of "mains", "battery", "hand"');
});

pageTest('an import names what breaks the limits of fields, and the line of a file that is no CSV', async (page) => {
  await openPlace(page, 'assets/machine', { waitFor: '.pager' });
  await chooseEntry(page, 'Import');
  const { choose, problems, errors } = importOf(page);
  const header = 'serial_number,model,location,power,is_leased,hours,weight';
  await choose(
    header,
    'AB-1,M1,A,mains,true,-1,90001',
    'AB-123456,M12,A,hand,true,1.5,0.5',
    'AB-123456,M12,A,hand,true,1000000,1e999',
  );
  await expect
    .poll(errors)
    .toEqual([
      'serial_number, line 2: must match the pattern ^[A-Z]{2}-[0-9]{6}$',
      'model, line 2: must be at least 3 characters long',
      'hours, line 2: must be at least 0',
      'weight, line 2: must be at most 90000',
      'hours, line 3: must be a whole number, like 12',
      'weight, line 4: must be a smaller number',
    ]);
  await choose(header, '"AB-123456\n",M12', 'AB-123456,M12\r\r');
  await expect
    .poll(problems)
    .toEqual(['Line 4: In the row that begins here, a cell has half a line break (CR). Write the cell in quotes.']);
  await choose(header, 'AB-123456,"M12');
  await expect.poll(problems).toEqual(['Line 2: In the row that begins here, a quote is not closed.']);
});
