import { valueAt } from '../../runtime/kernel/model/validate.ts';
import { isMapping } from '../emit/json.ts';
import { itemsKey, segmentOf } from '../model/model.ts';
import { pluralOf } from '../model/names.ts';
import type { SpecFile } from '../read/parse.ts';
import { resourceKeyOf } from '../read/paths.ts';
import { plain } from './foreign-words.ts';

/** The names of all resources of a run, as far as their files can be read. Hints use them. */
export class ResourceNames {
  readonly #keys = new Map<string, string>();
  readonly #items = new Map<string, Map<string, string>>();

  constructor(files: readonly SpecFile[]) {
    const all = files.map(({ path, data }) => ({ key: resourceKeyOf(path), data }));
    const textsAt = (data: unknown, key: string): string[] =>
      [valueAt(data, [key]) ?? []].flat().filter((text) => typeof text === 'string');
    const ways: readonly ((file: (typeof all)[number]) => readonly string[])[] = [
      ({ key }) => [segmentOf({ key })],
      ({ data }) => textsAt(data, 'name'),
      ({ data }) => textsAt(data, 'renamed_from'),
    ];
    for (const namesOf of ways) {
      for (const file of all) {
        for (const name of namesOf(file)) {
          for (const form of [name, pluralOf(name)]) this.#keys.getOrInsert(plain(form), file.key);
        }
      }
    }
    for (const { key, data } of all) {
      const parent = valueAt(data, ['parent', 'resource']);
      if (typeof parent === 'string')
        this.#items.getOrInsertComputed(parent, () => new Map()).set(itemsKey(segmentOf({ key })), key);
      const fields = valueAt(data, ['fields']);
      for (const field of isMapping(fields) ? Object.values(fields) : []) {
        const [target, inverse] = ['references', 'inverse'].map((name) => valueAt(field, [name]));
        for (const one of [target].flat()) {
          if (typeof one === 'string' && typeof inverse === 'string')
            this.#items.getOrInsertComputed(one, () => new Map()).set(inverse, key);
        }
      }
    }
  }

  /** The key of the resource that has the last part of a text as its name, its plural or its former name. */
  meant(text: string): string | undefined {
    return this.#keys.get(plain(text.slice(text.lastIndexOf('/') + 1)));
  }

  /** The keys of the line items of a resource, and of records that reference it, by the names under which it shows them. */
  itemsOf(key: string): ReadonlyMap<string, string> {
    return this.#items.get(key) ?? new Map();
  }
}
