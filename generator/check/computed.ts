import { totalName } from '../../runtime/features/rules/expressions/logic.ts';
import { valueAt } from '../../runtime/kernel/model/validate.ts';
import { isMapping } from '../emit/json.ts';
import {
  type Computed,
  type Field,
  itemsKey,
  referencesOf,
  type Resource,
  segmentOf,
  targetsOf,
} from '../model/model.ts';
import { resourceKeyOf } from '../read/paths.ts';
import type { RowFields, Scope } from '../rules/checking.ts';
import { compileValue, writtenType } from '../rules/compile.ts';
import { int, typeOf } from '../rules/types.ts';
import type { ReadResource } from './resource.ts';
import { referencedBy, reportAt, scopeOf } from './rules.ts';
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
  const names = new Set([...unread.map((key) => itemsKey(segmentOf({ key }))), ...read.flatMap(inversesWithErrors)]);
  const computed = new Map(
    read.flatMap(({ file, resource }) => {
      if (!resource) return [];
      const { kind, fields } = resource;
      const items = rowsOf(resource, read);
      const references = referencedBy(resource, read);
      const own = scopeOf(file, kind, fields, timeZone);
      const scope = { ...own, references, items, unreadItems: names, isTimeless: true };
      return [[resource.key, computedOf(file, fields, scope)] as const];
    }),
  );
  checkTotalCircles(read, computed);
  return computed;
}

/** The inverses in a file with errors, as far as they can be read. */
function inversesWithErrors({ file }: ReadResource): string[] {
  const fields = file.hasErrors ? valueAt(file.spec.data, ['fields']) : undefined;
  return Object.values(isMapping(fields) ? fields : {}).map((field) => String(valueAt(field, ['inverse'])));
}

/** Refuses totals that need themselves by those of other records. */
function checkTotalCircles(read: readonly ReadResource[], computed: ReadonlyMap<string, readonly Computed[]>): void {
  const all = read.flatMap(({ file, resource }) => (resource ? [{ file, resource }] : []));
  const keys = new Map(all.map(({ resource }) => [resource.name, resource.key]));
  const isDone = new Set<string>();
  const visit = (key: string, field: string, way: readonly string[]): readonly string[] | undefined => {
    const name = `${field} of ${key}`;
    if (way.includes(name)) return [...way.slice(way.indexOf(name) + 1), name];
    const value = computed.get(key)?.find((entry) => entry.field === field)?.value;
    if (!value || isDone.has(name)) return undefined;
    const needs = [
      ...value.fields.map((other) => [key, other] as const),
      ...Object.values(value.totals).flatMap(({ items, field: added = '', when = [] }) =>
        [added, ...when.flat().map((test) => test.field)].map((other) => [keys.get(items) ?? '', other] as const),
      ),
    ];
    for (const [other, one] of needs) {
      const circle = visit(other, one, [...way, name]);
      if (circle) return circle;
    }
    isDone.add(name);
    return undefined;
  };
  for (const { file, resource } of all) {
    for (const { field, value } of computed.get(resource.key) ?? []) {
      const circle = Object.keys(value.totals).length > 0 && visit(resource.key, field, []);
      // It is reported at a field of the circle.
      if (!circle || circle.at(-1) !== `${field} of ${resource.key}`) continue;
      const words = circle.join(', which needs ');
      file.atValue(['fields', field, 'computed'], `${field} cannot be computed: it needs ${words}`);
      return;
    }
  }
}

/** The line items of a resource, and the records that reference it, by the names that it shows them under. */
const rowsOf = ({ key }: Resource, read: readonly ReadResource[]): NonNullable<Scope['items']> =>
  new Map(
    read.flatMap(({ file, resource }): [string, RowFields][] => {
      if (!resource) return [];
      const { fields, declared } = scopeOf(file, resource.kind, resource.fields);
      const rows = { key: resource.key, table: resource.name, fields, declared };
      const isItem = resource.parent?.resource === key;
      return [
        ...(isItem ? [[itemsKey(segmentOf(resource)), rows] as [string, RowFields]] : []),
        ...referencesOf(resource).flatMap((reference): [string, RowFields][] => {
          const { name: by, inverse, others } = reference;
          const isNamed = targetsOf(reference).some(({ resource: target }) => target === key);
          return isNamed && inverse !== undefined ? [[inverse, { ...rows, by, isOfSeveral: others.length > 0 }]] : [];
        }),
      ];
    }),
  );

function computedOf(file: CheckedFile, fields: readonly Field[], scope: Scope): Computed[] {
  const computed = fields.flatMap((field): Computed[] => {
    if (field.computed === undefined) return [];
    const path = ['fields', field.name, 'computed'];
    const value = compileValue(String(valueAt(file.spec.data, path)), scope, field, reportAt(file, path));
    const entry = value && { field: field.name, value };
    if (entry) checkHeld(file, fields, entry, scope);
    return entry ? [entry] : [];
  });
  return inOrder(file, computed);
}

/** Checks that fields hold the totals over other records: these change by the difference, as there may be very many. */
function checkHeld(file: CheckedFile, fields: readonly Field[], { field, value }: Computed, { items }: Scope): void {
  for (const [name, { items: table, by, of, field: added }] of Object.entries(value.totals)) {
    if (by === undefined) continue;
    const [rows, { fields: ofRows } = { fields: undefined }] =
      [...(items ?? [])].find(([, one]) => one.table === table && one.by === by) ?? [];
    const type = of === 'count' ? int : (ofRows?.get(added ?? '')?.type ?? int);
    const isHeld = fields.some(
      ({ computed, ...other }) =>
        computed !== undefined && totalName(computed) === name && typeOf(other as Field).is === type.is,
    );
    if (isHeld) continue;
    const written = writtenType(type);
    const example = `{ ${written === undefined ? '' : `${written}, `}computed: '${name.replaceAll(',', ', ')}' }`;
    file.atValue(
      ['fields', field, 'computed'],
      `no field holds ${name} as it is, and each write would read all of the ${rows}; add a field ${example}, and name it here`,
    );
  }
}

/** The fields in an order in which each comes behind those that it is computed from. */
function inOrder(file: CheckedFile, computed: readonly Computed[]): Computed[] {
  const ordered = new Set<Computed>();
  const visit = (entry: Computed, path: readonly string[]): void => {
    const { field, value } = entry;
    if (ordered.has(entry)) return;
    const from = path.indexOf(field);
    if (from !== -1) {
      const circle = [...path.slice(from + 1), field].join(', which needs ');
      file.atValue(['fields', field, 'computed'], `${field} cannot be computed: it needs ${circle}`);
      return;
    }
    for (const other of computed) if (value.fields.includes(other.field)) visit(other, [...path, field]);
    ordered.add(entry);
  };
  for (const entry of computed) visit(entry, []);
  return [...ordered];
}
