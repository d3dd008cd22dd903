import { maxKnownIds } from '../limits.ts';
import { UsageError } from '../../kernel/model/errors.ts';
import { searchOf } from '../../client/query.ts';
import { maxEntries, maxTargetBytes } from '../../kernel/model/limits.ts';
import { basePath } from '../../kernel/model/operations.ts';
import { foldText } from '../../kernel/model/fold.ts';
import { schemaOf, type Table } from '../../kernel/model/table.ts';
import { quoted } from '../../kernel/model/text.ts';
import type { Api } from './api.ts';
import { groups } from './batch.ts';
import type { CellField, CellValue } from './cells.ts';
import { allOf, readPages } from './pages.ts';
import type { ReadRecord } from './source-row.ts';
import { fieldsOf, type Resource } from './resource.ts';
import type { Source } from './source.ts';
import type { RowError, SourceRow } from './source-row.ts';

/** A field of a file that names a record by a unique value: `customer.email` in place of the id in `customer_id`. */
interface Lookup extends CellField {
  /** Empty if it finds the record that a row updates. */
  readonly reference: string;
  /** The resource of the record, and its unique field. */
  readonly target: Table;
  readonly field: string;
  readonly ignoresCase: boolean;
  /** It names records of the resource that the file has. */
  readonly isOwn: boolean;
}

/** Records by a unique value of theirs: no value has several, unless a record changes while others are read. */
type Found = Map<string, readonly ReadRecord[]>;

/** The fields by which the references of a resource can be looked up. */
export const lookupsOf = (tables: readonly Table[], { table, fields }: Resource): Lookup[] =>
  table.columns.flatMap(({ name: reference, references }) => {
    // Values of several resources may be the same.
    const named = references?.others ? undefined : references?.table;
    const target = tables.find(({ name, operations }) => name === named && operations.includes('list'));
    const own = fields.find(({ name }) => name === reference);
    if (!target || !own || own.isReadOnly) return [];
    return fieldsOf(target).flatMap((field) => {
      const unique = target.unique?.find(({ fields: [first, ...others] }) => first === field.name && !others.length);
      if (!unique) return [];
      const name = `${reference.replace(/_id$/, '')}.${field.name}`;
      const { takesNull } = own;
      const ignoresCase = unique.ignoreCase === true;
      const isOwn = target === table;
      return [
        { ...field, name, takesNull, isReadOnly: false, reference, target, field: field.name, ignoresCase, isOwn },
      ];
    });
  });

/**
 * The unique field by whose values rows find the records that they update.
 *
 * @throws UsageError if the resource has no such field
 */
export function keyOfRows({ name: resource, table, fields }: Resource, name: string): Lookup {
  const names = (table.unique ?? []).flatMap(({ fields: [first, ...others] }) =>
    first === undefined || others.length > 0 ? [] : [first],
  );
  const field = fields.find((one) => one.name === name && names.includes(name));
  if (table.kind !== 'record' || !['list', 'update'].every((one) => table.operations.some((other) => other === one)))
    throw new UsageError(`--key needs records that are listed and updated, which ${resource} has not.`);
  if (field)
    return { ...field, isReadOnly: false, reference: '', target: table, field: name, ignoresCase: false, isOwn: true };
  const rule = names.length === 0 ? `${resource} has none` : `those of ${resource} are ${names.join(', ')}`;
  throw new UsageError(`--key is ${JSON.stringify(name)}; it must be a field that is unique by itself: ${rule}.`);
}

/** Puts the ids of records in place of the unique values that rows name them by. */
export class Lookups {
  readonly #connect: () => Promise<Api>;
  readonly #fields: readonly Lookup[];
  readonly #key: Lookup | undefined;
  /** By the name of the field: records that were found. */
  readonly #known = new Map<string, Found>();
  /** Whether a row names an earlier one: rows must be sent in their order then. */
  namesEarlierRows = false;

  /**
   * @param connect gives the server, which is asked only if rows have such values
   * @param key by it, rows find the records that they update
   */
  constructor(connect: () => Promise<Api>, fields: readonly Lookup[], key?: Lookup) {
    this.#connect = connect;
    this.#fields = fields;
    this.#key = key;
  }

  /** The same source with ids; a value that no record has is an error of its row. */
  resolve(source: Source): Source {
    if (this.#fields.length === 0 && !this.#key) return source;
    const rows = this.#resolved(source.rows[Symbol.asyncIterator](), source.fields);
    return Object.create(source, { rows: { value: rows } }) as Source;
  }

  async *#resolved(rows: AsyncIterator<SourceRow>, columns: Source['fields']): AsyncGenerator<SourceRow> {
    // The values of all rows are kept: only where rows can name others.
    const earlier = new EarlierRows(
      this.#fields.filter(({ isOwn, reference }) => isOwn && (columns?.has(reference) ?? true)),
    );
    const lines = new Map<string, number>();
    try {
      for await (const group of groups(rows, this.#fields.length)) {
        const found = this.#key ? await this.#identified(this.#key, group, lines) : group;
        let resolved = found.map((row) => earlier.name(row));
        this.namesEarlierRows ||= resolved.some((row) => row.earlier !== undefined);
        for (const lookup of this.#fields) resolved = await this.#replace(lookup, resolved);
        yield* resolved;
      }
    } finally {
      await rows.return?.();
    }
  }

  /** Rows with the ids of the records that have their key. @param lines those of the rows so far, by their keys */
  async #identified(key: Lookup, rows: readonly SourceRow[], lines: Map<string, number>): Promise<SourceRow[]> {
    const { field } = key;
    const values = rows.map(({ body }) => storedValue(key, body[field]));
    const found = await this.#find(
      key,
      values.filter((value) => value !== undefined),
    );
    return rows.map((row, at): SourceRow => {
      const value = values[at];
      const errorOf = (message: string): RowError => ({ ...row.locate(field), message });
      if (value === undefined) {
        const isMissing = (row.body[field] ?? null) === null;
        return isMissing ? { ...row, errors: [...row.errors, errorOf('is missing: --key names it')] } : row;
      }
      const [record] = found.get(keyOf(key, value)) ?? [];
      const line = lines.getOrInsert(keyOf(key, value), row.line);
      const errors = line === row.line ? [] : [errorOf(`is ${quoted(String(value))}, as in line ${line}`)];
      return { ...row, errors: [...row.errors, ...errors], ...(record && { updates: record }) };
    });
  }

  async #replace(lookup: Lookup, rows: SourceRow[]): Promise<SourceRow[]> {
    const values = rows.flatMap(({ body }) => storedValue(lookup, body[lookup.name]) ?? []);
    const found = values.length === 0 ? new Map() : await this.#find(lookup, values);
    return rows.map((row) => replaceValue(lookup, row, found));
  }

  /** The records that have some values. */
  async #find(lookup: Lookup, values: readonly CellValue[]): Promise<Found> {
    const { name, target, field, ignoresCase } = lookup;
    const known = this.#known.get(name);
    // A list knows no filter without case: of such a field, all values are read once.
    if (ignoresCase || !target.list.filter.includes(field)) {
      const all = known ?? (await readAll(await this.#connect(), lookup));
      this.#known.set(name, all);
      return all;
    }
    const found: Found = known && known.size < maxKnownIds ? known : new Map();
    this.#known.set(name, found);
    const missing = new Map(values.map((value) => [keyOf(lookup, value), value]));
    for (const key of found.keys()) missing.delete(key);
    for (const part of partsOf([...missing.values()])) {
      const query = searchOf({
        filter: { [field]: { in: part } },
        fields: fieldsOfFound(lookup),
        limit: maxEntries,
        ...allOf(target),
      });
      const { body } = await (await this.#connect()).get<{ data: readonly ReadRecord[] }>(pathOf(target) + query);
      for (const record of body.data) addRecord(found, lookup, record);
    }
    return found;
  }
}

/** The rows of a file by their unique values, so that later rows can name them: a tree is one file. */
class EarlierRows {
  readonly #fields: readonly Lookup[];
  /** Lines by the value of a field, by the name of the lookup. */
  readonly #lines: ReadonlyMap<string, Map<string, number>>;

  constructor(fields: readonly Lookup[]) {
    this.#fields = fields;
    this.#lines = new Map(fields.map(({ name }) => [name, new Map<string, number>()]));
  }

  /** The row with the lines of the earlier rows that it names. */
  name(row: SourceRow): SourceRow {
    const names: Record<string, number> = {};
    const body = { ...row.body };
    for (const lookup of this.#fields) {
      const lines = this.#lines.get(lookup.name);
      const lineOf = (value: CellValue | undefined): number | undefined =>
        value === undefined ? undefined : lines?.get(keyOf(lookup, value));
      const line = lineOf(storedValue(lookup, row.body[lookup.name]));
      if (line !== undefined) {
        names[lookup.reference] = line;
        Reflect.deleteProperty(body, lookup.name);
      }
      const own = storedValue(lookup, row.body[lookup.field]);
      if (own !== undefined && lineOf(own) === undefined) lines?.set(keyOf(lookup, own), row.line);
    }
    return Object.keys(names).length === 0 ? row : { ...row, body, earlier: names };
  }
}

/** The fields of records that are found: what an update changes shows in its time. */
const fieldsOfFound = ({ field, reference }: Lookup): string[] => (reference === '' ? [field, 'updated_at'] : [field]);

const pathOf = ({ path }: Table): string => `${basePath}/${path}`;

async function readAll(api: Api, lookup: Lookup): Promise<Found> {
  const found: Found = new Map();
  for await (const { records } of readPages(api, pathOf(lookup.target), {
    fields: fieldsOfFound(lookup).join(),
    ...allOf(lookup.target),
  })) {
    for (const record of records) addRecord(found, lookup, record);
  }
  return found;
}

function addRecord(found: Found, lookup: Lookup, record: ReadRecord): void {
  const value = record[lookup.field];
  if (value === null || value === undefined) return;
  const key = keyOf(lookup, value);
  found.set(key, [...(found.get(key) ?? []), record]);
}

/** Values with the same key are the same for the unique constraint. */
const keyOf = ({ ignoresCase }: Lookup, value: CellValue): string =>
  ignoresCase ? foldText(String(value)) : String(value);

/** A value as records have it; undefined if there is none, or none that a record can have. */
function storedValue({ target, field }: Lookup, value: CellValue | undefined): CellValue | undefined {
  if (value === null || value === undefined) return undefined;
  return schemaOf(target).shape[field]?.safeParse(value).data as CellValue | undefined;
}

function replaceValue(lookup: Lookup, row: SourceRow, found: Found): SourceRow {
  const { name, reference, target, field } = lookup;
  const { [name]: value, ...rest } = row.body;
  if (value === undefined) return row;
  if (value === null) return { ...row, body: { ...rest, [reference]: null } };
  const stored = storedValue(lookup, value);
  const [record, ...others] = (stored !== undefined && found.get(keyOf(lookup, stored))) || [];
  if (record && others.length === 0) return { ...row, body: { ...rest, [reference]: record.id } };
  const what = !record ? `names no ${target.title}: none has` : `names several records, which all have`;
  const message = `${what} the ${field} ${quoted(String(value))}`;
  return { ...row, body: rest, errors: [...row.errors, { ...row.locate(reference), message }] };
}

/** Divides values into parts that one filter takes, and that fit into a URL. */
function* partsOf(values: readonly CellValue[]): Generator<CellValue[]> {
  let part: CellValue[] = [];
  let bytes = 0;
  for (const value of values) {
    const size = searchOf({ filter: { in: { in: [value] } } }).length;
    if (part.length === maxEntries || (part.length > 0 && bytes + size > maxTargetBytes / 2)) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(value);
    bytes += size;
  }
  if (part.length > 0) yield part;
}
