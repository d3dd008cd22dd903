import type { RecordData, Value } from '../record-data.ts';
import type { Field } from '../model.ts';
import { changedFields, type Edits, type Input, isChanged } from './values.ts';

/** A field that two people have changed: what is stored now, and what is held by the control. */
export interface Difference {
  readonly field: Field;
  readonly theirs: Value | undefined;
  readonly mine: Input;
}

/** The changes of a record since it was read for editing. */
export interface Merge {
  /** The edits that still change something. */
  readonly edits: Edits;
  /** Changed by both, to different values. */
  readonly differences: readonly Difference[];
  /** Changed by the other one alone. */
  readonly theirs: readonly Field[];
}

/** Brings edits of a record as it was read together with the record as it is stored now. Nothing that was typed is lost. */
export function merge(
  fields: readonly Field[],
  read: Partial<RecordData>,
  edits: Edits,
  stored: Partial<RecordData>,
): Merge {
  const mine = changedFields(fields, read, edits);
  const isTheirs = ({ name }: Field): boolean => read[name] !== stored[name];
  const kept = mine.filter((field) => isChanged(field, stored[field.name], edits[field.name]));
  return {
    edits: Object.fromEntries(kept.map(({ name }) => [name, edits[name]])),
    differences: kept.filter(isTheirs).map((field) => ({ field, theirs: stored[field.name], mine: edits[field.name] })),
    theirs: fields.filter((field) => isTheirs(field) && !mine.includes(field)),
  };
}
