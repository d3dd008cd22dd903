import type { Listening, Running } from '../kernel/running.ts';
import { basePath } from '../kernel/model/operations.ts';
import type { Table } from '../kernel/model/table.ts';

/**
 * Prints the address of the service, and a command to try it if its key may be shown.
 *
 * @param settings which pages are served
 */
export function printStartup(
  { service, facts: { key, keyFile, metrics } }: Running,
  { DOCS: hasReference, CONSOLE: hasConsole }: { readonly DOCS: boolean; readonly CONSOLE: boolean },
  { url }: Listening,
  showsKey: boolean,
): void {
  console.log(`${service.title} is serving on ${url}`);
  if (!showsKey || key === undefined) {
    if (metrics !== undefined) console.log(`Metrics are on ${metrics}`);
    if (keyFile !== undefined) console.log(`The API key is in ${keyFile}`);
    return;
  }
  const rows: readonly [string, string][] = [
    ['API', `${url}${basePath}`],
    ...(hasReference ? [['Reference', `${url}/docs`] as [string, string]] : []),
    ...(hasConsole ? [['Console', `${url}/console`] as [string, string]] : []),
    ...(metrics === undefined ? [] : [['Metrics', metrics] as [string, string]]),
    ['API key', key],
    ['Try it', `curl -H 'Authorization: Bearer ${key}' ${url}${examplePath(service.tables)}`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  console.log(`\n${rows.map(([name, text]) => `  ${`${name}:`.padEnd(width + 2)}${text}\n`).join('')}`);
}

/** A list that needs no parameters: of something that can be retrieved by its id, too. */
function examplePath(tables: readonly Table[]): string {
  const shown = tables.find(({ operations }) => operations.includes('list') && operations.includes('retrieve'));
  return shown ? `${basePath}/${shown.path}` : basePath;
}
