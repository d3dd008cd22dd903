import { refresh } from '../../kernel/sql/changes.ts';
import type { Dml } from '../../kernel/sql/dml.ts';
import { RowCounts } from '../../kernel/sql/row-counters.ts';
import { type StaleRecord, StaleRecords } from '../../kernel/sql/stale-records.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { Steps } from '../../kernel/sql/types.ts';
import { targetsOf } from '../../kernel/sql/writes.ts';
import type { Value } from '../../kernel/model/fields.ts';
import {
  type Effect,
  isDone,
  type OrganizationWrite,
  type SingleWrite,
  type WriteRejection,
  type WriteResult,
} from '../../kernel/records/write.ts';

/** The effects of the writes of a batch so far, and the records that these have made stale. */
export class BatchRecords {
  readonly counts = new RowCounts();
  readonly results: Effect[] = [];
  /** The ids of records that were refreshed. */
  readonly others: string[] = [];
  readonly stale = new StaleRecords();
  /** The places of the results that are to show their records as they are at the end, by the ids of these. */
  readonly restored = new Map<string, number>();
  readonly #dml: Dml;
  readonly #batch: OrganizationWrite<'batch'>;

  constructor(dml: Dml, batch: OrganizationWrite<'batch'>) {
    this.#dml = dml;
    this.#batch = batch;
  }

  /** Refreshes records. @param following takes those that follow from them @returns the refusal of the first that is refused */
  *refreshAll(records: Iterable<StaleRecord>, following = this.stale): Steps<WriteResult | undefined> {
    for (const record of records) {
      const result = yield* refresh(this.#dml, this.#batch, record, following, this.counts);
      if (result && !isDone(result)) {
        const reason = withoutUndone(this.#batch.writes, result as WriteRejection);
        return { outcome: 'refused', at: record.at ?? 0, reason };
      }
      const place = this.restored.get(record.id);
      if (result && place !== undefined) this.results[place] = result as Effect;
      this.others.push(record.id);
    }
    return undefined;
  }

  /** Refreshes records before the end. Their rules over totals wait for that. @param at the place of the next write */
  *#refreshEarly(records: Iterable<StaleRecord>, at: number): Steps<WriteResult | undefined> {
    for (const record of records) {
      const early = new StaleRecords(true);
      const refusal = yield* this.refreshAll([record], early);
      if (refusal) return refusal;
      this.stale.addAll(early, record.at ?? at);
    }
    return undefined;
  }

  /** Refreshes the records of which a write reads totals, behind those from which these follow. @param at its place */
  *refreshSources(write: SingleWrite, sources: readonly Source[], at: number): Steps<WriteResult | undefined> {
    const sql = this.#dml.of(write.table, this.#batch.organization);
    for (const { column, table } of this.stale.isEmpty ? [] : sources) {
      for (const feeder of feedersOf(this.#dml, table)) {
        const ofFeeder = yield* this.#refreshEarly(this.stale.takeOf(feeder), at);
        if (ofFeeder) return ofFeeder;
      }
      let id: unknown = givenTo(sql, write, column);
      if (id === undefined) {
        const [[row] = []] = yield { statements: [sql.some(targetsOf(write), [column])], keepsTransactionOpen: true };
        id = row && sql.lockedRow(row, [column]).record[column];
      }
      const source = targetsOf(write).includes(String(id)) ? undefined : this.stale.take(table, String(id));
      const refusal = yield* this.#refreshEarly(source ? [source] : [], at);
      if (refusal) return refusal;
    }
    return undefined;
  }
}

/** A rejection that names no record of the batch itself, which is not stored. */
export function withoutUndone(writes: readonly SingleWrite[], rejection: WriteRejection): WriteRejection {
  if (rejection.outcome === 'not_found') return rejection;
  const created = new Set<unknown>(createdBy(writes));
  const text = JSON.stringify(rejection, (_, value: unknown) =>
    Array.isArray(value) ? value.filter((one) => !created.has(one)) : created.has(value) ? undefined : value,
  );
  return JSON.parse(text) as WriteRejection;
}

/** The ids of the records that writes create: the first column. */
export const createdBy = (writes: readonly SingleWrite[]): Value[] =>
  writes.flatMap((write) => (write.op === 'insert' ? write.values.slice(0, 1) : []));

/** A reference of a write's record, and the fields of the record that it names which the write reads. */
export type Source = Pick<ReturnType<Dml['readsOf']>[number], 'column' | 'table' | 'fields'>;

/** The references of whose records a write may read totals: it copies computed fields, or its rules read some. */
export function sourcesOf(dml: Dml, write: SingleWrite): Source[] {
  const absent = write.op === 'insert' ? (write.absent ?? []) : [];
  const copied = absent.flatMap((name): Source[] => {
    const { reference, table, field } = dml.of(write.table, 0).column(name).copies ?? {};
    if (reference === undefined || table === undefined || field === undefined) return [];
    return [{ column: reference, table, fields: [field] }];
  });
  return [...copied, ...readsOf(dml, write)].filter((source) => readsComputed(dml, source));
}

/** The references whose records the rules of a write read. */
export function readsOf(dml: Dml, write: SingleWrite): ReturnType<Dml['readsOf']> {
  if (write.op === 'delete' || write.op === 'reorder') return [];
  return dml.readsOf(dml.of(write.table, 0).table, write.op === 'transition' ? write.name : '');
}

export const readsComputed = (dml: Dml, { table, fields }: Source): boolean =>
  fields.some((field) => Object.hasOwn(dml.of(table, 0).table.logic?.computed ?? {}, field));

/** The tables over whose rows the totals of a table are, and those of these in turn, in the order in which these follow. */
function feedersOf(dml: Dml, table: string): string[] {
  const all = [table];
  // The list goes on with what is added meanwhile.
  for (const name of all) {
    for (const { items } of Object.values(dml.of(name, 0).table.logic?.totals ?? {})) {
      if (!all.includes(items)) all.push(items);
    }
  }
  return all.slice(1).toSorted((a, b) => dml.placeOf(a) - dml.placeOf(b));
}

/** The value that a write gives to a column, if it does. */
export const givenTo = (sql: TableSql, write: SingleWrite, column: string): Value | undefined =>
  write.op === 'insert' ? write.values[sql.position(column)] : write.op === 'update' ? write.set[column] : undefined;
