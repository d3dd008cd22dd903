import { type CountKey, countKeys } from '../model/language.ts';
import type { Resource } from '../model/model.ts';
import { breaking, type Difference, safe } from './change.ts';
import { secondsPerMillionRows } from './lists.ts';
import { code } from './markdown.ts';
import { pairFields } from './pairs.ts';

/** The sentence about a name that is lost or gained. */
const words: Readonly<Record<CountKey, Readonly<Record<'removed' | 'added', (name: string) => string>>>> = {
  count: {
    removed: (name) => `The list can no longer be counted by ${name}: a request for that is refused with 400.`,
    added: (name) => `The list can be counted by ${name}.`,
  },
  sum: {
    removed: (name) => `The list no longer has sums of ${name}: a request for them is refused with 400.`,
    added: (name) => `The list has sums of ${name}.`,
  },
};

/** The end of a message about new indexes: each field that a list of records is counted by has one, with all sums in it. */
const building =
  ` The index of each count is built from all rows, which takes about ${secondsPerMillionRows.index} seconds for each million of ` +
  'them, and each create writes to it.';

/** Compares the fields that a list is counted by, and those that are summed. */
export function compareCounts(before: Resource, after: Resource): Difference[] {
  const { pairs } = pairFields(before, after);
  const nameNow = (name: string): string => pairs.find((pair) => pair.before.name === name)?.after.name ?? name;
  const isIndexed = after.kind === 'record' && after.list.count.length > 0;
  return countKeys.flatMap((key) => {
    const [was, is] = [before.list[key], after.list[key]];
    const compareName = (name: string): Difference[] => {
      const [at, now] = [`list/${key}/${name}`, nameNow(name)];
      if (!is.includes(now)) return [breaking(`${at}/removed`, ['callers'], words[key].removed(code(name)))];
      if (now === name) return [];
      const message = `The list is ${key === 'count' ? 'counted by' : 'summed over'} ${code(now)} instead of ${code(name)}, which is refused with 400.`;
      return [breaking(`${at}/renamed`, ['callers'], message)];
    };
    const formerly = new Set(was.map(nameNow));
    const added = is
      .filter((name) => !formerly.has(name))
      .map((name) => safe(`list/${key}/${name}/added`, words[key].added(code(name)) + (isIndexed ? building : '')));
    return [...was.flatMap(compareName), ...added];
  });
}
