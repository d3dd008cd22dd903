/** Names and levels that Swagger UI leaves out, which people need who hear a page. */

type Repair = readonly [selector: string, (element: Element) => void];

const set =
  (name: string, valueOf: (element: Element) => string) =>
  (element: Element): void => {
    const value = valueOf(element);
    // A change would be observed, and repaired again.
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  };

const unset =
  (name: string) =>
  (element: Element): void =>
    element.removeAttribute(name);

/** The name of the parameter that a control is for. */
const parameterOf = (control: Element): string =>
  control.closest('[data-param-name]')?.getAttribute('data-param-name') ?? '';

/** The method and the path of the operation that an element belongs to. */
const operationOf = (element: Element): string =>
  element.closest('.opblock')?.querySelector('.opblock-control-arrow')?.getAttribute('aria-label') ?? '';

const atLevel = (level: number) => set('aria-level', () => String(level));

const repairs: readonly Repair[] = [
  ['[data-param-name] :is(input, select, textarea)', set('aria-label', parameterOf)],
  ['.body-param__text', set('aria-label', () => 'Request body')],
  ['.close-modal', set('aria-label', () => 'Close')],
  // Their texts say it better.
  ['.auth-btn-wrapper [aria-label]', unset('aria-label')],
  ['.responses-table', set('aria-label', (table) => `Responses of ${operationOf(table)}`)],
  [
    '.json-schema-2020-12-accordion:empty, .json-schema-2020-12-accordion:not(:has(.json-schema-2020-12__title))',
    set('aria-label', () => 'Schema'),
  ],
  // A long line is scrolled by the arrow keys.
  ['pre', set('tabindex', () => '0')],
  ['.modal-ux h3', atLevel(2)],
  ['.modal-ux h4', atLevel(3)],
  ['.modal-ux h6', atLevel(4)],
];

/** Gives elements the names and levels that they lack. @param root whatever is shown */
export function repair(root: Element): void {
  for (const [selector, mend] of repairs) for (const element of root.querySelectorAll(selector)) mend(element);
}
