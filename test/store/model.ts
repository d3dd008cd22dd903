import type { Value } from '../../runtime/kernel/model/fields.ts';
import { storedWords } from '../../runtime/features/search/words.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import type { Page, Projection } from '../../runtime/kernel/records/page.ts';
import type { SingleResult, SingleWrite } from '../../runtime/kernel/records/write.ts';
import { type Fields, type Stored, storedBy, tableNamed, tables, type Whole } from './contract.ts';

type Written = { readonly outcome: 'written'; readonly row: Stored };
/** As a store answers, but for the record itself in place of its text. */
export type ModelResult = Written | Exclude<SingleResult, { outcome: 'written' }>;

const holds = (row: Stored, values: Readonly<Record<string, Value | readonly Value[]>>): boolean =>
  Object.entries(values).every(([name, value]) => [value].flat().includes(row[name] as Value));

/** Whether each word begins one of the words of the searched fields. */
export function isFound({ list }: Table, row: Stored, words: readonly string[]): boolean {
  const own = list.search.flatMap((field) => [...storedWords(String(row[field] ?? ''))]);
  return words.every((word) => own.some((one) => one.startsWith(word)));
}

const later = (a: Value | undefined, b: string): string => (String(a) > b ? String(a) : b);

/** The simplest store with the same behaviour: arrays, and no thought of speed. */
export class Model {
  #rows = new Map<string, Stored[]>(tables.map(({ name }) => [name, []]));
  /** The ids of all records that have been made: those of deleted ones are not used again. */
  readonly ids = new Set<string>();

  rows(table: Table): Stored[] {
    return this.#rows.get(table.name) as Stored[];
  }

  /** Takes in a record that is there without having been written. */
  adopt(table: Table, row: Stored): void {
    this.rows(table).push(row);
  }

  list(table: Table, { limit, offset, after, where = {}, search = [] }: Page): Whole | undefined {
    const born = ({ id }: { id: string }): string => (table.renamedFrom ? id.slice(-26) : id);
    const before = (a: Stored, b: Stored): number => {
      const places = table.parent ? Number(a['idx']) - Number(b['idx']) : 0;
      const births = born(a) < born(b) ? -1 : 1;
      return places || (table.parent ? births : -births);
    };
    const all = this.rows(table)
      .filter((row) => holds(row, where))
      .toSorted(before);
    const found = all.filter((row) => isFound(table, row, search));
    let start = offset;
    if (after !== undefined) {
      // The place of a record counts, also where it is not found or no longer there.
      const place = table.parent
        ? all.findIndex(({ id }) => id === after) + 1
        : all.filter((row) => born(row) >= born({ id: after })).length;
      if (table.parent && place === 0) return undefined;
      start = all.slice(0, place).filter((row) => found.includes(row)).length;
    }
    return {
      total: found.length,
      hasMore: start + limit < found.length,
      items: found.slice(start, start + limit),
    };
  }

  /** A record as a projection shows it. */
  shown(table: Table, row: Stored, { fields, expand = [] }: Projection): Readonly<Record<string, unknown>> {
    const own = Object.entries(row).filter(([name]) => fields === undefined || fields.includes(name));
    const lists = expand.map((path) => {
      const item = tableNamed(table.expand![path]!.table);
      const where = { [item.parent!.field]: row.id };
      const { items: data, hasMore, total } = this.list(item, { limit: 100, offset: 0, where })!;
      return [path, { data, has_more: hasMore, total }] as const;
    });
    return Object.fromEntries([...own, ...lists]);
  }

  /** Undoes what `work` writes if it says so. */
  attempt(work: () => boolean): void {
    const before = new Map([...this.#rows].map(([name, rows]) => [name, rows.map((row) => ({ ...row }))]));
    if (!work()) this.#rows = before;
  }

  write(write: SingleWrite): ModelResult {
    const table = tableNamed(write.table);
    const found = (id: string): Stored | undefined => this.rows(table).find((row) => row.id === id);
    switch (write.op) {
      case 'insert': {
        const row = storedBy(table, write);
        if (this.#parentMissing(table, row)) return { outcome: 'parent_missing' };
        if (table.parent && row['idx'] === null) {
          const siblings = this.#siblings(table, row).map(({ idx }) => Number(idx));
          const last = siblings.length === 0 ? 0 : Math.max(...siblings);
          if (last === Number.MAX_SAFE_INTEGER) return { outcome: 'idx_exhausted' };
          row['idx'] = last + 1;
        }
        this.rows(table).push(row);
        this.ids.add(row.id);
        return { outcome: 'written', row: { ...row } };
      }
      case 'update': {
        const row = found(write.id);
        if (!row) return { outcome: 'not_found', id: write.id };
        const columns = Object.keys(write.expected).filter((name) => row[name] !== write.expected[name]);
        if (columns.length > 0) return { outcome: 'unexpected', columns };
        if (table.parent && table.parent.field in write.set && this.#parentMissing(table, write.set)) {
          return { outcome: 'parent_missing' };
        }
        const changes = !holds(row, write.set);
        Object.assign(row, write.set);
        if (changes && 'updated_at' in row) row['updated_at'] = later(row['updated_at'], write.time);
        return { outcome: 'written', row: { ...row } };
      }
      case 'transition': {
        const row = found(write.id);
        if (!row) return { outcome: 'not_found', id: write.id };
        const state = row[write.field] as Value;
        if (!write.from.some((from) => from === state)) return { outcome: 'wrong_state', state };
        if (write.to !== undefined) row[write.field] = write.to;
        row['updated_at'] = later(row['updated_at'], write.time);
        return { outcome: 'written', row: { ...row } };
      }
      case 'delete': {
        const row = found(write.id);
        if (!row) return { outcome: 'not_found', id: write.id };
        this.#remove(table, ({ id }) => id === write.id);
        for (const child of tables) {
          const { parent } = child;
          if (parent?.table === table.name) this.#remove(child, (item) => item[parent.field] === write.id);
        }
        return { outcome: 'deleted' };
      }
      case 'reorder': {
        const named = write.items.map(({ id }) => found(id));
        const unknown = named.indexOf(undefined);
        if (unknown >= 0) return { outcome: 'not_found', id: write.items[unknown]!.id };
        const rows = named as Stored[];
        const parent = this.#parentOf(table, rows[0]!);
        const places = rows.flatMap((row, place) => (holds(row, parent) ? [] : [place]));
        if (places.length > 0) return { outcome: 'different_parent', indices: places };
        rows.forEach((row, place) => (row['idx'] = write.items[place]!.idx));
        return { outcome: 'reordered', parent };
      }
    }
  }

  #parentMissing({ parent }: Table, fields: Fields): boolean {
    if (parent?.table === undefined) return false;
    return !this.rows(tableNamed(parent.table)).some(({ id }) => id === fields[parent.field]);
  }

  #parentOf({ parent }: Table, row: Stored): Fields {
    const names = [parent?.typeField, parent?.field].filter((name) => name !== undefined);
    return Object.fromEntries(names.map((name) => [name, row[name] as Value]));
  }

  #siblings(table: Table, row: Stored): Stored[] {
    const parent = this.#parentOf(table, row);
    return this.rows(table).filter((other) => holds(other, parent));
  }

  #remove(table: Table, which: (row: Stored) => boolean): void {
    this.#rows.set(
      table.name,
      this.rows(table).filter((row) => !which(row)),
    );
  }
}
