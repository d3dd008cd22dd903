import type { Attack } from './attack.ts';
import type { Databases } from './contents.ts';
import { type AttackOptions, attackServer, type Outcome, Trial } from './trial.ts';

/** How long the quiet client is watched beside each, in milliseconds: what looks bad then is looked at for longer. */
const watch = 1_000;

/**
 * Does attacks one after the other, those that begin alike on one server, which takes less time than a server for each.
 * One that is not withstood is done again by itself: what was before it may have done it.
 *
 * @param report is given every outcome
 * @returns what must not be, each with the name of the attack; empty where all are withstood
 */
export async function attackTogether(
  attacks: readonly Attack[],
  databases: Databases,
  options: AttackOptions,
  report: (attack: Attack, outcome: Outcome) => void,
): Promise<string[]> {
  const suspects: Attack[] = [];
  const groups = Map.groupBy(attacks, ({ contents, beside }) => beside ?? contents);
  for (const group of groups.values()) {
    let trial: Trial | undefined;
    try {
      for (const attack of group) {
        trial ??= await Trial.start(databases, attack);
        const outcome = await trial.attack(attack, { ...options, watch });
        report(attack, outcome);
        if (outcome.violations.length === 0) continue;
        suspects.push(attack);
        await trial[Symbol.asyncDispose]();
        trial = undefined;
      }
    } finally {
      await trial?.[Symbol.asyncDispose]();
    }
  }
  const violations: string[] = [];
  for (const attack of suspects) {
    const found = await attackServer(attack, databases, options, (outcome) => report(attack, outcome));
    violations.push(...found.map((violation) => `${attack.name}: ${violation}`));
  }
  return violations;
}
