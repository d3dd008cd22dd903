import { UsageError } from '../../runtime/kernel/model/errors.ts';
import type { Attack } from './attack.ts';
import { bodyAttacks } from './rows/bodies.ts';
import { connectionAttacks } from './rows/connections.ts';
import { damagedAttack } from './rows/damaged.ts';
import { eventAttacks } from './rows/events.ts';
import { floods } from './rows/floods.ts';
import { fuzzAttack } from './rows/fuzz.ts';
import { garbageAttacks } from './rows/garbage.ts';
import { jsonAttacks } from './rows/json.ts';
import { keyAttacks } from './rows/keys.ts';
import { longRecordAttacks } from './rows/long-records.ts';
import { pageAttacks } from './rows/pages.ts';
import { recordAttacks } from './rows/records.ts';
import { searchAttacks } from './rows/searches.ts';

/** Every attack that there is, by its kind. */
export const attackKinds: readonly (readonly Attack[])[] = [
  bodyAttacks,
  pageAttacks,
  jsonAttacks,
  recordAttacks,
  longRecordAttacks,
  keyAttacks,
  searchAttacks,
  eventAttacks,
  connectionAttacks,
  floods,
  garbageAttacks,
  [damagedAttack],
  [fuzzAttack],
];

export const attacks: readonly Attack[] = attackKinds.flat();

/**
 * The attacks of these names.
 *
 * @throws Error where there is none of a name.
 */
export const named = (...names: readonly string[]): Attack[] =>
  names.map((name) => {
    const found = attacks.find((attack) => attack.name === name);
    if (found) return found;
    throw new UsageError(`There is no attack "${name}", only ${attacks.map((attack) => attack.name).join(', ')}.`);
  });
