import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { runFile } from '../support/commands.ts';
import { projectRoot } from '../support/server.ts';
import { envOf } from '../transfer/run.ts';
import { sharedServer } from './server.ts';
import { expectAccessible } from '../console/accessible.ts';
import { expectShown, fill, openList } from '../console/list-page.ts';
import { tableErrors } from '../console/import-dialog.ts';
import { choose, escapeDialog } from '../console/record-page.ts';
import { pagesOf } from '../support/browser.ts';

const server = sharedServer();
const { open, pageTest } = pagesOf(server);

/** Exports the list that is shown. @returns the text of the file */
async function exportList(page: Page, isForSpreadsheet: boolean): Promise<string> {
  await choose(page, 'Export');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await expectAccessible(page);
  await dialog.getByRole('checkbox').setChecked(isForSpreadsheet);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export' }).click(),
  ]);
  await dialog.waitFor({ state: 'detached' });
  expect(download.suggestedFilename()).toBe('lead.csv');
  return readFile(await download.path(), 'utf8');
}

async function importFile(page: Page, text: string | Buffer): Promise<void> {
  const file = join(server.folder, 'leads.csv');
  await writeFile(file, text);
  await choose(page, 'Import');
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(file);
}

const leads = async (query: string): Promise<Record<string, unknown>[]> => {
  const { body, status } = await server.request('GET', `/api/crm/lead?sort=id&limit=1000&${query}`);
  expect(status).toBe(200);
  return (body as { data: Record<string, unknown>[] }).data;
};

pageTest('exports a list, and imports it again with the same values', async (page) => {
  const texts = ['=1+1', 'a "quoted", text', 'two\nlines', ' spaces ', 'Ωμ 🙂', '', 'true', '0042', '\u202e'];
  const bodies = Array.from({ length: 1_150 }, (_, n) => ({
    lead_name: texts[n % texts.length],
    status: 'Exported',
    ...(n % 2 === 0 && { annual_revenue: n / 7, disabled: true }),
  }));
  await fill(server, '/api/crm/lead', bodies);
  await fill(server, '/api/crm/lead', [{ lead_name: 'Another one' }]);
  await openList(page, 'crm/lead?status=Exported&sort=id');
  await expectShown(page, '1–50 of 1,150');
  const text = await exportList(page, false);
  const before = await leads('status=Exported');
  await importFile(page, text.replaceAll(',Exported,', ',Imported,'));
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1,150 rows.').waitFor();
  await dialog.getByText('Not imported: id, created_at, updated_at.').waitFor();
  await dialog.getByRole('button', { name: 'Import' }).click();
  await dialog.getByText('1,150 records created.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  const values = (records: readonly Record<string, unknown>[]): unknown =>
    records.map((record) => ({ ...record, id: '', status: '', created_at: '', updated_at: '' }));
  expect(values(await leads('status=Imported'))).toEqual(values(before));
});

test('a file for spreadsheets has no formulas', async (context) => {
  await fill(server, '/api/crm/lead', [{ lead_name: '=cmd()', status: 'Formula' }]);
  await using watched = await open(context);
  const { page } = watched;
  await openList(page, 'crm/lead?status=Formula');
  const text = await exportList(page, true);
  expect(text).toMatch(/^\uFEFFid,/);
  expect(text).toContain(",'=cmd(),");
  watched.expectNoFaults();
});

test('all wrong rows are found, also those that only the server refuses, and are mended in the dialog', async (context) => {
  await using watched = await open(context, {}, /status of 4(?:09|22)/);
  const { page } = watched;
  await openList(page, 'crm/lead');
  const wrong = new Map([
    [20, ['Row 20\0', 'Refused', '5']],
    [60, ['Row 60', 'Refused', 'much']],
    [61, ['Row 61\0', 'Refused', '5']],
    [149, ['Row 149', 'Refused']],
  ]);
  const rows = Array.from({ length: 150 }, (_, n) => wrong.get(n) ?? [`Row ${n}`, 'Refused', '5']);
  await importFile(page, ['Lead name,status,annual_revenue', ...rows.map((row) => row.join(','))].join('\n'));
  const dialog = page.getByRole('dialog');
  await dialog.getByText('150 rows. 2 rows are wrong and can be mended here.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Import 148 rows' }).click();
  await dialog.getByText('146 records created. 4 rows are wrong and can be mended here.').waitFor();
  expect(await leads('status=Refused')).toHaveLength(146);
  await expect
    .poll(() => tableErrors(page))
    .toEqual([
      'Lead name, line 22: must not contain U+0000',
      'annual_revenue, line 62: must be a number, like 1234.5',
      'Lead name, line 63: must not contain U+0000',
      'Line 151: The row has 2 cells, but the header has 3.',
    ]);
  await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Lead name, line 22');
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save the other rows' }).click(),
  ]);
  expect((await readFile(await download.path(), 'utf8')).split('\n')).toEqual([
    'Lead name,status,annual_revenue',
    'Row 20\0,Refused,5',
    'Row 60,Refused,much',
    'Row 61\0,Refused,5',
    'Row 149,Refused',
    '',
  ]);
  await dialog.getByLabel('Lead name, line 22').fill('Mended 20');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  // The keys have led to the cell two rows below.
  await page.keyboard.type('Mended 61');
  await dialog.getByLabel('annual_revenue, line 62').fill('6');
  await dialog.getByRole('button', { name: 'Fill up to 3 cells' }).click();
  await dialog.getByText('4 rows to look at, then to import.').waitFor();
  // Escape asks before mended rows are lost.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Go on mending' }).click();
  await dialog.getByRole('button', { name: 'Import again (4 rows)' }).click();
  await dialog.getByText('150 records created.').waitFor();
  const names = (await leads('status=Refused')).map((lead) => [lead['lead_name'], lead['annual_revenue']]);
  expect(names.slice(-4)).toEqual([
    ['Mended 20', 5],
    ['Row 60', 6],
    ['Mended 61', 5],
    ['Row 149', null],
  ]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await importFile(page, Buffer.from('lead_name\nZoë\n', 'latin1'));
  await dialog.getByText('The file is not UTF-8. Save it as UTF-8.').waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Import' }).isDisabled()).toBe(true);
  watched.expectNoFaults();
});

pageTest('the console and the command name the same cells of a file', async (page) => {
  await openList(page, 'crm/lead');
  await importFile(page, 'Lead Name,ANNUAL REVENUE\n"two\nlines",1\n\nOne,much\nTwo,3,4\nThree,1e999\n');
  await expect
    .poll(() => tableErrors(page))
    .toEqual([
      'ANNUAL REVENUE, line 5: must be a number, like 1234.5',
      'Line 6: The row has 3 cells, but the header has 2.',
      'ANNUAL REVENUE, line 7: must be a smaller number',
    ]);
  const args = ['import', 'crm/lead', 'leads.csv', '--dry-run'];
  const end = await runFile(join(projectRoot, 'generated/server.ts'), server.folder, args, envOf(server));
  expect(end.stderr.split('\n')).toEqual(
    expect.arrayContaining([
      'leads.csv:5: ANNUAL REVENUE must be a number, like 1234.5, not "much"',
      'leads.csv:6: the row has 3 cells, but the header has 2',
    ]),
  );
});

pageTest('the fields of columns are chosen', async (page) => {
  await openList(page, 'crm/competitor');
  await importFile(page, 'Nickname,Pet,Website\nOne,Cat,a\nTwo,Dog,b\n');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('No column of the file is imported as Competitor name').waitFor();
  await dialog.getByText('1 of 3 columns imported. Not imported: Nickname, Pet.').waitFor();
  await dialog.getByLabel('Field of the column Nickname').selectOption('Competitor name');
  await dialog.getByRole('button', { name: 'Import 2 rows' }).click();
  await dialog.getByText('2 records created.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  for (const name of ['One', 'Two']) await page.getByText(name, { exact: true }).waitFor();
});

pageTest('an import that is stopped, by a button or by Escape, says what was stored', async (page) => {
  await openList(page, 'crm/lead');
  const dialog = page.getByRole('dialog');
  for (const [status, end] of [
    ['Stopped', () => dialog.getByRole('button', { name: 'Stop' }).click()],
    ['Escaped', () => escapeDialog(page)],
  ] as const) {
    const { promise: held, resolve: isHeld } = Promise.withResolvers<() => void>();
    await page.route('**/api/batch', async (route) => {
      await new Promise<void>((resolve) => isHeld(resolve));
      await route.continue();
    });
    await importFile(page, `lead_name,status\n${`A lead,${status}\n`.repeat(250)}`);
    await dialog.getByRole('button', { name: 'Import' }).click();
    const release = await held;
    await end();
    release();
    await page.getByText('100 records created.').waitFor();
    await page.unroute('**/api/batch');
    expect(await leads(`status=${status}`)).toHaveLength(100);
    if (status === 'Escaped') break;
    await dialog.getByRole('button', { name: 'Save the other rows' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
  }
});
