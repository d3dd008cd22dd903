import type { Table, TableLogic } from '../../kernel/model/table.ts';

/** A table as it is sent to a thread: functions cannot be, but the module that exports them is loaded there again. */
export type SentTable = Omit<Table, 'logic'> & { readonly logic?: Pick<TableLogic, 'url' | 'name'> };

export const sentTables = (tables: readonly Table[]): SentTable[] =>
  tables.map(({ logic, ...table }) => ({ ...table, ...(logic && { logic: { url: logic.url, name: logic.name } }) }));

export const receivedTables = (tables: readonly SentTable[]): Promise<Table[]> =>
  Promise.all(tables.map(async ({ logic, ...table }) => ({ ...table, ...(logic && { logic: await load(logic) }) })));

async function load({ url, name }: Pick<TableLogic, 'url' | 'name'>): Promise<TableLogic> {
  const exported = (await import(url)) as Readonly<Record<string, TableLogic | undefined>>;
  const logic = exported[name];
  if (!logic) throw new Error(`The module ${url} exports no ${name}.`);
  return logic;
}
