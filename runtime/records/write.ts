import type { ReferencedBy } from '../model/errors.ts';
import type { Value } from '../model/fields.ts';
import { currentTime } from '../model/ids.ts';
import { valueOfMoment } from '../model/moments.ts';
import type { Transition } from '../model/operations.ts';
import type { Violation } from '../rules/evaluate.ts';
import type { Listing } from './page.ts';

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

/** An effect as an answer keeps it: instead of the JSON of a record, the version that the record had. */
export type KeptEffect =
  Effect | { readonly outcome: 'written'; readonly table: string; readonly id: string; readonly version: number };

/** The digest of the request that was done; its result and ids, unless they are too long. */
export interface StoredAnswer extends Pick<Once, 'digest'> {
  readonly answer:
    | (Pick<Once, 'ids'> & {
        readonly result: KeptEffect | { readonly outcome: 'done'; readonly results: readonly KeptEffect[] };
      })
    | undefined;
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

/** A write of one record, or of several line items. */
export type SingleWrite =
  /** Stores a record: a value for each column of the table, in its order. A line item whose `idx` is null is appended. */
  | { readonly op: 'insert'; readonly table: string; readonly values: readonly Value[]; readonly version?: number }
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
  /** Changes `field` from one of the values of `from` to the value `to`, and the columns of `values`. */
  | (Omit<Transition, 'input'> & {
      readonly op: 'transition';
      /** The values of its input, as columns hold them. */
      readonly input?: Readonly<Record<string, Value>>;
      readonly table: string;
      readonly id: string;
      readonly values?: Readonly<Record<string, Value>>;
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

/** The reason why a single write has had no effect. */
export type WriteRejection =
  | { readonly outcome: 'not_found'; readonly id: string }
  /** The record has another version than the write names. */
  | { readonly outcome: 'stale'; readonly version: number }
  /** Columns of `expected` that have another value. */
  | { readonly outcome: 'unexpected'; readonly columns: readonly string[] }
  | { readonly outcome: 'wrong_state'; readonly state: Value }
  /** Columns that a transition requires, and that are null. */
  | { readonly outcome: 'null_in_required'; readonly columns: readonly string[] }
  /** Rules that the record would break. */
  | { readonly outcome: 'rule_violated'; readonly violations: readonly Violation[] }
  | { readonly outcome: 'parent_missing' }
  /** The state of a record allows no such write: its id, unless the same batch would have created it. */
  | {
      readonly outcome: 'locked';
      readonly resource: string;
      readonly title: string;
      readonly id: string | undefined;
      readonly field: string;
      readonly state: string;
    }
  /** Another record has the values of unique fields: its id, unless the same batch would have created it. */
  | { readonly outcome: 'not_unique'; readonly fields: readonly string[]; readonly id?: string }
  /** Columns of references to records that do not exist. */
  | { readonly outcome: 'reference_missing'; readonly columns: readonly string[] }
  | { readonly outcome: 'still_referenced'; readonly by: readonly ReferencedBy[] }
  /** A delete would delete or change more than `maxCascade` other records. */
  | { readonly outcome: 'cascade_too_large' }
  /** No safe integer follows the `idx` of the last item. */
  | { readonly outcome: 'idx_exhausted' }
  /** Indices in `items` of those whose parent is not that of the first one. */
  | { readonly outcome: 'different_parent'; readonly indices: readonly number[] }
  /** The JSON of the record would have more bytes than `Table.maxBody`. */
  | { readonly outcome: 'record_too_large' }
  /** The results of the writes before it in a batch are too long together, or with its own. */
  | { readonly outcome: 'results_too_large' };

export type SingleResult = Effect | WriteRejection;

export type WriteResult =
  | SingleResult
  /** The request was done before: nothing is done now. */
  | { readonly outcome: 'repeated' }
  /** The record of a guard has another version, or is gone: nothing is done. */
  | { readonly outcome: 'outdated'; readonly id: string }
  /** The effects of a batch; `others` also of its hidden writes. */
  | { readonly outcome: 'done'; readonly results: readonly Effect[]; readonly others?: readonly string[] }
  /** A batch was not done: the index of the first write that failed, and why. If no write of a trial fails: their number. */
  | { readonly outcome: 'refused'; readonly at: number; readonly reason: WriteRejection | undefined };

/** Whether a write was done: all that it has changed is undone otherwise. */
export const isDone = ({ outcome }: WriteResult): boolean =>
  outcome === 'written' || outcome === 'deleted' || outcome === 'reordered' || outcome === 'done';

/** The values that a transition gives a record: the state, those of its `set`, and others. @param actor who makes it */
export function valuesOfTransition(
  { field, to, set: computed = {}, input = {}, values, time }: WriteOf<'transition'>,
  actor: string | null,
): Readonly<Record<string, Value>> {
  const set: Record<string, Value> = { [field]: to };
  for (const [column, value] of Object.entries(computed)) {
    if ('by' in value) set[column] = actor;
    else set[column] = 'input' in value ? (input[value.input] ?? null) : valueOfMoment(value, time);
  }
  return { ...set, ...values };
}
