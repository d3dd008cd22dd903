import type { Feature } from '../../kernel/feature.ts';
import type { Lock, Trait } from '../../kernel/model/table.ts';
import { describeLocked, lockedByState, lockedCode } from './locked.ts';

/** Some states of a record lock it: no write but a transition changes it. */
export const states: Feature = {
  name: 'states',
  write: lockedByState,
  errors: [lockedCode],
  describe: describeLocked,
};

/** In some states of a field, a record is locked. @param options the fields that can still change */
export const locked =
  (field: string, lockingStates: readonly string[], options: Pick<Lock, 'except'> = {}): Trait =>
  (table) => ({ ...table, locks: [...(table.locks ?? []), { field, states: lockingStates, ...options }] });
