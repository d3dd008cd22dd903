import { posix } from 'node:path';
import { parseArgs } from 'node:util';
import type { CommandDescription } from '../../runtime/cli/description.ts';
import { folders } from '../read/paths.ts';

/** The options that every command has. */
export const folderOptionDescriptions: CommandDescription['options'] = {
  spec: { type: 'string', value: 'FOLDER', does: 'for each command: where the spec is (default: spec)' },
  out: { type: 'string', value: 'FOLDER', does: 'for each command: where the generated code is (default: generated)' },
};

const names = { spec: 'spec', out: 'generated' } as const;

/**
 * Takes `--spec` and `--out` from the arguments of a command, for which they are then set.
 *
 * @returns the other arguments, and what is wrong; undefined where nothing is
 */
export function takeFolders(args: readonly string[]): { rest: string[]; error: string | undefined } {
  const option = { type: 'string' } as const;
  const { tokens } = parseArgs({
    args: [...args],
    options: { spec: option, out: option },
    strict: false,
    tokens: true,
  });
  const taken = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== 'option' || !isName(token.name)) continue;
    const { name, value, index, inlineValue } = token;
    const folder = posix.normalize(`${value ?? ''}/`).slice(0, -1);
    if (!/^(?!\.\.?(?:\/|$))[^/\\\s][^\\\s]*$/.test(folder)) {
      const error = `--${name} must be a folder in this one, like api or src/${names[name]}, without spaces.`;
      return { rest: [], error };
    }
    folders[names[name]] = folder;
    taken.add(index);
    if (!inlineValue) taken.add(index + 1);
  }
  const [one, other] = [`${folders.spec}/`, `${folders.generated}/`];
  const error =
    one.startsWith(other) || other.startsWith(one)
      ? `--spec ${folders.spec} and --out ${folders.generated} must be different folders, none of them in the other.`
      : undefined;
  return { rest: args.filter((_, index) => !taken.has(index)), error };
}

const isName = (name: string): name is keyof typeof names => Object.hasOwn(names, name);

/** The options that give a command the folders that are set now. */
export const folderOptions = (): string =>
  Object.entries(names)
    .map(([name, key]) => (folders[key] === key ? '' : ` --${name} ${folders[key]}`))
    .join('');
