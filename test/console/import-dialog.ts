import type { Page } from 'playwright-core';

/** The errors in the table of wrong rows, each behind the name of its cell, or of its row. */
export const tableErrors = (page: Page): Promise<string[]> =>
  page.locator('.preview-rows:has(textarea) :is(.error-text, .warn-text) li').evaluateAll((all) =>
    all.map((error) => {
      const cell = error.closest('td, th');
      const name = cell?.querySelector('textarea')?.getAttribute('aria-label') ?? cell?.firstChild?.textContent?.trim();
      return `${name}: ${error.textContent}`;
    }),
  );
