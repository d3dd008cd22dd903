import { camelCase } from '../model/names.ts';
import { areaOf } from '../model/model.ts';
import type { ReadResource } from './resource.ts';

/** The members of a client that are not areas. */
const ownNames: ReadonlyMap<string, string> = new Map([['batch', 'the method for several writes at once']]);

/** Checks that the names of areas in typed clients are unique: there `a-1` and `a1` are the same. */
export function checkAreas(read: readonly ReadResource[]): void {
  const owners = new Map(ownNames);
  for (const { file, resource } of read) {
    if (!resource) continue;
    const area = areaOf(resource);
    const name = camelCase(area);
    const owner = owners.get(name) ?? `the area ${area}`;
    owners.set(name, owner);
    const message = `the area ${area} is called ${name} in typed clients, which is taken by ${owner}; choose another folder`;
    if (owner !== `the area ${area}`) file.atValue([], message);
  }
}
