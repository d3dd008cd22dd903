import type { Api } from './api.ts';
import { type ReadRecord, readPages } from './pages.ts';
import type { Resource } from './resource.ts';
import type { SourceRow } from './source.ts';

/** The records to search: those after this id, but not these. */
interface Suspects {
  readonly after: string | null;
  readonly except: ReadonlySet<string>;
}

/**
 * Finds out whether batches were stored, by comparing their rows with the records that are new since. As a batch is
 * stored whole or not at all, each of its rows has a record of its own, or none has.
 *
 * @returns of each batch the ids of its records, in the order of its rows; `undefined` if none of them is there, and
 *   `partly` if some are, which another client must have changed or made
 */
export async function findStored(
  api: Api,
  resource: Resource,
  batches: readonly (readonly SourceRow[])[],
  { after, except }: Suspects,
): Promise<(string[] | 'partly' | undefined)[]> {
  const contentKeyOf = contentKey(resource);
  const keys = batches.map((rows) => rows.map(({ body }) => contentKeyOf(storedForm(resource, body))));
  /** The ids of the records with the contents that are looked for. */
  const found = new Map<string, string[]>(keys.flat().map((key) => [key, []]));
  for (const query of queriesFor(resource, batches)) {
    const since: Record<string, string> = after === null ? {} : { 'id[gt]': after };
    for await (const { records } of readPages(api, resource.path, { ...query, ...since, sort: 'id' })) {
      for (const record of records) if (!except.has(record.id)) found.get(contentKeyOf(record))?.push(record.id);
    }
  }
  return keys.map((wanted) => removeFound(found, wanted));
}

/** The values of a row as the server stores them, if it takes the row. */
const storedForm = ({ body: schema }: Resource, body: SourceRow['body']): Readonly<Record<string, unknown>> =>
  (schema.safeParse(body).data ?? body) as Readonly<Record<string, unknown>>;

function removeFound(found: ReadonlyMap<string, string[]>, wanted: readonly string[]): string[] | 'partly' | undefined {
  const taken = wanted.map((key) => found.get(key)?.shift());
  const ids = taken.filter((id) => id !== undefined);
  if (ids.length === wanted.length) return ids;
  for (const [index, id] of taken.entries()) if (id !== undefined) found.get(wanted[index] as string)?.unshift(id);
  return ids.length === 0 ? undefined : 'partly';
}

/** The lists that the records of these rows are in. */
function queriesFor({ table }: Resource, batches: readonly (readonly SourceRow[])[]): Record<string, string>[] {
  if (!table.parent) return [{}];
  const { field } = table.parent;
  const parents = new Set(batches.flat().map(({ body }) => body[field]));
  return [...parents].flatMap((parent) => (typeof parent === 'string' ? [{ parent_id: parent }] : []));
}

/** The values of a record that follow from the body of its create, whatever its time: the place among its siblings only if it is sent. */
function contentKey({ table }: Resource): (fields: Readonly<Record<string, unknown>> | ReadRecord) => string {
  const columns = table.columns.filter(({ name, readOnly, isNullable, default: value, moment }) => {
    const isGivenByServer = !isNullable && value === null && name === 'idx';
    return !readOnly && !isGivenByServer && !moment;
  });
  return (fields) =>
    JSON.stringify(columns.map(({ name, default: value }) => (fields[name] === undefined ? value : fields[name])));
}
