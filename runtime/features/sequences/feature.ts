import type { z } from 'zod';
import type { Feature } from '../../kernel/feature.ts';
import { changed, restricted, type Server, text } from '../../kernel/model/fields.ts';
import { numbered, sequenceTable } from './numbers.ts';
import type { Rule } from '../../kernel/model/value-rules.ts';
import { maxCount, maxNumber } from './limits.ts';
import { countIn } from './pattern.ts';

/** Records are numbered in the order of their commits, without gaps. */
export const sequences: Feature = {
  name: 'sequences',
  needs: ['unique'],
  tables: [sequenceTable],
  write: numbered,
  migration: async () => (await import('./compare.ts')).migration,
};

/**
 * A field that numbers records within their organization, like `INV-{yyyy}-{0000}`. It is read-only; an import may bring values,
 * but none behind which its counter could not go on.
 *
 * @param timeZone the one that its year and month are in
 */
export const sequence = (pattern: string, timeZone = 'UTC'): z.ZodType<string, string> & Server =>
  changed(
    restricted(text({ max: maxNumber }), (value) => brokenCount(pattern, value)),
    {
      presence: 'server',
      isAssigned: true,
      sequence: { pattern, timeZone },
    },
  );

function brokenCount(pattern: string, number: string): Rule | undefined {
  if ((countIn(pattern, number)?.count ?? 0) <= maxCount) return undefined;
  const message = `must have at most ${String(maxCount).length} digits in the place of the zeros of ${pattern}`;
  return { code: 'too_large', message };
}
