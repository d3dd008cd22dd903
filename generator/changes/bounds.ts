import { schemaOf } from '../model/field-types.ts';
import type { Field } from '../model/model.ts';
import { breaking, type Difference, safe } from './change.ts';
import { writersOf } from './clients.ts';
import { code } from './markdown.ts';

/** A limit of a field's values. */
interface Bound {
  /** The keyword of JSON Schema that sets it. */
  readonly keyword: 'minLength' | 'maxLength' | 'minimum' | 'maximum';
  /** The limit where the schema has none. */
  readonly none: number;
  /** Whether it limits from above or from below. */
  readonly end: 'upper' | 'lower';
  /** The requirement that the limit makes, as a verb and its object. */
  readonly words: (limit: number) => string;
}

/** The limits, by the key that sets them. */
export const bounds = {
  min_length: {
    keyword: 'minLength',
    none: 0,
    end: 'lower',
    words: (limit) => `must have at least ${limit} characters`,
  },
  max_length: {
    keyword: 'maxLength',
    none: Infinity,
    end: 'upper',
    words: (limit) => `may have at most ${limit} characters`,
  },
  min: {
    keyword: 'minimum',
    none: -Infinity,
    end: 'lower',
    words: (limit) => (Number.isFinite(limit) ? `must be at least ${limit}` : 'has no minimum'),
  },
  max: {
    keyword: 'maximum',
    none: Infinity,
    end: 'upper',
    words: (limit) => (Number.isFinite(limit) ? `may be at most ${limit}` : 'has no maximum'),
  },
} as const satisfies Record<string, Bound>;

/** Compares one limit of a field. A change of the type covers its limits. */
export function compareBound(key: keyof typeof bounds, before: Field, after: Field): Difference[] {
  const { keyword, none, end, words }: Bound = bounds[key];
  const [was, is] = [schemaOf(before)[keyword] ?? none, schemaOf(after)[keyword] ?? none];
  if (before.type !== after.type || was === is) return [];
  const what = `${code(after.name)} ${words(is)} (${Number.isFinite(was) ? was : 'no limit'} before).`;
  if (is > was === (end === 'upper')) {
    return [
      safe(`${key}/widened`, `${what} All values of before are still accepted; answers may exceed the old limit.`),
    ];
  }
  const why = 'Other values are refused with 422, even where an update sends back that of an older record.';
  return [breaking(`${key}/narrowed`, writersOf(before, after), `${what} ${why}`)];
}
