import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';

import { expectCount, expectValue, pagesOf } from '../support/browser.ts';
import { idOfKey } from '../../runtime/features/keys/format.ts';
import { sharedServer, testKey } from '../support/server.ts';
import {
  button,
  cell,
  choose,
  control,
  create,
  escapeDialog,
  expectSaved,
  expectNotPossible,
  expectToast,
  field,
  holdAnswers,
  keyWith,
  openMenu,
  openPlace,
  read,
  refusals,
  runKeys,
} from './record-page.ts';
import { signOut } from './list-page.ts';

const server = sharedServer();
const { open, pageTest } = pagesOf(
  server,
  { viewport: { width: 1280, height: 844 }, timezoneId: 'Europe/Berlin' },
  refusals,
);

const order = { ordered_on: '2026-11-20', company: 'Acme', currency: 'EUR' };

pageTest('creates a record of every field type, exactly', async (page) => {
  await openPlace(page, 'assets/machine/new');
  await expectValue(control(page, 'hours'), '0');
  await expectValue(control(page, 'warranty_ends_on'), '2030-12-31');
  await control(page, 'serial_number').fill('AB-123456');
  await control(page, 'model').fill('Lathe "Ö" <b>');
  await control(page, 'location').fill('Hall 3');
  await control(page, 'power').selectOption('battery');
  await field(page, 'is_leased').getByLabel('Yes').check();
  await field(page, 'is_insured').getByLabel('No value').check();
  await control(page, 'built_on').fill('2024-02-29');
  await control(page, 'weight').fill('1 234.50');
  await control(page, 'tolerance').fill('');
  await control(page, 'hours').fill('999999');
  await control(page, 'serviced_at').fill('2026-01-31T12:30');
  await control(page, 'region').fill('');
  await button(page, 'Create').click();
  await expectToast(page, 'Machine created');
  await page.waitForURL(/machine_/);
  await page
    .getByRole('region', { name: 'Filled in automatically' })
    .getByText('Filled in by the inspection.')
    .waitFor();
  const stored = await read(server, `/api/assets/machine/${page.url().split('/').at(-1)}`);
  expect(stored).toMatchObject({
    serial_number: 'AB-123456',
    model: 'Lathe "Ö" <b>',
    location: 'Hall 3',
    condition: 'new',
    power: 'battery',
    built_on: '2024-02-29',
    warranty_ends_on: '2030-12-31',
    serviced_at: '2026-01-31T11:30:00.000Z',
    weight: 1234.5,
    tolerance: null,
    hours: 999_999,
    is_leased: true,
    is_insured: null,
    region: null,
    part_id: null,
  });
});

pageTest('shows all errors at their fields, and the focus goes to the first', async (page) => {
  await openPlace(page, 'assets/machine/new');
  await control(page, 'serial_number').fill('wrong');
  await control(page, 'location').fill('Hall 3');
  await control(page, 'weight').fill('1,5');
  await control(page, 'tolerance').fill('0.12345678901234567890');
  await control(page, 'support_email').fill('nobody');
  await button(page, 'Create').click();
  const errors = page.locator('.error-text');
  await errors.first().waitFor();
  await expect
    .poll(() => errors.allTextContents())
    .toEqual([
      'Serial number must match the pattern ^[A-Z]{2}-[0-9]{6}$.',
      'Model is required.',
      'Power is required.',
      'Is leased is required.',
      'Support email must be an email address, like name@example.com.',
      'Weight must be a number, like 1234.5.',
      'Tolerance has more digits than can be kept; the nearest number is 0.12345678901234568.',
    ]);
  const first = control(page, 'serial_number');
  await expect.poll(() => page.locator(':focus').getAttribute('name')).toBe('serial_number');
  await expect.poll(() => first.getAttribute('aria-invalid')).toBe('true');
  const described = await first.getAttribute('aria-describedby');
  await expect.poll(() => page.locator(`#${described?.split(' ')[0]}`).textContent()).toContain('must match');
  await first.fill('AB-000002');
  await expectCount(field(page, 'serial_number').locator('.error-text'), 0);
});

pageTest('sends what was changed alone; an emptied field has no value, and a stored empty text stays', async (page) => {
  const id = await create(server, '/api/crm/contact', { full_name: 'Ann', company: 'Acme', notes: 'one\r\ntwo' });
  const path = `/api/crm/contact/${id}`;
  await openPlace(page, `crm/contact/${id}`);
  const sent: unknown[] = [];
  const conditions: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'PATCH') return;
    sent.push(request.postDataJSON());
    conditions.push(request.headers()['if-match']);
  });
  await control(page, 'company').fill('');
  await control(page, 'notes').press('Control+End');
  await control(page, 'notes').pressSequentially('!');
  await page.keyboard.press('Control+s');
  await expectToast(page, 'Saved');
  expect(sent).toEqual([{ company: null, notes: 'one\r\ntwo!' }]);
  expect(conditions).toEqual(['"1"']);
  // Another program may store an empty text. Only "Clear" makes no value of it.
  await server.request('PATCH', path, { company: '' });
  await page.reload();
  await control(page, 'company').fill('x');
  await control(page, 'company').fill('');
  await expectSaved(page);
  await control(page, 'company').press('Alt+Backspace');
  await button(page, 'Save').click();
  await expect.poll(async () => (await read(server, path))['company']).toBe(null);
  await expectSaved(page);
  await control(page, 'full_name').fill('');
  await button(page, 'Save').click();
  await page.getByText('Full name is required.').waitFor();
  expect(sent).toHaveLength(3);
});

pageTest('tells two people of each other, and loses nothing that was typed', async (page) => {
  const id = await create(server, '/api/crm/contact', { full_name: 'Ann', company: 'Acme', notes: 'old' });
  const path = `/api/crm/contact/${id}`;
  await openPlace(page, `crm/contact/${id}`);
  await control(page, 'full_name').fill('Anna');
  await control(page, 'company').fill('Mine');
  await server.request('PATCH', path, { company: 'Theirs', full_name: 'Anne', notes: 'new' });
  await button(page, 'Save').click();
  const conflict = page.locator('.conflict');
  await conflict.getByText('Another user has changed this record').waitFor();
  await expect
    .poll(() => conflict.getByRole('row').allInnerTexts())
    .toEqual([
      expect.stringContaining('Theirs, stored now'),
      expect.stringMatching(/Full name\s+Anne\s+Anna/),
      expect.stringMatching(/Company\s+Theirs\s+Mine/),
    ]);
  await expect.poll(() => conflict.textContent()).toContain('Changed only by them: Notes');
  await expectValue(control(page, 'notes'), 'new');
  await expectValue(control(page, 'company'), 'Mine');
  await conflict.getByLabel('Full name: take theirs').check();
  await expectValue(control(page, 'full_name'), 'Anne');
  await button(page, 'Save again').click();
  await expectToast(page, 'Saved');
  expect(await read(server, path)).toMatchObject({ full_name: 'Anne', company: 'Mine', notes: 'new' });
  await expectCount(conflict, 0);
});

pageTest('says that a record was deleted while it was edited', async (page) => {
  const id = await create(server, '/api/crm/contact', { full_name: 'Ann' });
  await openPlace(page, `crm/contact/${id}`);
  await control(page, 'notes').fill('long text');
  await server.request('DELETE', `/api/crm/contact/${id}`);
  await button(page, 'Save').click();
  await page.getByText('This record no longer exists.').waitFor();
  await expectValue(control(page, 'notes'), 'long text');
  await expectCount(button(page, 'Save'), 0);
});

pageTest('creates a record with its line items in one commit, and shows errors in their rows', async (page) => {
  await openPlace(page, 'sales/order/new');
  await control(page, 'ordered_on').fill('2026-11-20');
  await control(page, 'company').fill('Acme');
  await control(page, 'currency').fill('EUR');
  await button(page, 'Add a row').click();
  await cell(page, 'Quantity', 1).fill('two');
  await cell(page, 'Quantity', 1).press('Enter');
  await cell(page, 'Article', 2).fill('Nut');
  await button(page, 'Create').click();
  await page.locator('.items .error-text').first().waitFor();
  await expect
    .poll(() => page.locator('.items .error-text').allTextContents())
    .toEqual(['Article is required.', 'Quantity must be a number, like 1234.5.']);
  await cell(page, 'Article', 1).fill('Bolt');
  await cell(page, 'Quantity', 1).fill('2.50');
  await button(page, 'Create').click();
  await expectToast(page, 'Order created');
  await page.waitForURL(/order_/);
  const id = page.url().split('/').at(-1);
  const { data } = await read(server, `/api/sales/order-line?parent_id=${id}`);
  expect(data).toMatchObject([
    { idx: 1, article: 'Bolt', quantity: 2.5 },
    { idx: 2, article: 'Nut', quantity: null },
  ]);
});

pageTest('edits, deletes and reorders line items by keyboard and by dragging', async (page) => {
  const id = await create(server, '/api/sales/order', order);
  for (const article of ['A', 'B', 'C', 'D']) await create(server, '/api/sales/order-line', { order_id: id, article });
  const articles = async (): Promise<unknown[]> => {
    const { data } = await read(server, `/api/sales/order-line?parent_id=${id}`);
    return (data as { article: string }[]).map(({ article }) => article);
  };
  await openPlace(page, `sales/order/${id}`);
  await page.getByRole('button', { name: 'Move row 1', exact: true }).focus();
  // A key that is held: the next press comes before the next frame.
  await page.evaluate(`(async () => {
    for (let n = 0; n < 2; n++) {
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve));
    }
  })()`);
  await page.getByText('Moved to place 3 of 4.').waitFor({ state: 'attached' });
  await expectValue(cell(page, 'Article', 3), 'A');
  await button(page, 'Save').click();
  await expectToast(page, 'Saved');
  expect(await articles()).toEqual(['B', 'C', 'A', 'D']);
  // The last row goes to the top.
  await page.getByRole('button', { name: 'Add a row' }).scrollIntoViewIfNeeded();
  const from = await page.getByRole('button', { name: 'Move row 4', exact: true }).boundingBox();
  const to = await page.getByRole('button', { name: 'Move row 1', exact: true }).boundingBox();
  await page.mouse.move(from!.x + 4, from!.y + 8);
  await page.mouse.down();
  await page.mouse.move(to!.x + 4, to!.y + 60, { steps: 4 });
  await page.mouse.move(to!.x + 4, to!.y + 4, { steps: 4 });
  await page.mouse.up();
  await expectValue(cell(page, 'Article', 1), 'D');
  await cell(page, 'Article', 2).fill('B2');
  await button(page, 'Delete row 3').click();
  await button(page, 'Add a row').click();
  await cell(page, 'Article', 5).fill('E');
  await page.getByRole('button', { name: 'Move row 5', exact: true }).press('Home');
  await button(page, 'Save').click();
  await expect.poll(articles).toEqual(['E', 'D', 'B2', 'A']);
  await expectSaved(page);
  await page.reload();
  await page.locator('.items tbody tr').nth(3).waitFor();
  await expectCount(page.locator('.items tbody tr'), 4);
});

pageTest('a row in which nothing was typed is not saved, which is said beside the button', async (page) => {
  const id = await create(server, '/api/sales/order', order);
  await openPlace(page, `sales/order/${id}`);
  await button(page, 'Add a row').click();
  await page.getByText('Empty rows are not saved').waitFor();
  expect(await button(page, 'Save').getAttribute('aria-disabled')).toBe('true');
  await cell(page, 'Article', 1).fill('Bolt');
  await cell(page, 'Article', 1).press('Enter');
  await page.getByText('Not saved', { exact: true }).waitFor();
  await button(page, 'Save').click();
  await expectToast(page, 'Saved');
  await page.getByText('Empty rows are not saved').waitFor();
  expect(await read(server, `/api/sales/order-line?parent_id=${id}`)).toMatchObject({ total: 1 });
});

pageTest('shows line items beyond the first hundred', async (page) => {
  const id = await create(server, '/api/sales/order', order);
  const operations = Array.from({ length: 100 }, (_, number) => ({
    method: 'POST',
    path: '/api/sales/order-line',
    body: { order_id: id, article: `A${number}` },
  }));
  for (let batch = 0; batch < 2; batch++) await server.request('POST', '/api/batch', { operations });
  await create(server, '/api/sales/order-line', { order_id: id, article: 'last' });
  await openPlace(page, `sales/order/${id}`);
  await expectCount(page.locator('.items tbody tr'), 100);
  const answers = await holdAnswers(page, '**/api/sales/order-line?*after=*');
  await button(page, 'Show more (101 left)').click();
  await cell(page, 'Article', 1).fill('typed meanwhile');
  await answers.release();
  await button(page, 'Show more (1 left)').click();
  await cell(page, 'Article', 201).waitFor();
  await expectValue(cell(page, 'Article', 201), 'last');
  await expectValue(cell(page, 'Article', 1), 'typed meanwhile');
});

pageTest('submits and cancels, saves what was typed with it, and says why something is not possible', async (page) => {
  const id = await create(server, '/api/sales/order', order);
  const path = `/api/sales/order/${id}`;
  await openPlace(page, `sales/order/${id}`);
  await expectCount(button(page, 'Cancel'), 0);
  await expectNotPossible(page, 'Cancel', 'Cancel is possible when the status is “submitted”; now it is “draft”.');
  await control(page, 'total').fill('12.5');
  await button(page, 'Save and submit').click();
  await page.locator('.record-state .state', { hasText: 'submitted' }).waitFor();
  expect(await read(server, path)).toMatchObject({ status: 'submitted', total: 12.5 });
  await button(page, 'Cancel').click();
  await page.getByRole('dialog').getByText('Its status becomes “cancelled”').waitFor();
  await escapeDialog(page);
  expect(await read(server, path)).toMatchObject({ status: 'submitted' });
  // Another user is faster.
  await server.request('POST', `${path}/cancel`);
  await button(page, 'Cancel').click();
  await button(page, 'Cancel order').click();
  await page.getByText('That is not possible now.').waitFor();
  await page.locator('.record-state .state', { hasText: 'cancelled' }).waitFor();
});

pageTest('the focus stays on the page when the button that has it goes, or waits', async (page) => {
  const id = await create(server, '/api/sales/order', order);
  await create(server, '/api/sales/order-line', { order_id: id, article: 'A' });
  await openPlace(page, `sales/order/${id}`);
  const focused = (element: Locator): Promise<void> => expectCount(element.and(page.locator(':focus')), 1);
  await button(page, 'Submit').press('Enter');
  await button(page, 'Cancel').waitFor();
  await focused(page.getByRole('heading', { level: 1 }));
  await button(page, 'Add a row').press('Enter');
  await button(page, 'Delete row 2').press('Enter');
  await focused(button(page, 'Delete row 1'));
  await page.locator('summary', { hasText: 'History' }).press('Enter');
  const undo = page.getByRole('button', { name: /^Undo/ }).first();
  await undo.press('Enter');
  await page.locator('.record-state .state', { hasText: 'draft' }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.textContent.trim()')).toBe('Undo');
});

pageTest('asks before it deletes, and says what goes with it', async (page) => {
  const id = await create(server, '/api/sales/order', order);
  await create(server, '/api/sales/order-line', { order_id: id, article: 'A' });
  await openPlace(page, `sales/order/${id}`);
  await choose(page, 'Delete');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 line item.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  await read(server, `/api/sales/order/${id}`);
  await choose(page, 'Delete');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expectToast(page, 'Order deleted');
  await page.waitForURL(/#\/sales\/order$/);
  expect((await server.request('GET', `/api/sales/order/${id}`)).status).toBe(404);
});

pageTest('a question goes with the page that has asked it', async (page) => {
  const id = await create(server, '/api/sales/order', order);
  const path = `/api/sales/order/${id}`;
  await openPlace(page, 'crm/contact/new');
  for (const ask of ['Delete', 'Cancel']) {
    if (ask === 'Cancel') expect((await server.request('POST', `${path}/submit`)).status).toBe(200);
    await page.goto(`/console#/sales/order/${id}`);
    await (ask === 'Delete' ? choose(page, ask) : button(page, ask).click());
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'New contact' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
  }
  expect(await read(server, path)).toMatchObject({ status: 'submitted' });
});

pageTest('asks before unsaved changes are lost, however the page is left', async (page) => {
  const id = await create(server, '/api/crm/contact', { full_name: 'Ann' });
  await openPlace(page, `crm/contact/${id}`);
  await control(page, 'notes').fill('typed');
  const dialog = page.getByRole('dialog', { name: 'Discard your changes?' });
  const leaving: (() => Promise<unknown>)[] = [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('navigation', { name: 'Resources' }).getByRole('link', { name: 'Competitors' }).click(),
    () => signOut(page),
  ];
  for (const leave of leaving) {
    await leave();
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await page.locator('dialog').waitFor({ state: 'detached' });
    await expectValue(control(page, 'notes'), 'typed');
    await expect.poll(() => page.url()).toContain(id);
  }
  const asked = page.waitForEvent('dialog');
  await page.evaluate('setTimeout(() => location.reload())');
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await expectValue(control(page, 'notes'), 'typed');
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await page.waitForURL(/#\/crm\/contact$/);
});

pageTest('keeps what is typed while a new record is created', async (page) => {
  await openPlace(page, 'crm/contact/new');
  await control(page, 'full_name').fill('Ann');
  const answers = await holdAnswers(page, '**/api/crm/contact');
  await button(page, 'Create').click();
  await control(page, 'notes').fill('typed meanwhile');
  await answers.release();
  await expectToast(page, 'Contact created');
  await expectValue(control(page, 'notes'), 'typed meanwhile');
  await button(page, 'Save').click();
  await page.waitForURL(/contact_/);
  expect(await read(server, `/api/crm/contact/${page.url().split('/').at(-1)}`)).toMatchObject({
    full_name: 'Ann',
    notes: 'typed meanwhile',
  });
});

pageTest('a record that was read before a save does not undo it', async (page) => {
  const id = await create(server, '/api/sales/order', order);
  await openPlace(page, `sales/order/${id}`);
  const answers = await holdAnswers(page, '**/api/sales/order-line?*');
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await answers.asked;
  await button(page, 'Add a row').click();
  await cell(page, 'Article', 1).fill('new');
  await button(page, 'Save').click();
  await expectSaved(page);
  await answers.release();
  await cell(page, 'Article', 1).fill('newer');
  await button(page, 'Save').click();
  await expectSaved(page);
  const { body } = await server.request('GET', `/api/sales/order-line?parent_id=${id}`);
  expect((body as { data: object[] }).data).toMatchObject([{ article: 'newer' }]);
});

pageTest('the heading has the focus when a record is opened, once it is there', async (page) => {
  const id = await create(server, '/api/crm/contact', { full_name: 'Ann' });
  await openPlace(page, 'crm/contact', { waitFor: '.list' });
  await page.evaluate(`location.hash = '#/crm/contact/${id}'`);
  await page.locator('form.record').waitFor();
  await expect.poll(() => page.locator(':focus').textContent()).toContain('Ann');
});

test('offers what a key may do', async (context) => {
  await using watched = await open(context);
  const { page } = watched;
  const id = await create(server, '/api/sales/order', order);
  await create(server, '/api/sales/order-line', { order_id: id, article: 'A' });
  await openPlace(page, `sales/order/${id}`, { key: await keyWith(server, 'sales:read') });
  await page.getByText('Your key can read this, but not change it.').waitFor();
  await expectCount(page.locator('form.record :is(input, textarea, select)'), 0);
  const entries = await openMenu(page);
  await expect.poll(() => entries.allTextContents()).toEqual(['Print', 'Copy link']);
  await page.keyboard.press('Escape');
  await using second = await open(context);
  await openPlace(second.page, `sales/order/${id}`, { key: await keyWith(server, 'sales:read', 'sales/order:write') });
  await expectCount(button(second.page, 'Submit'), 0);
  await expectCount(button(second.page, 'Save'), 1);
  await expectCount(button(second.page, 'Add a row'), 0);
  await control(second.page, 'notes').fill('by a limited key');
  await button(second.page, 'Save').click();
  await expectToast(second.page, 'Saved');
  watched.expectNoFaults();
  second.expectNoFaults();
});

pageTest('shows what is in a record as text alone', async (page) => {
  const hostile = '<img src=x onerror="document.title=1"><script>document.title=2</script>\u202e\u2066gnp.exe';
  const id = await create(server, '/api/sales/order', { ...order, company: hostile, notes: hostile, status: hostile });
  await create(server, '/api/sales/order-line', { order_id: id, article: hostile });
  await openPlace(page, `sales/order/${id}`);
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toContain('<img src=x');
  await expect.poll(() => page.title()).toBe(`${hostile} · Workshop`);
  const title = await page.title();
  await expectValue(control(page, 'company'), hostile);
  await expectCount(page.locator('form.record :is(img, script)'), 0);
  await openMenu(page);
  await page.getByRole('menu').locator('small', { hasText: '<img src=x' }).first().waitFor();
  await expect.poll(() => page.title()).toBe(title);
});

pageTest('edits settings with their line items', async (page) => {
  await openPlace(page, 'workshop/booking-settings');
  await control(page, 'number_of_bays').fill('9007199254740993');
  await control(page, 'holiday_list').fill('Bavaria');
  await button(page, 'Add a row').click();
  await cell(page, 'Day of week', 1).selectOption('monday');
  await cell(page, 'From time', 1).fill('9');
  await cell(page, 'To time', 1).fill('12:00');
  await button(page, 'Save').click();
  await page.getByText('Number of bays must be between').waitFor();
  await control(page, 'number_of_bays').fill('3');
  await button(page, 'Save').click();
  await page.getByText('From time must match the pattern').waitFor();
  await cell(page, 'From time', 1).fill('09:00');
  await button(page, 'Save').click();
  await expectToast(page, 'Saved');
  const settings = await read(server, '/api/workshop/booking-settings');
  expect(settings).toMatchObject({ number_of_bays: 3, holiday_list: 'Bavaria' });
  const { data } = await read(server, `/api/workshop/booking-slot?parent_id=${String(settings['id'])}`);
  expect(data).toMatchObject([{ day_of_week: 'monday', from_time: '09:00', to_time: '12:00' }]);
});

pageTest('edits the line items of a parent that is kept elsewhere', async (page) => {
  for (const item_code of ['A', 'B']) {
    await create(server, '/api/manufacturing/b-o-m-item', { bom_id: 'BOM 1/2', item_code, qty: 1, uom: 'kg', rate: 1 });
  }
  await create(server, '/api/manufacturing/b-o-m-item', {
    bom_id: 'Other',
    item_code: 'Z',
    qty: 1,
    uom: 'kg',
    rate: 1,
  });
  await openPlace(page, 'manufacturing/b-o-m-item', { waitFor: '.choose-parent' });
  const parents = page.locator('.parents li');
  await expectCount(parents, 2);
  await page.getByLabel('BOM ID').fill('BO');
  await expectCount(parents, 1);
  await expect.poll(() => parents.innerText()).toMatch(/^BOM 1\/2\s+2 items$/);
  await page.getByLabel('BOM ID').fill('BOM 1/2');
  await page.keyboard.press('Enter');
  await cell(page, 'Item code', 2).waitFor();
  await page.getByRole('button', { name: 'Move row 2', exact: true }).press('ArrowUp');
  await page.getByRole('button', { name: /fields of row 2/ }).click();
  await page.locator('.more').getByLabel('Description', { exact: true }).fill('two\nlines');
  await button(page, 'Add a row').click();
  await cell(page, 'Item code', 3).fill('C');
  await button(page, 'Save').click();
  await page.getByText('UOM is required.').waitFor();
  await cell(page, 'Qty', 3).fill('2');
  await cell(page, 'UOM', 3).fill('m');
  await cell(page, 'Rate', 3).fill('0.1');
  await button(page, 'Save').click();
  await expectToast(page, 'Saved');
  const { data } = await read(server, '/api/manufacturing/b-o-m-item?parent_id=BOM%201%2F2');
  expect(data).toMatchObject([
    { item_code: 'B', description: null },
    { item_code: 'A', description: 'two\nlines' },
    { item_code: 'C', rate: 0.1 },
  ]);
});

pageTest('loses nothing when another user has changed the line items', async (page) => {
  const order_id = await create(server, '/api/sales/order', order);
  const line = (article: string): Promise<string> => create(server, '/api/sales/order-line', { order_id, article });
  const ids = [await line('A'), await line('B'), await line('C')];
  await openPlace(page, `sales/order/${order_id}`);
  await cell(page, 'Quantity', 1).fill('5');
  await button(page, 'Delete row 2').click();
  for (const id of ids.slice(0, 2)) await server.request('DELETE', `/api/sales/order-line/${id}`);
  await line('D');
  await button(page, 'Save').click();
  await page.getByText('Another user has changed the line items.').waitFor();
  await button(page, 'Save').click();
  await expectToast(page, 'Saved');
  const { data } = await read(server, `/api/sales/order-line?parent_id=${order_id}`);
  expect(data).toMatchObject([
    { article: 'C', quantity: null },
    { article: 'D', quantity: null },
    { article: 'A', quantity: 5 },
  ]);
});

test('keeps what was typed while the server cannot be reached', async (context) => {
  const unreachable = /Failed to load resource: net::ERR_INTERNET_DISCONNECTED/;
  await using watched = await open(context, {}, unreachable);
  const { page } = watched;
  const id = await create(server, '/api/crm/contact', { full_name: 'Ann' });
  await openPlace(page, `crm/contact/${id}`);
  await control(page, 'notes').fill('typed');
  await page.context().setOffline(true);
  await button(page, 'Save').click();
  await page.getByText('The server cannot be reached.').waitFor();
  await expect.poll(() => page.locator(':focus').textContent()).toContain('save again');
  await page.context().setOffline(false);
  await button(page, 'Save').click();
  await expectToast(page, 'Saved');
  expect(await read(server, `/api/crm/contact/${id}`)).toMatchObject({ notes: 'typed' });
  await expectCount(page.locator('.notice'), 0);
  watched.expectNoFaults();
});

test('stores a record once, however often the responses are lost', async (context) => {
  await using watched = await open(context, {}, /Failed to load resource: net::ERR_FAILED/);
  const { page } = watched;
  const contacts = async (): Promise<unknown> => (await read(server, '/api/crm/contact?limit=1&company=Once'))['total'];
  let lost = 0;
  const loseResponses = (most: number) =>
    page.route('**/api/crm/contact', async (route) => {
      if (route.request().method() !== 'POST' || lost === most) return route.continue();
      await route.fetch();
      lost++;
      return route.abort();
    });
  await loseResponses(1);
  await openPlace(page, 'crm/contact/new');
  await control(page, 'full_name').fill('Ann');
  await control(page, 'company').fill('Once');
  await button(page, 'Create').click();
  await expectToast(page, 'Contact created');
  expect([lost, await contacts()]).toEqual([1, 1]);

  await page.unroute('**/api/crm/contact');
  await loseResponses(Infinity);
  await openPlace(page, 'crm/contact/new');
  await control(page, 'full_name').fill('Ann');
  await control(page, 'company').fill('Once');
  await button(page, 'Create').click();
  await page.getByText('The server cannot be reached.').waitFor();
  expect(await contacts()).toBe(2);
  await page.unroute('**/api/crm/contact');
  await button(page, 'Create').click();
  await expectToast(page, 'Contact created');
  expect(await contacts()).toBe(2);
  watched.expectNoFaults();
});

test('typed text waits while the user signs in again', async (context) => {
  await using watched = await open(context, {}, /status of 401/);
  const { page } = watched;
  const id = await create(server, '/api/crm/contact', { full_name: 'Ann' });
  const key = await keyWith(server, 'crm');
  await openPlace(page, `crm/contact/${id}`, { key });
  await control(page, 'notes').fill('typed');
  await runKeys(server, 'revoke', idOfKey(key) as string);
  await expect
    .poll(async () => (await server.request('GET', '/api/key', undefined, { authorization: `Bearer ${key}` })).status)
    .toBe(401);
  await button(page, 'Save').click();
  await page.getByText('Your key is no longer valid.').waitFor();
  await expect.poll(() => control(page, 'notes').isVisible()).toBe(false);
  await page.locator('.sign-in input').fill(testKey);
  await page.keyboard.press('Enter');
  await expectValue(control(page, 'notes'), 'typed');
  await button(page, 'Save').click();
  await expectToast(page, 'Saved');
  expect(await read(server, `/api/crm/contact/${id}`)).toMatchObject({ notes: 'typed' });
  watched.expectNoFaults();
});

pageTest("tells of another user's changes when the user comes back to the page", async (page) => {
  const id = await create(server, '/api/crm/contact', { full_name: 'Ann', company: 'Acme' });
  await openPlace(page, `crm/contact/${id}`);
  await server.request('PATCH', `/api/crm/contact/${id}`, { company: 'Theirs' });
  await page.evaluate(`dispatchEvent(new Event('focus'))`);
  await expect.poll(() => control(page, 'company').inputValue()).toBe('Theirs');
  await expectCount(page.locator('.conflict'), 0);
  await control(page, 'notes').fill('typed');
  await server.request('PATCH', `/api/crm/contact/${id}`, { company: 'Theirs again' });
  await page.evaluate(`dispatchEvent(new Event('focus'))`);
  await page.locator('.conflict', { hasText: 'Changed by them: Company' }).waitFor();
  await button(page, 'Save again').click();
  await expectToast(page, 'Saved');
  expect(await read(server, `/api/crm/contact/${id}`)).toMatchObject({ company: 'Theirs again', notes: 'typed' });
});
