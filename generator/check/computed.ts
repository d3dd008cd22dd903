import { valueAt } from '../../runtime/model/validate.ts';
import { type Computed, itemsKey, type Resource, segmentOf } from '../model/model.ts';
import { compileValue, type Scope, variablesOf } from '../rules/compile.ts';
import type { ReadResource } from './resource.ts';
import { reportAt, scopeOf } from './rules.ts';
import type { CheckedFile } from './structure.ts';

/**
 * Checks the computed fields of all resources, whose totals name fields of other files.
 *
 * @returns those of each resource, by its key; none if a file has errors, which would make others
 */
export function readComputed(read: readonly ReadResource[], timeZone?: string): ReadonlyMap<string, Computed[]> {
  const resources = read.flatMap(({ resource }) => resource ?? []);
  if (resources.length < read.length) return new Map();
  return new Map(
    read.flatMap(({ file, resource }) =>
      resource ? [[resource.key, computedOf(file, resource, itemsOf(resource, resources), timeZone)]] : [],
    ),
  );
}

/** The line items of a resource, by the names that it shows them under. */
const itemsOf = ({ key }: Resource, resources: readonly Resource[]): NonNullable<Scope['items']> =>
  new Map(
    resources
      .filter(({ parent }) => parent?.resource === key)
      .map((items) => [itemsKey(segmentOf(items)), { table: items.name, fields: variablesOf(items.fields, items) }]),
  );

function computedOf(
  file: CheckedFile,
  { kind, fields }: Resource,
  items: NonNullable<Scope['items']>,
  timeZone: string | undefined,
): Computed[] {
  const scope = { ...scopeOf(file, kind, fields, timeZone), items, isTimeless: true };
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
