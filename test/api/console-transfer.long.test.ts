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
import { escapeDialog } from '../console/record-page.ts';
import { pagesOf } from '../support/browser.ts';

const server = sharedServer();
const { open, pageTest } = pagesOf(server);

/** Exports the list that is shown. @returns the text of the file */
async function exportList(page: Page, isForSpreadsheet: boolean): Promise<string> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
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
  await page.getByRole('button', { name: 'Import', exact: true }).click();
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

test('says which row is refused and why, and stores none of its batch', async (context) => {
  await using watched = await open(context, {}, /status of 422/);
  const { page } = watched;
  await openList(page, 'crm/lead');
  const rows = Array.from({ length: 150 }, (_, n) => `Row ${n + 1}${n === 120 ? '\0' : ''},Refused,5`);
  await importFile(page, `${['Lead name,status,annual_revenue', ...rows].join('\n')}\n`);
  const dialog = page.getByRole('dialog');
  await dialog.getByText('150 rows.').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Import' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'Line 122: Lead name' }).waitFor();
  await dialog.getByText('100 records created.').waitFor();
  expect(await leads('status=Refused')).toHaveLength(100);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save the other rows' }).click(),
  ]);
  expect((await readFile(await download.path(), 'utf8')).split('\n').slice(0, 2)).toEqual([
    'Lead name,status,annual_revenue',
    'Row 101,Refused,5',
  ]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await importFile(page, 'lead_name,annual_revenue\nOne,much\nTwo\nThree,1e999\n');
  await dialog.getByText('Line 2: annual_revenue must be a number').waitFor();
  await dialog.getByText('Line 4: annual_revenue must be a smaller number').waitFor();
  await dialog.getByText('Line 3: the row has 1 cell, but the header has 2.').waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Import' }).isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await importFile(page, Buffer.from('lead_name\nZoë\n', 'latin1'));
  await dialog.getByText('The file is not UTF-8. Save it as UTF-8.').waitFor();
  await expect.poll(() => dialog.getByRole('button', { name: 'Import' }).isDisabled()).toBe(true);
  watched.expectNoFaults();
});

pageTest('the console and the command name the same columns and lines of a file', async (page) => {
  await openList(page, 'crm/lead');
  const problems = page.getByRole('dialog').getByRole('alert').getByRole('listitem');
  const command = async (): Promise<string[]> => {
    const end = await runFile(join(projectRoot, 'generated/server.ts'), server.folder, args, envOf(server));
    return end.stderr.split('\n');
  };
  const args = ['import', 'crm/lead', 'leads.csv', '--dry-run'];
  await importFile(page, 'Lead Name,ANNUAL REVENUE\n"two\nlines",1\n\nOne,much\nTwo,3,4\n');
  await problems.first().waitFor();
  await expect
    .poll(() => problems.allTextContents())
    .toEqual([
      'Line 5: ANNUAL REVENUE must be a number, like 1234.5, not "much".',
      'Line 6: the row has 3 cells, but the header has 2.',
    ]);
  expect(await command()).toEqual(
    expect.arrayContaining([
      'leads.csv:5: ANNUAL REVENUE must be a number, like 1234.5, not "much"',
      'leads.csv:6: the row has 3 cells, but the header has 2',
    ]),
  );
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await importFile(page, 'Lead Nam,Pet\nOne,Cat\n');
  await expect
    .poll(() => problems.allTextContents())
    .toEqual([
      'The column "Lead Nam" is not a field; did you mean "lead_name"? Rename it in the file, or remove it.',
      'The column "Pet" is not a field. Rename it in the file, or remove it.',
    ]);
  const refusals = (await command()).map((line) => line.trim().replace(/`--map.*/, ''));
  expect(refusals).toEqual(
    expect.arrayContaining([
      'The column "Lead Nam" is not a field; did you mean "lead_name"? ',
      'The column "Pet" is not a field. ',
    ]),
  );
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
