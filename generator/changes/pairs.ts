import type { Field, Resource, Service } from '../model/model.ts';
import { code } from './markdown.ts';

/** A thing as it is in two specs. */
export interface Pair<T> {
  readonly before: T;
  readonly after: T;
}

/** The pairs of two lists, and the entries that only one of them has. */
interface Pairing<T, P extends Pair<T> = Pair<T>> {
  readonly pairs: readonly P[];
  readonly added: readonly T[];
  readonly removed: readonly T[];
}

interface Named {
  readonly name: string;
  readonly renamedFrom: readonly string[];
}

/**
 * Pairs by name, and by declared former names as the planner of the database does. The check has rejected former names
 * that are still in use or given twice.
 */
function pairByName<T extends Named>(before: readonly T[], after: readonly T[]): Pairing<T> {
  const left = new Map(before.map((item) => [item.name, item]));
  const existed = new Set(left.keys());
  const previousName = ({ name, renamedFrom }: T): string | undefined =>
    existed.has(name) ? name : renamedFrom.find((former) => left.has(former));
  const pairs: Pair<T>[] = [];
  const added: T[] = [];
  for (const item of after) {
    const former = left.get(previousName(item) ?? '');
    if (!former) {
      added.push(item);
      continue;
    }
    left.delete(former.name);
    pairs.push({ before: former, after: item });
  }
  return { pairs, added, removed: [...left.values()] };
}

/** A hint that the only new thing of a kind may be one that is removed, to follow a sentence. */
export function renameHint(added: readonly { readonly name: string }[], former: string): string {
  const [heir, ...otherHeirs] = added;
  if (!heir || otherHeirs.length > 0) return '';
  return ` If it is now called ${code(heir.name)}, add ${code(`renamed_from: ${former}`)} to it.`;
}

/** Pairs the fields of a resource. */
export const pairFields = (before: Resource, after: Resource): Pairing<Field> =>
  pairByName(before.fields, after.fields);

/** A resource in two specs. */
export interface ResourcePair extends Pair<Resource> {
  /** False where only the path is the same: another name without `renamed_from` is a new, empty table. */
  readonly sameTable: boolean;
}

/** Pairs the resources of two specs: those with one table first, then the rest by path. */
export function pairResources(before: Service, after: Service): Pairing<Resource, ResourcePair> {
  const byName = pairByName(before.resources, after.resources);
  const replaced = byName.removed.flatMap((former): ResourcePair[] => {
    const now = byName.added.find(({ key }) => key === former.key);
    return now ? [{ before: former, after: now, sameTable: false }] : [];
  });
  const isReplaced = (resource: Resource): boolean =>
    replaced.some((pair) => pair.before === resource || pair.after === resource);
  return {
    pairs: [...byName.pairs.map((pair) => ({ ...pair, sameTable: true })), ...replaced],
    added: byName.added.filter((resource) => !isReplaced(resource)),
    removed: byName.removed.filter((resource) => !isReplaced(resource)),
  };
}
