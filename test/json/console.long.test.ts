import { expect } from 'vitest';

import { button, control, create, expectToast, field, openPlace, refusals } from '../console/record-page.ts';
import { pagesOf } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';

const server = sharedServer();
const { pageTest } = pagesOf(server, {}, refusals);

pageTest(
  'an object is edited as JSON: the console says where that is wrong, and sends it as it was typed',
  async (page) => {
    const required = { serial_number: 'AB-123456', model: 'Drill', location: null, power: 'mains', is_leased: false };
    const path = '/api/assets/machine';
    const id = await create(server, path, { ...required, settings: { speed: 1 } });
    await openPlace(page, `assets/machine/${id}`);
    expect(await control(page, 'settings').inputValue()).toBe('{\n  "speed": 1\n}');
    await control(page, 'settings').fill('{\n  "2": 1.0,\n  "1" 3\n}');
    await button(page, 'Save').click();
    await field(page, 'settings')
      .getByText('Settings is no JSON at line 3, column 7: there must be a colon.')
      .waitFor();
    await control(page, 'settings').fill('{\n  "2": 1.0,\n  "1": [3]\n}');
    await button(page, 'Save').click();
    await expectToast(page, 'saved');
    expect((await server.request('GET', `${path}/${id}`)).text).toContain('"settings":{"2":1.0,"1":[3]},');
    await control(page, 'settings').fill('');
    await button(page, 'Save').click();
    await expect.poll(async () => (await server.request('GET', `${path}/${id}`)).text).toContain('"settings":null');
  },
);
