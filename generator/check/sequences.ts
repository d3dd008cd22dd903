import { maxPattern } from '../../runtime/features/sequences/limits.ts';
import { partsOf, timeParts } from '../../runtime/features/sequences/pattern.ts';
import { didYouMean } from '../../runtime/kernel/model/suggest.ts';

const example = '"INV-{yyyy}-{0000}"';

const known = Object.keys(timeParts);

/** The most digits that a pattern states. */
const maxZeros = 12;

/** Why a text is no pattern of a sequence, to follow it; undefined if it is one. */
export function faultOfSequence(pattern: string): string | undefined {
  if (pattern.length > maxPattern) return `has more than ${maxPattern} characters`;
  const parts = partsOf(pattern);
  const texts = parts.filter((_, at) => at % 2 === 0);
  const inBraces = parts.filter((_, at) => at % 2 === 1);
  if (texts.some((text) => /[{}]/.test(text))) return `has a brace without its other one; write it like ${example}`;
  if (/[\p{Cc}\p{Cs}]/u.test(pattern)) return 'has a control character or a lone surrogate';
  const digits = inBraces.filter((part) => /^0+$/.test(part));
  const odd = inBraces.find((part) => !digits.includes(part) && !known.includes(part));
  if (odd !== undefined) return `has {${odd}}, which means nothing${meant(odd)}`;
  if (digits.length === 0) return `has no place for the digits; write it like ${example}`;
  if (digits.length > 1)
    return `has ${digits.length} places for the digits, {${digits.join('} and {')}}; one is enough`;
  if ((digits[0] ?? '').length > maxZeros)
    return `has more than ${maxZeros} digits; it takes more if they do not suffice`;
  const repeated = inBraces.find((part, at) => inBraces.indexOf(part) < at);
  if (repeated !== undefined) return `has {${repeated}} twice`;
  const has = (part: string): boolean => inBraces.includes(part);
  if (has('mm') && !has('yyyy') && !has('yy'))
    return 'has {mm} without the year: numbers would repeat in the next one; write {yyyy}, too';
  if (/^\s|\s$/.test(pattern)) return 'begins or ends with a space';
  return undefined;
}

/** How to write what stands between braces, to follow it. */
function meant(part: string): string {
  const like = didYouMean(part.toLowerCase(), known).replace(/"(.*)"/, '{$1}');
  if (like !== '') return like;
  if (/^(?:[#9n]+|d{3,})$/i.test(part)) return `; digits are zeros, like {${'0'.repeat(Math.min(part.length, 9))}}`;
  const words = /^(?:seq|sequence|number|num|no|id|counter|i)$/i.test(part)
    ? '; digits are zeros, like {0000}'
    : undefined;
  return words ?? '; write {yyyy}, {yy} or {mm}, and the digits as zeros, like {0000}';
}
