import { type Pattern, patternOf } from '../../../kernel/values/pattern.ts';
import { size } from '../../../kernel/values/text.ts';

const patterns = new Map<string, Pattern>();

/** Whether a part of the text matches a regular expression: on a server, found in linear time. */
export function matches(text: string, pattern: string): boolean {
  const compiled = patterns.get(pattern) ?? patternOf(pattern);
  patterns.set(pattern, compiled);
  return compiled.test(text);
}

/** A text that a field of so many characters holds. @throws RangeError if it is longer */
export function fitText(value: string, maxLength: number): string {
  if (size(value) > maxLength) throw new RangeError(`The text is longer than ${maxLength} characters.`);
  return value;
}
