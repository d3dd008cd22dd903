import { posix } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../../runtime/kernel/model/errors.ts';
import { folders } from '../read/paths.ts';

/** The options that every command has, and the folders that they name. */
const names = { spec: 'spec', out: 'generated' } as const;

/**
 * Takes `--spec` and `--out` from the arguments of a command, for which they are then set.
 *
 * @returns the other arguments
 * @throws UsageError if one is no folder
 */
export function takeFolders(args: readonly string[]): string[] {
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
      throw new UsageError(`--${name} must be a folder in this one, like api or src/${names[name]}, without spaces.`);
    }
    folders[names[name]] = folder;
    taken.add(index);
    if (!inlineValue) taken.add(index + 1);
  }
  const { spec, generated } = folders;
  if (`${spec}/`.startsWith(`${generated}/`) || `${generated}/`.startsWith(`${spec}/`)) {
    throw new UsageError(`--spec ${spec} and --out ${generated} must be different folders, none of them in the other.`);
  }
  return args.filter((_, index) => !taken.has(index));
}

const isName = (name: string): name is keyof typeof names => Object.hasOwn(names, name);

/** The options that give a command the folders that are set now. */
export const folderOptions = (): string =>
  Object.entries(names)
    .map(([name, key]) => (folders[key] === key ? '' : ` --${name} ${folders[key]}`))
    .join('');
