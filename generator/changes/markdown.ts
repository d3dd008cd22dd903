/** A name, a value or a sentence of a spec, with the characters escaped that Markdown gives a meaning. */
export const escaped = (text: string): string =>
  text
    .replaceAll(/[\\`*[\]<>|~&$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The longest run of backticks in a text, and one more: a fence that the text cannot end. */
const fence = (text: string, least: number): string => {
  const runs = text.match(/`+/g) ?? [];
  return '`'.repeat(Math.max(least, ...runs.map((run) => run.length + 1)));
};

/** Text as code inside of a line. */
export function code(text: string): string {
  const line = text.replaceAll(/[\r\n]+/g, ' ');
  const marks = fence(line, 1);
  // Without the spaces a backtick at an end would belong to the fence; spaces alone would be the text.
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${marks}${space}${line}${space}${marks}`;
}

/** Lines of code, as a block. */
export function codeBlock(language: string, text: string): string {
  const marks = fence(text, 3);
  return `${marks}${language}\n${text}\n${marks}`;
}

/** A value of a spec, as JSON shows it. */
export const valueCode = (value: unknown): string => code(JSON.stringify(value));

/** `1 file`, `2 files`, `no file`. */
export const counted = (count: number, noun: string): string =>
  `${count === 0 ? 'no' : count} ${noun}${count > 1 ? 's' : ''}`;
