import { valueAt } from '../../runtime/model/validate.ts';
import { type Computed, type Field, itemsKey, type Resource, segmentOf } from '../model/model.ts';
import { resourceKeyOf } from '../read/paths.ts';
import type { Scope } from '../rules/checking.ts';
import { compileValue } from '../rules/compile.ts';
import type { ReadResource } from './resource.ts';
import { reportAt, scopeOf } from './rules.ts';
import type { CheckedFile } from './structure.ts';

/**
 * Checks the computed fields of all resources, whose totals name fields of other files.
 *
 * @param paths of all spec files: totals of one that could not be read are no error
 * @returns those of each resource, by its key
 */
export function readComputed(
  read: readonly ReadResource[],
  paths: readonly string[],
  timeZone?: string,
): ReadonlyMap<string, Computed[]> {
  const keys = new Set(read.flatMap(({ resource }) => resource?.key ?? []));
  const unread = paths.map(resourceKeyOf).filter((key) => !keys.has(key));
  const names = new Set(unread.map((key) => itemsKey(segmentOf({ key }))));
  return new Map(
    read.flatMap(({ file, resource }) => {
      if (!resource) return [];
      const { kind, fields } = resource;
      const items = itemsOf(resource, read);
      const scope = { ...scopeOf(file, kind, fields, timeZone), items, unreadItems: names, isTimeless: true };
      return [[resource.key, computedOf(file, fields, scope)]];
    }),
  );
}

/** The line items of a resource, by the names that it shows them under. */
const itemsOf = ({ key }: Resource, read: readonly ReadResource[]): NonNullable<Scope['items']> =>
  new Map(
    read.flatMap(({ file, resource: items }) => {
      if (items?.parent?.resource !== key) return [];
      const { fields, declared } = scopeOf(file, items.kind, items.fields);
      return [[itemsKey(segmentOf(items)), { table: items.name, fields, declared }]];
    }),
  );

function computedOf(file: CheckedFile, fields: readonly Field[], scope: Scope): Computed[] {
  const computed = fields.flatMap((field): Computed[] => {
    if (field.computed === undefined) return [];
    const path = ['fields', field.name, 'computed'];
    const value = compileValue(String(valueAt(file.spec.data, path)), scope, field, reportAt(file, path));
    return value ? [{ field: field.name, value }] : [];
  });
  return inOrder(file, computed);
}

/** The fields in an order in which each comes behind those that it is computed from. */
function inOrder(file: CheckedFile, computed: readonly Computed[]): Computed[] {
  const ordered = new Set<Computed>();
  const visit = (one: Computed, path: readonly string[]): void => {
    const { field, value } = one;
    if (ordered.has(one)) return;
    const from = path.indexOf(field);
    if (from !== -1) {
      const circle = [...path.slice(from + 1), field].join(', which needs ');
      file.atValue(['fields', field, 'computed'], `${field} cannot be computed: it needs ${circle}`);
      return;
    }
    for (const other of computed) if (value.fields.includes(other.field)) visit(other, [...path, field]);
    ordered.add(one);
  };
  for (const one of computed) visit(one, []);
  return [...ordered];
}
