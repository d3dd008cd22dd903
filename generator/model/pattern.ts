import { LinearPattern } from '../../runtime/kernel/model/linear-pattern.ts';

/** Instructions of a pattern, in which repetitions are written out: a check of a long text takes time in proportion to them. */
const maxInstructions = 2_500;

const slow = 'there are no look-arounds and back-references, as a text could keep the server busy with them';
const rare = 'there are no word boundaries and no flags of groups';
const tooLarge = 'the pattern is too large with its repetitions written out; limit long texts by max_length';

/** Parts of patterns that the server does not know or reads differently, and why. */
const refusals: readonly (readonly [token: RegExp, name: string, why: string])[] = [
  [/^\(\?<?[=!]/, 'a look-around', slow],
  [/^\\(?:[1-9]|k<)/, 'a back-reference', slow],
  [/^\\[bB]/, 'a word boundary', rare],
  [/^\(\?[ims-]+:/, 'flags of a group', rare],
  [/\\u[Dd][89A-Fa-f]/, 'half of a character', 'write the whole one, like \\u{1F642}'],
];

const hex = '[0-9A-Fa-f]';
const escape = `\\\\(?:[1-9]\\d*|k<[^>]*>|[pP]\\{[^}]*\\}|u\\{${hex}+\\}|u${hex}{4}|x${hex}{2}|c[A-Za-z]|[^])`;

/** The source of a character that is not written as itself, or of a class of characters. */
export const character = `${escape}|\\[(?:\\\\[^]|[^\\]\\\\])*\\]`;

const special = new RegExp(`${character}|\\(\\?(?:<?[=!]|[ims-]+:)`, 'gu');

/** Why a text is not a pattern, to follow the name of its field; undefined if it is one. */
export function faultOfPattern(source: string): string | undefined {
  // The slashes around a pattern are escaped.
  const [, inner] = /^\/(.*[^\\])\/[dgimsuvy]*$/s.exec(source) ?? [];
  if (inner !== undefined) {
    return `a pattern is written without slashes around it: ${inner} (to search for slashes, write \\/)`;
  }
  try {
    RegExp(source, 'u');
  } catch (error) {
    // The end of "Invalid regular expression: /(/u: Unterminated group".
    return `the pattern is not a valid regular expression: ${(error as Error).message.split(': ').at(-1)}`;
  }
  for (const [token] of source.matchAll(special)) {
    const [, name, why] = refusals.find(([refused]) => refused.test(token)) ?? [];
    if (name !== undefined) return `the pattern has ${name}, ${token}${token.startsWith('(') ? '…)' : ''}; ${why}`;
  }
  try {
    return new LinearPattern(source).instructions > maxInstructions ? tooLarge : undefined;
  } catch (error) {
    const { message } = error as Error;
    if (/repeat count|too large/.test(message)) return tooLarge;
    // The end of "error parsing regexp: invalid character class range: `\p{Letter}`".
    const [, why = message] = /^error parsing regexp: (.*)$/s.exec(message) ?? [];
    return `the pattern is not known to RE2, which checks it on the server: ${why}`;
  }
}
