import { usageError } from '../commands/arguments.ts';

/** The delimiter that an option of a command names. @throws UsageError if it cannot be one */
export function delimiterOf(help: string, option: string): string {
  const delimiter = option === 'tab' || option === String.raw`\t` ? '\t' : option;
  if (delimiter.length === 1 && !/["\r\n]/.test(delimiter)) return delimiter;
  throw usageError(help, `--delimiter is ${JSON.stringify(option)}; it must be one character and no quote, or tab.`);
}
