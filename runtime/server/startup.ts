import type { AddressInfo } from 'node:net';
import type { Service } from '../api/service.ts';
import { basePath } from '../model/operations.ts';
import type { Table } from '../model/table.ts';

/** The facts that a start prints. */
interface Startup {
  readonly service: Service;
  readonly address: Pick<AddressInfo, 'address' | 'port'>;
  /** The key to try the API with; undefined where it is not to be shown. */
  readonly shownKey: string | undefined;
  /** The file of the key that the first start has created. */
  readonly keyFile: string | undefined;
  /** The URL of the metrics. */
  readonly metrics: string | undefined;
  /** The pages that are served, by what they are called. */
  readonly pages: Readonly<Record<string, string>>;
}

/** The URL of an address that a server listens on. */
export const urlOf = ({ address, port }: Startup['address']): string =>
  `http://${address.includes(':') ? `[${address}]` : address}:${port}`;

/** Prints the address of the service, and a command to try it if there is a key to show. */
export function printStartup({ service, address, shownKey, keyFile, metrics, pages }: Startup): void {
  const url = urlOf(address);
  console.log(`${service.title} is serving on ${url}`);
  if (shownKey === undefined) {
    if (metrics !== undefined) console.log(`Metrics are on ${metrics}`);
    if (keyFile !== undefined) console.log(`The API key is in ${keyFile}`);
    return;
  }
  const rows: readonly [string, string][] = [
    ['API', `${url}${basePath}`],
    ...Object.entries(pages).map(([name, path]): [string, string] => [name, `${url}${path}`]),
    ...(metrics === undefined ? [] : [['Metrics', metrics] as [string, string]]),
    ['API key', shownKey],
    ['Try it', `curl -H 'Authorization: Bearer ${shownKey}' ${url}${examplePath(service.tables)}`],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  console.log(`\n${rows.map(([name, text]) => `  ${`${name}:`.padEnd(width + 2)}${text}\n`).join('')}`);
}

/** A list that needs no parameters: of something that can be retrieved by its id, too. */
function examplePath(tables: readonly Table[]): string {
  const shown = tables.find(({ operations }) => operations.includes('list') && operations.includes('retrieve'));
  return shown ? `${basePath}/${shown.path}` : basePath;
}
