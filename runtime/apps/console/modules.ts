import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Table } from '../../kernel/model/table.ts';
import { browserCode, moduleExtension } from '../browser-code.ts';

/** A module that browsers load. */
interface Module {
  /** Its path below that of the console. */
  readonly name: string;
  /** Its source. */
  readonly file: () => URL;
  /** Its JavaScript; read when it is first asked for. */
  code(): string;
}

const runtime = new URL('../../', import.meta.url);

const browser = new URL('browser/', import.meta.url);

/** Modules of packages, by how they are imported: what they import is in this table, too. */
const packages: Readonly<Record<string, string>> = {
  preact: 'packages/preact.js',
  'preact/hooks': 'packages/preact-hooks.js',
  htm: 'packages/htm.js',
  'htm/preact': 'packages/htm-preact.js',
  'fastest-levenshtein': 'packages/fastest-levenshtein.js',
};

/** Files of packages whose main file is not for browsers. */
const browserFilesOf: Readonly<Record<string, string>> = {
  'fastest-levenshtein': 'fastest-levenshtein/esm/mod.js',
};

/** Modules of other rooms that the console shares. */
const shared = [
  ...['batch', 'etag', 'failure', 'limits', 'query', 'requests'].map((name) => `client/${name}`),
  ...['cells', 'columns', 'csv', 'csv-row', 'room'].map((name) => `data/transfer/${name}`),
  'data/limits',
  ...['decimal', 'evaluate', 'index', 'lists', 'logic', 'numbers', 'text', 'time'].map(
    (name) => `features/rules/expressions/${name}`,
  ),
  ...['decimal', 'json-text', 'pattern', 'text', 'time'].map((name) => `kernel/values/${name}`),
  ...['limits', 'suggest', 'value-rules'].map((name) => `kernel/model/${name}`),
];

/** The name of the URL that a file is served at. */
const servedName = (file: URL): string =>
  (file.href.startsWith(browser.href)
    ? file.href.slice(browser.href.length)
    : `runtime/${file.href.slice(runtime.href.length)}`
  ).replace(/\.ts$/, '.js');

/** The specifier of an import, where it follows `from`, `import` or `import(`. */
const specifiers = /(\bfrom\s*|\bimport\s*\(?\s*)(["'])((?:\.{1,2}\/|preact|htm|fastest-)[\w./-]*)\2/g;

/** Leads imports to where their modules are served. */
function link(code: string, name: string, file: URL): string {
  const upwards = '../'.repeat(name.split('/').length - 1) || './';
  return code.replaceAll(specifiers, (_, before: string, quote: string, specifier: string) => {
    const target = packages[specifier] ?? servedName(new URL(specifier, file));
    return `${before}${quote}${upwards}${target}${quote}`;
  });
}

const moduleOf = (name: string, file: () => URL, read: (file: URL) => string): Module => {
  let code: string | undefined;
  return { name, file, code: () => (code ??= link(read(file()), name, file())) };
};

const ownModule = (file: URL): Module => moduleOf(servedName(file), () => file, browserCode);

const packageModule = ([specifier, name]: [string, string]): Module =>
  moduleOf(
    name,
    () => new URL(import.meta.resolve(browserFilesOf[specifier] ?? specifier)),
    (file) => readFileSync(file, 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, ''),
  );

/** The generated rules of a table, which import nothing but those of the runtime, by the name that their project has for these. */
const rulesModule = (table: string, url: string): Module => {
  let code: string | undefined;
  const read = (): string =>
    browserCode(new URL(url)).replace(/(\bfrom\s*)(["']).+?\2/, '$1$2../runtime/features/rules/expressions/index.js$2');
  return { name: `rules/${table}.js`, file: () => new URL(url), code: () => (code ??= read()) };
};

/** The modules of the console: its own, those of the packages that they use, and the rules of tables that have any. */
export function browserModules(tables: readonly Table[]): readonly Module[] {
  const ownModules = readdirSync(browser, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(moduleExtension) && !name.endsWith('.d.ts'))
    .map((name) => ownModule(new URL(name, browser)));
  return [
    ...ownModules,
    // The feature of rules may have been deleted: then no form needs it.
    ...shared
      .map((name) => new URL(`${name}${moduleExtension}`, runtime))
      .filter((file) => existsSync(file))
      .map(ownModule),
    ...Object.entries(packages).map(packageModule),
    ...tables.flatMap(({ name, logic }) =>
      logic && (logic.rules.length > 0 || logic.form) ? [rulesModule(name, logic.url)] : [],
    ),
  ];
}

/** Imports that are loaded with a module, in the form that `link` leaves them in. */
const staticImports = /\bfrom\s*["']([\w./-]+)["']/g;

/** The names of a module and of all that it imports, other than by `import()`: what a page needs to begin. */
export function namesLoadedWith(main: string, modules: readonly Module[]): readonly string[] {
  const byName = new Map(modules.map((module) => [module.name, module]));
  const names = new Set([main]);
  for (const name of names) {
    for (const [, specifier = ''] of byName.get(name)?.code().matchAll(staticImports) ?? []) {
      names.add(new URL(specifier, `file:///${name}`).pathname.slice(1));
    }
  }
  return [...names];
}

/** The names of the other files of the console with an extension. */
export const browserFiles = (ending: string): readonly string[] =>
  readdirSync(browser, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .toSorted();

export const readBrowserFile = (name: string): string => readFileSync(new URL(name, browser), 'utf8');

/** A name for the content of all modules and style sheets: that of their sources, which takes less time than to make them. */
export function versionOf(modules: readonly Module[]): string {
  const digest = createHash('sha256');
  for (const { file } of modules) digest.update(readFileSync(file()));
  for (const name of browserFiles('.css')) digest.update(readBrowserFile(name));
  return digest.digest('base64url').slice(0, 16);
}
