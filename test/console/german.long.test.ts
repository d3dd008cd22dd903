import { expect } from 'vitest';

import { expectValue, pagesOf } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { button, control, create, expectToast, field, openPlace, read, refusals } from './record-page.ts';

const server = sharedServer();
const { pageTest } = pagesOf(server, { viewport: { width: 1280, height: 844 }, locale: 'de-DE' }, refusals);

pageTest('numbers are written as the language of the browser does, and none is guessed', async (page) => {
  const order = { ordered_on: '2026-11-20', company: 'Acme', currency: 'EUR', total: 1234567.5 };
  const path = `/api/sales/order/${await create(server, '/api/sales/order', order)}`;
  await openPlace(page, path.slice('/api/'.length));
  const total = control(page, 'total');
  await expectValue(total, '1.234.567,5');
  // Tab selects all of it, which is typed over.
  await control(page, 'payment_days').focus();
  await page.keyboard.press('Tab');
  await expectValue(total, '1234567,5');
  await page.keyboard.type('2.500,25');
  await button(page, 'Speichern').click();
  await expectToast(page, 'Gespeichert.');
  expect(await read(server, path)).toMatchObject({ total: 2500.25 });
  await expectValue(total, '2.500,25');
  await total.fill('1.234');
  await button(page, 'Speichern').click();
  const error = field(page, 'total').locator('.error-text');
  await expect.poll(() => error.textContent()).toContain('entweder 1234 oder 1,234');
  await control(page, 'payment_days').fill('1.234');
  await total.fill('1,234');
  await button(page, 'Speichern').click();
  // The toast may be that of the first save.
  await expect.poll(() => read(server, path)).toMatchObject({ total: 1.234, payment_days: 1234 });
});

pageTest('a decimal keeps all its digits, and the API gets plain notation', async (page) => {
  await openPlace(page, 'expenses/claim/new');
  await control(page, 'title').fill('Messe');
  await control(page, 'advance').fill('1,50');
  await button(page, 'Zeile hinzufügen').click();
  const amount = page.getByLabel('Amount, Zeile 1', { exact: true });
  await amount.fill('123.456,70');
  await button(page, 'Anlegen').click();
  await expectToast(page, 'Claim angelegt.');
  await page.waitForURL(/claim_/);
  await expectValue(amount, '123.456,70');
  await page.locator('.facts').getByText('123.456,70').first().waitFor();
  expect(await read(server, `/api/expenses/claim/${page.url().split('/').at(-1)}`)).toMatchObject({
    advance: '1.50',
    total: '123456.70',
    to_pay: '123455.20',
  });
});

pageTest('what is wrong with values is said in German, with the limits of the field', async (page) => {
  await openPlace(page, 'assets/machine/new');
  await control(page, 'serial_number').fill('br-1');
  await control(page, 'model').fill('X');
  await control(page, 'support_email').fill('nobody');
  await button(page, 'Anlegen').click();
  const errorOf = (name: string): Promise<string | null> => field(page, name).locator('.error-text').textContent();
  expect(await errorOf('serial_number')).toBe('Serial number muss dem Muster ^[A-Z]{2}-[0-9]{6}$ entsprechen.');
  expect(await errorOf('model')).toBe('Model muss mindestens 3 Zeichen haben.');
  expect(await errorOf('support_email')).toBe(
    'Support email muss eine E-Mail-Adresse sein, zum Beispiel name@example.com.',
  );
});
