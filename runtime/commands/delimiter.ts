import { CliError } from '../errors.ts';

/** The delimiter that an option names. @throws CliError if it cannot be one */
export function delimiterOf(option: string): string {
  const delimiter = option === 'tab' || option === String.raw`\t` ? '\t' : option;
  if (delimiter.length === 1 && !/["\r\n]/.test(delimiter)) return delimiter;
  throw new CliError(`--delimiter is ${JSON.stringify(option)}; it must be one character and no quote, or tab.`);
}
