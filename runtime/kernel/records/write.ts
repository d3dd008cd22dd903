import type { ApiError } from '../model/errors.ts';
import { columnValue, type RecordValue, type Value } from '../model/fields.ts';
import { currentTime } from '../model/ids.ts';
import { valueOfMoment } from '../model/moments.ts';
import type { SetValue, Transition } from '../model/operations.ts';
import type { Table } from '../model/table.ts';
import type { Listing, Page } from './page.ts';

/** The origin of a write, as events tell it. */
export interface Origin {
  /** The name of a `Principal`. */
  readonly actor: string | null;
  readonly requestId: string | null;
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly once?: Once | undefined;
  /** The time of `performance.now` at which its request is given up; without it, it has as long as any write. */
  readonly deadline?: number;
}

/** A request that is done once, however often it is sent. */
export interface Once {
  /** The name of the `Principal` that chose the key. */
  readonly owner: string;
  readonly key: string;
  /** The hash of the request: another one with the same key is refused. */
  readonly digest: string;
  /** The ids that `PreparedWrite` has. */
  readonly ids: readonly (string | undefined)[];
}

/** The origin of a write of no request. */
export const unknownOrigin = (): Origin => ({ actor: null, requestId: null, time: currentTime() });

/** The versions of which the record must have one for a write. */
export type Versions = readonly number[];

/** The version of a record that a write relies on. */
export interface Guard {
  readonly table: string;
  readonly id: string;
  readonly version: number;
}

/** The records of a list, or their number. */
export interface ListRead {
  readonly table: string;
  /** Without `offset` and `after`. */
  readonly page: Page;
  readonly isCount?: true;
}

/** A list as it was read. */
export interface ListState {
  /** The ids and versions of its records, or their number: another text once it has changed. */
  readonly state: string;
  /** The JSON of its records, separated by commas; empty for their number. */
  readonly items: string;
}

/** A list that a write relies on. */
export interface ListGuard extends ListRead, Pick<ListState, 'state'> {
  /** How many writes of its batch come before it was read. */
  readonly at: number;
}

/** A write of one record, or of several line items. */
export type SingleWrite =
  /**
   * Stores a record: a value for each column of the table, in its order. A line item whose `idx` is null is appended. The columns of
   * `absent` are still to be copied from other records, and are null until then.
   */
  | {
      readonly op: 'insert';
      readonly table: string;
      readonly values: readonly Value[];
      readonly absent?: readonly string[];
      readonly version?: number;
    }
  /**
   * Sets the columns of `set` if those of `expected` have the given value, or one of the given ones. If a value changes,
   * `updated_at` becomes `time` unless it is later. `operation` is the name of its event, if that is not `update`.
   */
  | {
      readonly op: 'update';
      readonly operation?: string;
      /** It takes a transition back: a state that locks the record does not lock it against that. */
      readonly isTakenBack?: true;
      readonly table: string;
      readonly id: string;
      readonly set: Readonly<Record<string, Value>>;
      readonly expected: Readonly<Record<string, Value | readonly Value[]>>;
      readonly time: string;
      readonly versions?: Versions;
    }
  /** Changes `field` from one of the values of `from` to the value `to`, if there is one, and the columns of `values`. It counts as a change even if no value is another. */
  | (Omit<Transition, 'input'> & {
      readonly op: 'transition';
      /** The values of its input, as columns hold them. */
      readonly input?: Readonly<Record<string, Value>>;
      readonly table: string;
      readonly id: string;
      readonly values?: Readonly<Record<string, Value>>;
      /** Other columns that must have the given values. */
      readonly expected?: Readonly<Record<string, Value>>;
      readonly time: string;
      readonly versions?: Versions;
    })
  /**
   * Deletes a record and its line items, and does with the records that reference it what their references say. `updated_at` of
   * those that it changes becomes `time` unless it is later. With `isAlone`, it is stale if there are such items or records.
   */
  | {
      readonly op: 'delete';
      readonly table: string;
      readonly id: string;
      readonly time: string;
      readonly versions?: Versions;
      readonly isAlone?: true;
    }
  /** Sets `idx` of line items of one parent: of all or none. */
  | {
      readonly op: 'reorder';
      readonly table: string;
      readonly items: readonly { readonly id: string; readonly idx: number }[];
    };

export type Write =
  | SingleWrite
  /**
   * Does writes in their order, all of them or none. A trial does none: it finds the first one that fails. `table` is that of
   * the first write.
   */
  | {
      readonly op: 'batch';
      readonly table: string;
      readonly writes: readonly SingleWrite[];
      readonly isTrial: boolean;
      /** It is done only if these records have these versions. */
      readonly guards?: readonly Guard[];
      /** It is done only if these lists are as they were. */
      readonly lists?: readonly ListGuard[];
      /** Read at the end of a trial of which no write fails. */
      readonly read?: ListRead;
      /** The indices of writes whose effects are not among the results. */
      readonly hidden?: readonly number[];
      /** Bytes that the results may have together; `maxBatchResults` without it. */
      readonly maxResults?: number;
    };

/** A write and the organization whose records it is about. */
export type OrganizationWrite<Op extends Write['op'] = Write['op']> = WriteOf<Op> & {
  readonly organization: number;
  readonly origin: Origin;
  /** The records of inserts that are sent together with this one, and follow it: it clashes with none of them. */
  readonly later?: readonly Value[];
};

export type WriteOf<Op extends Write['op']> = Write & { readonly op: Op };

/** The effect of a single write. `others` are the ids of records that have changed with it, as their totals have. */
export type Effect =
  /** The record after the write. */
  | {
      readonly outcome: 'written';
      readonly json: string;
      readonly version: number;
      readonly others?: readonly string[];
    }
  | { readonly outcome: 'deleted'; readonly others?: readonly string[] }
  | {
      readonly outcome: 'reordered';
      /** The parent whose items were reordered, in the form of `Page.where`. */
      readonly parent: Readonly<Record<string, Value>>;
      /** In a batch: the first page of the parent's list, as it is between this write and the next one. */
      readonly page?: Listing & { readonly items: string };
    };

/** The reasons of the kernel why a single write has had no effect, by their outcome. */
export interface KernelRejections {
  not_found: { id: string };
  /** The record has another version than the write names. */
  stale: { version: number };
  /** Columns of `expected` that have another value. */
  unexpected: { columns: readonly string[] };
  wrong_state: { state: Value };
  /** Columns that a transition requires, and that are null. */
  null_in_required: { columns: readonly string[] };
  parent_missing: unknown;
  /** Columns of references to records that do not exist. */
  reference_missing: { columns: readonly string[] };
  /** No safe integer follows the `idx` of the last item. */
  idx_exhausted: unknown;
  /** The JSON of the record would have more bytes than `Table.maxBody`. */
  record_too_large: unknown;
  /** The results of the writes before it in a batch are too long together, or with its own. */
  results_too_large: unknown;
}

/** All of them: a feature adds its own, and has the words for them in `Feature.describe`. */
export interface Rejections extends KernelRejections {}

export type WriteRejection<Outcome extends keyof Rejections = keyof Rejections> = {
  readonly [O in Outcome]: { readonly outcome: O } & Readonly<Rejections[O]>;
}[Outcome];

/** A write that was rejected, and the body of its request. */
export interface RejectedWrite {
  readonly table: Table;
  readonly write: SingleWrite;
  readonly body?: Readonly<Record<string, RecordValue | undefined>> | undefined;
}

/** Whether the key may read a resource, by its path: errors name no records of others. */
export type IsReadable = (path: string) => boolean;

/** The words for rejections, by their outcome. Pointers lead to fields of the record. */
export type Words<Outcome extends keyof Rejections> = {
  readonly [O in Outcome]: (rejection: WriteRejection<O>, write: RejectedWrite, isReadable: IsReadable) => ApiError;
};

export type SingleResult = Effect | WriteRejection;

export type WriteResult =
  | SingleResult
  /** The request was done before: nothing is done now. */
  | { readonly outcome: 'repeated' }
  /** The record of a guard has another version, or is gone, or a list has changed: nothing is done. `id` names what has changed. */
  | { readonly outcome: 'outdated'; readonly id: string }
  /** The effects of a batch; `others` also of its hidden writes. */
  | { readonly outcome: 'done'; readonly results: readonly Effect[]; readonly others?: readonly string[] }
  /**
   * A batch was not done: the index of the first write that failed, and why. If no write of a trial fails: their number, and the list
   * that it reads, unless it has more than `maxBatchResults` bytes.
   */
  | {
      readonly outcome: 'refused';
      readonly at: number;
      readonly reason: WriteRejection | undefined;
      readonly list?: ListState | undefined;
    };

/** Whether a write was done: all that it has changed is undone otherwise. */
export const isDone = ({ outcome }: WriteResult): boolean =>
  outcome === 'written' || outcome === 'deleted' || outcome === 'reordered' || outcome === 'done';

/** The values that a transition gives a record: a new state, those of its `set`, and others. @param actor who makes it */
export function valuesOfTransition(
  { field, to, set = {}, input = {}, values, time }: WriteOf<'transition'>,
  actor: string | null,
): Readonly<Record<string, Value>> {
  const columnOf = (value: SetValue): Value => {
    if ('value' in value) return columnValue(value.value);
    return 'input' in value ? (input[value.input] ?? null) : valueOfMoment(value, { time, actor });
  };
  const columns = Object.entries(set).map(([name, value]) => [name, columnOf(value)] as const);
  return { ...(to !== undefined && { [field]: to }), ...Object.fromEntries(columns), ...values };
}
