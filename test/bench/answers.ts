import type { Child } from './child.ts';
import { deepOffsetOf } from './deep-offset.ts';
import { itemPath, itemsOf, largeParent, mediumParent } from './items.ts';
import { changeOf, leadId, leadOf, leadPath } from './leads.ts';
import { ask } from './server.ts';
import { grouped } from './table.ts';

type Record = Readonly<{ [field: string]: unknown; id: string }>;
type List = Readonly<{ data: readonly Record[]; total: number }>;

/**
 * Makes sure that a server over so many leads, and as many line items, answers the measured requests correctly.
 *
 * @returns the sizes of the answers, in words.
 * @throws Error that says what it did not do.
 */
export async function checkAnswers(server: Child, rows: number): Promise<string> {
  const page = async (path: string, total: number, first?: string): Promise<List> => {
    const list = await ask<List>(server, path);
    if (list.data.length === 20 && list.total === total && (first === undefined || list.data[0]?.id === first)) {
      return list;
    }
    const found = `${list.data.length} of ${list.total} records from ${list.data[0]?.id} on`;
    throw new Error(`${path} answered ${found}, not 20 of ${total}${first === undefined ? '' : ` from ${first} on`}.`);
  };
  const deep = deepOffsetOf(rows);
  const list = await page(leadPath, rows, leadId(rows - 1));
  await page(`${leadPath}?offset=${deep}`, rows, leadId(rows - 1 - deep));
  await page(`${leadPath}?after=${leadId(rows - deep)}`, rows, leadId(rows - 1 - deep));
  for (const parent of [largeParent, mediumParent]) {
    await page(
      `${itemPath}?parent_id=${parent}`,
      itemsOf(rows)
        .filter((item) => item.parent === parent)
        .toArray().length,
    );
  }

  const path = `${leadPath}/${leadId(0)}`;
  const change = changeOf(-1, 1);
  const before = await ask<Record>(server, path);
  await ask(server, path, 'PATCH', change);
  const after = await ask<Record>(server, path);
  for (const [name, value] of Object.entries(change)) {
    if (before[name] === value || after[name] !== value) throw new Error(`A patch did not change ${name}.`);
  }
  const bytes = (value: unknown): string => grouped(Buffer.byteLength(JSON.stringify(value)));
  const fields = `${Object.keys(leadOf(0)).length} of ${Object.keys(before).length} fields sent`;
  return `${bytes(before)} bytes of JSON (${fields}; a list has ${bytes(list)} bytes)`;
}
