import { readFileSync } from 'node:fs';
import { settings } from '../server/settings.ts';
import { didYouMean } from '../model/suggest.ts';

/** A line that sets a variable, as Node reads it, up to its value. */
const assignment = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*/;

/**
 * Adds the variables of a file to the environment; those that are set already stay as they are. A name that is nearly that
 * of a setting is warned of: others may read the file too, so that no name is wrong by itself.
 *
 * @returns what is wrong with the file, without its values, which may be secret; undefined where nothing is
 */
export function loadEnvFile(file: string): string | undefined {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch (error) {
    return `${file} cannot be read as text in UTF-8: ${(error as Error).message}`;
  }
  const { names, fault } = namesIn(text);
  if (fault !== undefined) return `${file}:${fault}`;
  for (const name of names) {
    const hint = Object.hasOwn(settings, name) ? '' : didYouMean(name, Object.keys(settings));
    if (hint !== '') console.error(`${file}: ${name} is no setting${hint}`);
  }
  process.loadEnvFile(file);
  return undefined;
}

/** The names that a text sets. Node skips a line that it does not understand: here it is a fault, with its number. */
function namesIn(text: string): { names: readonly string[]; fault?: string } {
  const names: string[] = [];
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [start, name] = assignment.exec(line) ?? [];
    if (start === undefined || name === undefined) {
      return { names, fault: `${at + 1}: a line must be NAME=value, or begin with #.` };
    }
    names.push(name);
    const value = line.slice(start.length);
    const quote = /^['"`]/.exec(value)?.[0];
    if (quote === undefined) continue;
    // A quoted value may have several lines.
    const first = at;
    for (let rest = value.slice(1); !rest.includes(quote); rest = lines[at] as string) {
      if (++at === lines.length) return { names, fault: `${first + 1}: the quote ${quote} is not closed.` };
    }
  }
  return { names };
}
