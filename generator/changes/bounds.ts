import { maxTextLength } from '../../runtime/limits.ts';
import type { Field, FieldType } from '../model.ts';
import { breaking, type Finding, safe } from './change.ts';
import { writersOf } from './clients.ts';
import { code } from './markdown.ts';

/** A limit of a field's values. */
interface Bound {
  /** The limit in force, also where none is written; undefined where values of the type have none of the kind. */
  readonly of: (type: FieldType) => number | undefined;
  /** Whether it limits from above or from below. */
  readonly end: 'upper' | 'lower';
  /** What a field with the limit has to be, as a verb and its object. */
  readonly words: (limit: number) => string;
}

/** The limits, by the key that sets them. */
export const bounds = {
  min_length: {
    of: (type) => (type.type === 'text' ? (type.minLength ?? 0) : undefined),
    end: 'lower',
    words: (limit) => `must have at least ${limit} characters`,
  },
  max_length: {
    of: (type) => (type.type === 'text' ? (type.maxLength ?? maxTextLength) : undefined),
    end: 'upper',
    words: (limit) => `may have at most ${limit} characters`,
  },
  min: {
    of: (type) => {
      if (type.type === 'integer') return Math.max(type.min ?? -Infinity, Number.MIN_SAFE_INTEGER);
      return type.type === 'number' ? (type.min ?? -Infinity) : undefined;
    },
    end: 'lower',
    words: (limit) => (Number.isFinite(limit) ? `must be at least ${limit}` : 'has no smallest value'),
  },
  max: {
    of: (type) => {
      if (type.type === 'integer') return Math.min(type.max ?? Infinity, Number.MAX_SAFE_INTEGER);
      return type.type === 'number' ? (type.max ?? Infinity) : undefined;
    },
    end: 'upper',
    words: (limit) => (Number.isFinite(limit) ? `may be at most ${limit}` : 'has no largest value'),
  },
} as const satisfies Record<string, Bound>;

/** Compares one limit of a field. Limits of another type are part of the change of the type. */
export function compareBound(key: keyof typeof bounds, before: Field, after: Field): Finding[] {
  const { of, end, words }: Bound = bounds[key];
  const was = of(before);
  const is = of(after);
  if (before.type !== after.type || was === undefined || is === undefined || was === is) return [];
  const what = `${code(after.name)} ${words(is)} (${Number.isFinite(was) ? was : 'no limit'} before).`;
  if (is > was === (end === 'upper')) {
    return [safe(`${key}/widened`, `${what} All that was accepted still is; answers may go beyond the old limit.`)];
  }
  const why = 'What lies beyond is refused with 422, also where an update sends back what an older record holds.';
  return [breaking(`${key}/narrowed`, writersOf(before, after), `${what} ${why}`)];
}
