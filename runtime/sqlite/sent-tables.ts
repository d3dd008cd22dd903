import type { Table } from '../model/table.ts';
import type { Logic } from '../rules/logic.ts';

/** A table as it is sent to a thread: functions cannot be, but the module that exports them is loaded there again. */
export type SentTable = Omit<Table, 'logic'> & { readonly logic?: Pick<Logic, 'url' | 'name'> };

export const sentTables = (tables: readonly Table[]): SentTable[] =>
  tables.map(({ logic, ...table }) => ({ ...table, ...(logic && { logic: { url: logic.url, name: logic.name } }) }));

export const receivedTables = (tables: readonly SentTable[]): Promise<Table[]> =>
  Promise.all(tables.map(async ({ logic, ...table }) => ({ ...table, ...(logic && { logic: await load(logic) }) })));

async function load({ url, name }: Pick<Logic, 'url' | 'name'>): Promise<Logic> {
  const exported = (await import(url)) as Readonly<Record<string, Logic | undefined>>;
  const found = exported[name];
  if (!found) throw new Error(`The module ${url} exports no ${name}.`);
  return found;
}
