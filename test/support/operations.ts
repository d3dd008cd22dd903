import { features } from '../../runtime/features.ts';
import { perform, plainPipeline } from '../../runtime/kernel/records/perform.ts';
import * as operations from '../../runtime/kernel/records/prepare.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import type { Records } from '../../runtime/kernel/records/store.ts';

/** Creates a record as a request does, and gives its id and its JSON. */
export async function createRecord(
  records: Records,
  table: Table,
  body: operations.Fields,
): Promise<{ id: string; text: string }> {
  const prepared = await operations.createRecord(records, table, body);
  const { effect } = await perform(plainPipeline(features.list), records, prepared, () => true);
  return { id: prepared.id ?? '', text: effect.json };
}

/** Updates a record as a request does, and gives its JSON. */
export async function updateRecord(
  records: Records,
  table: Table,
  id: string,
  body: operations.Fields,
): Promise<string> {
  const { effect } = await perform(
    plainPipeline(features.list),
    records,
    operations.updateRecord(table, id, body),
    () => true,
  );
  return effect.json;
}
