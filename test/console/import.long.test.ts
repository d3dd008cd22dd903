import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { expectNoSideScroll, pagesOf, phone } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';
import { tableErrors } from './import-dialog.ts';
import { fill, openList } from './list-page.ts';
import { button, choose, refusals } from './record-page.ts';

const server = sharedServer();
const { open } = pagesOf(server, { viewport: { width: 1280, height: 844 }, timezoneId: 'Europe/Berlin' }, refusals);

/** Chooses a file in the dialog of the list that is shown. */
async function chooseFile(page: Page, text: string): Promise<void> {
  await choose(page, '(?:Import|Importieren)');
  await page
    .getByRole('dialog')
    .locator('input[type=file]')
    .setInputFiles({ name: 'file.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
}

async function imported(page: Page, path: string, count: number): Promise<Record<string, unknown>[]> {
  const dialog = page.getByRole('dialog');
  await dialog.locator('.primary').press('Enter');
  await dialog.getByText(/angelegt\.|created\./).waitFor();
  await dialog.locator('.stop').click();
  const { body } = await server.request('GET', `${path}?sort=-id&limit=${count}`);
  return (body as { data: Record<string, unknown>[] }).data.toReversed();
}

/** The cells of a column of the preview of the first rows. */
const column = async (page: Page, title: string): Promise<string[]> => {
  await page.locator('.preview').evaluate((details) => details.setAttribute('open', ''));
  const heads = await page.locator('.preview thead th bdi').allTextContents();
  return page.locator(`.preview tbody td:nth-child(${heads.indexOf(title) + 2})`).allInnerTexts();
};

const header = 'Serial number;Model;Location;Power;Is leased;Is insured;Weight;Hours;Built on;Serviced at\n';

test('the file of a German spreadsheet is read as it is meant', async (context) => {
  await using watched = await open(context, { locale: 'de-DE' });
  const { page } = watched;
  await openList(page, 'assets/machine');
  await chooseFile(
    page,
    `${header}AB-000001;Presse;Ulm;Mains;ja;nein;1.234,50;1.234;31.12.2026;31.12.2026 14:30\n` +
      'AB-000002;Presse;Ulm;battery;Nein;WAHR;1.234;;2026-12-31;2026-12-31T14:30:00Z\n',
  );
  const meant = page.getByRole('group', { name: 'Zahlen wie 1.234 bedeuten' });
  await expect.poll(() => meant.getByLabel('1234').isChecked()).toBe(true);
  await expect.poll(() => column(page, 'Weight')).toEqual(['1.234,5', '1.234']);
  await expect.poll(() => column(page, 'Built on')).toEqual(['31.12.2026', '31.12.2026']);
  await expectAccessible(page);
  expect(await imported(page, '/api/assets/machine', 2)).toMatchObject([
    {
      power: 'mains',
      is_leased: true,
      is_insured: false,
      weight: 1234.5,
      hours: 1234,
      built_on: '2026-12-31',
      serviced_at: '2026-12-31T13:30:00.000Z',
    },
    { is_leased: false, is_insured: true, weight: 1234, hours: null, serviced_at: '2026-12-31T14:30:00.000Z' },
  ]);
  watched.expectNoFaults();
});

test('a file in the notation of the API is read so in a German browser, which says it', async (context) => {
  await using watched = await open(context, { locale: 'de-DE' });
  const { page } = watched;
  await openList(page, 'assets/machine');
  const name = 'serial_number,model,location,power,is_leased,weight,built_on\n';
  await chooseFile(
    page,
    `${name}AB-000003,Presse,Ulm,mains,true,1.234,2026-12-31\nAB-000004,Presse,,mains,false,12.5,\n`,
  );
  const meant = page.getByRole('group', { name: 'Zahlen wie 1.234 bedeuten' });
  await expect.poll(() => meant.getByLabel('1,234').isChecked()).toBe(true);
  await expect.poll(() => column(page, 'weight')).toEqual(['1,234', '12,5']);
  // It can be changed: what cannot be read so is wrong then.
  await meant.getByLabel('1234').check();
  await expect.poll(() => tableErrors(page)).toEqual(['weight, Zeile 3: muss eine Zahl sein, zum Beispiel 1234,5']);
  await meant.getByLabel('1,234').check();
  await expect.poll(() => tableErrors(page)).toEqual([]);
  expect(await imported(page, '/api/assets/machine', 2)).toMatchObject([
    { weight: 1.234, is_leased: true },
    { weight: 12.5 },
  ]);
  watched.expectNoFaults();
});

test('a row that is mended is so among the first rows, too', async (context) => {
  await using watched = await open(context);
  const { page } = watched;
  await openList(page, 'crm/lead');
  await chooseFile(page, 'lead_name,annual_revenue\nAnn,lots\n');
  await expect.poll(() => column(page, 'annual_revenue')).toEqual([expect.stringContaining('must be a number')]);
  await page.locator('dialog table [aria-invalid="true"]').fill('12');
  await page.keyboard.press('Tab');
  await expect.poll(() => column(page, 'annual_revenue')).toEqual(['12']);
  watched.expectNoFaults();
});

test.for([
  ['de-DE', '1.234', '1234', '1,234', 'Weitere Aktionen', 'Importieren'],
  ['en-US', '1,234', '1234', '1.234', 'More actions', 'Import'],
] as const)(
  'a number that can be read in two ways is asked for, and answered by the keyboard: $0',
  async (words, context) => {
    const [locale, text, whole, decimal, menu, action] = words;
    await using watched = await open(context, { locale });
    const { page } = watched;
    await openList(page, 'crm/lead');
    await button(page, menu).press('Enter');
    await page.getByRole('menuitem', { name: action, exact: true }).press('Enter');
    const dialog = page.getByRole('dialog');
    const buffer = Buffer.from(`lead_name;annual_revenue\nAnn;${text}\nBob;7\n`);
    await dialog.locator('input[type=file]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
    await expect
      .poll(async () => (await tableErrors(page)).join())
      .toMatch(new RegExp(`${whole} (?:or|oder) ${decimal}$`));
    await expect.poll(() => column(page, 'annual_revenue')).toEqual([expect.stringContaining(text), '7']);
    await page.locator('.preview').evaluate((details) => details.removeAttribute('open'));
    await dialog.locator('input[type=file]').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => dialog.getByLabel(decimal, { exact: true }).isChecked()).toBe(true);
    await expect.poll(() => tableErrors(page)).toEqual([]);
    await expectAccessible(page);
    for (let presses = 0; !(await page.locator('.primary:focus').count()); presses++) {
      expect(presses).toBeLessThan(8);
      await page.keyboard.press('Tab');
    }
    expect(await imported(page, '/api/crm/lead', 2)).toMatchObject([{ annual_revenue: 1.234 }, { annual_revenue: 7 }]);
    watched.expectNoFaults();
  },
);

test('texts that look like formulas come back from a file for spreadsheets as they were', async (context) => {
  const texts = ['+49 731 12', "'+49 731 12", "''=1", "'quoted'", '=1+1', '-', '@a', "it's"];
  await fill(
    server,
    '/api/crm/lead',
    texts.map((text) => ({ lead_name: 'Formula', phone: text })),
  );
  await using watched = await open(context);
  const { page } = watched;
  await openList(page, 'crm/lead?q=Formula&sort=id');
  await choose(page, 'Export');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('button', { name: 'Export' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  expect(text).toContain(",'+49 731 12,");
  expect(text).toContain(",''+49 731 12,");
  await page.locator('dialog').waitFor({ state: 'detached' });
  await chooseFile(page, text);
  const records = await imported(page, '/api/crm/lead', texts.length);
  expect(records.map((record) => record['phone'])).toEqual(texts);
  watched.expectNoFaults();
});

test('faults of a file are told in German', async (context) => {
  await using watched = await open(context, { locale: 'de-DE' });
  const { page } = watched;
  await openList(page, 'crm/lead');
  await chooseFile(page, 'lead_name,phone\nAnn,"1\n');
  const dialog = page.getByRole('dialog');
  await dialog
    .getByText('Zeile 2: Im Datensatz, der hier beginnt, ist ein Anführungszeichen nicht geschlossen.')
    .waitFor();
  await page.keyboard.press('Escape');
  await chooseFile(page, 'lead_name,disabled,annual_revenue\nAnn,vielleicht,viel\nBob\n');
  await expect
    .poll(() => tableErrors(page))
    .toEqual([
      'disabled, Zeile 2: muss Ja oder Nein sein',
      'annual_revenue, Zeile 2: muss eine Zahl sein, zum Beispiel 1234,5',
      'Zeile 3: Die Zeile hat 1 Zelle, aber die Kopfzeile hat 3.',
    ]);
  watched.expectNoFaults();
});

test.for(['en-US', 'de-DE'])('hostile texts are shown as they are: %s', async (locale, context) => {
  await using watched = await open(context, { locale });
  const { page } = watched;
  await openList(page, 'crm/lead');
  const html = '<img src=x onerror=alert(1)>';
  const long = 'x'.repeat(50_000);
  await chooseFile(
    page,
    `lead_name,phone,"${html}",annual_revenue\n"${html}","\u202eشيء","{{a}}",${long}\n${long},🧑‍🚀,,\u202e1\n"a\0b","'${html}",,1\n`,
  );
  await expect.poll(() => column(page, 'lead_name')).toEqual([html, expect.stringMatching(/^x{160}…$/), 'a\0b']);
  await expectAccessible(page);
  await page.setViewportSize(phone);
  await expectNoSideScroll(page);
  const dialog = page.getByRole('dialog');
  await dialog.locator('.primary').click();
  // The server refuses the NUL.
  await expect
    .poll(async () => (await tableErrors(page)).at(-1))
    .toMatch(/U\+0000|ein Zeichen, das sich nicht speichern lässt/);
  await expectAccessible(page);
  watched.expectNoFaults();
});
