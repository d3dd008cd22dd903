import { readdirSync, readFileSync } from 'node:fs';
import type { Table } from '../../kernel/model/table.ts';
import { browserCode, moduleExtension } from '../browser-code.ts';

const runtime = new URL('../../', import.meta.url);

const browser = new URL('browser/', import.meta.url);

/** The module that the console begins with, and those that it loads when they are needed: each begins a script. */
const entries = [
  'main',
  'home/page',
  'history/activity',
  'list/bulk/bar',
  'list/columns-editor',
  'list/filter-editor',
  'palette/palette',
  'record',
  'record/paste/dialog',
  'texts/de',
  'transfer/dialogs',
];

/** The module that generated rules import, by the name that their project has for it. */
const expressions = new URL(`features/rules/expressions/index${moduleExtension}`, runtime);

/** A module, with the name that it has in the console. */
export interface Source {
  readonly name: string;
  readonly file: URL;
  readonly read: (file: URL) => string;
}

const sourceAt = (file: URL): Source => {
  if (!file.href.startsWith(runtime.href))
    throw new Error(`The console cannot have ${file.href}, which is not of the runtime.`);
  const isOwn = file.href.startsWith(browser.href);
  const path = isOwn ? file.href.slice(browser.href.length) : `runtime/${file.href.slice(runtime.href.length)}`;
  return { name: path.replace(/\.\w+$/, ''), file, read: browserCode };
};

const sourceOfPackage = (specifier: string): Source => ({
  name: specifier,
  file: new URL(import.meta.resolve(specifier)),
  read: (file) => readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, ''),
});

/** The rules of a table, if it has any that forms check. */
const rulesOf = ({ name, logic }: Table): readonly Source[] =>
  logic && (logic.rules.length > 0 || logic.form)
    ? [{ name: `rules/${name}`, file: new URL(logic.url), read: browserCode }]
    : [];

/** The module that a specifier names in another one. */
export function sourceFor(specifier: string, { name, file }: Source): Source {
  if (name.startsWith('rules/')) return sourceAt(expressions);
  return specifier.startsWith('.') ? sourceAt(new URL(specifier, file)) : sourceOfPackage(specifier);
}

/** The modules that begin a script: the first one is that of the page. */
export const entrySources = (tables: readonly Table[]): readonly Source[] => [
  ...entries.map((name) => sourceAt(new URL(`${name}${moduleExtension}`, browser))),
  ...tables.flatMap(rulesOf),
];

const read = (name: string): string => readFileSync(new URL(name, browser), 'utf8');

/** The style sheet that all pages of the service share. */
const base = 'tokens.css';

/** All style sheets as one: the base comes first, as rules of the others are to be stronger. */
export const styleSheet = (): string => {
  const names = readdirSync(browser).filter((name) => name.endsWith('.css') && name !== base);
  return [base, ...names.toSorted()].map(read).join('\n');
};

export const icon = (): string => read('icon.svg');
