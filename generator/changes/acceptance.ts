import { didYouMean } from '../../runtime/kernel/model/suggest.ts';
import type { Service } from '../model/model.ts';
import type { ApiChange } from './change.ts';
import { code } from './markdown.ts';

/** A change with the reason that accepts its break. */
export interface JudgedChange extends ApiChange {
  readonly accepted?: string;
}

/** Whether a change breaks clients and no reason accepts it. */
export const isUnaccepted = ({ verdict, accepted }: JudgedChange): boolean =>
  verdict === 'breaking' && accepted === undefined;

/** The changes with their acceptances, and warnings about acceptances without effect. */
interface Judged {
  readonly changes: readonly JudgedChange[];
  readonly warnings: readonly string[];
}

const repeated = 'was accepted in the base for an earlier break. Give a new reason for this one.';

/**
 * Accepts breaks that `accepted_breaks` names.
 *
 * An acceptance counts once: one that the base has with the same reason was for an earlier break of the same id. A later
 * break needs a new reason.
 */
export function judge(changes: readonly ApiChange[], before: Service | undefined, after: Service): Judged {
  const reasons = new Map(Object.entries(after.acceptedBreaks));
  const earlier = new Map(Object.entries(before?.acceptedBreaks ?? {}));
  const byId = new Map(changes.map((change) => [change.id, change]));
  const judged = changes.map((change): JudgedChange => {
    const reason = reasons.get(change.id);
    const counts = change.verdict === 'breaking' && reason !== undefined && reason !== earlier.get(change.id);
    return counts ? { ...change, accepted: reason } : change;
  });
  const breaks = judged.filter(({ verdict }) => verdict === 'breaking');
  const ids = breaks.map(({ id }) => id);
  const isRepeated = (change: JudgedChange): boolean => isUnaccepted(change) && reasons.has(change.id);
  const warnings = [
    ...breaks.filter(isRepeated).map(({ id }) => `${code(id)} ${repeated}`),
    ...[...reasons.keys()].flatMap((id) => {
      const change = byId.get(id);
      if (change?.verdict === 'breaking' || earlier.has(id)) return [];
      const why = change ? 'is safe and needs no acceptance' : `names no change${didYouMean(id, ids)}`;
      return [`${code(id)} in ${code('accepted_breaks')} ${why}`];
    }),
  ];
  return { changes: judged, warnings };
}
