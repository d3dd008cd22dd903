import { expect, test } from 'vitest';

import { openBrowser, openPage, phone } from '../support/browser.ts';
import { sharedServer } from '../support/server.ts';
import { expectAccessible } from './accessible.ts';

const server = sharedServer();

test('the address of the service leads people to the console and to the reference', async (context) => {
  await using browser = await openBrowser(context);
  await using watched = await openPage(browser, server.url, { viewport: phone });
  const { page } = watched;
  await page.goto('/');
  await expectAccessible(page);
  const words = await page.locator('main').innerText();
  expect(words).toMatch(/Console\s+Look at the records and edit them\.\s+API reference\s+Read about/);
  await page.getByRole('link', { name: 'Console' }).click();
  await page.getByLabel('API key').waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'API reference' }).click();
  await page.locator('.swagger-ui').first().waitFor();
  await expect.poll(() => page.url()).toBe(`${server.url}/docs`);
  watched.expectNoFaults();
});
