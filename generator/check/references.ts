import { referenceKey } from '../../runtime/kernel/model/table.ts';
import { kindFields } from '../model/language.ts';
import { itemsKey, referencesOf, segmentOf, targetsOf } from '../model/model.ts';
import { valueAt } from '../../runtime/kernel/model/validate.ts';
import { resourceKeyOf, specFile } from '../read/paths.ts';
import { nearName } from './hints.ts';
import type { ReadResource } from './resource.ts';
import type { CheckedFile } from './structure.ts';

/**
 * Checks that the resources exist which parents and references name.
 *
 * @param paths of all spec files
 */
export function checkReferences(read: readonly ReadResource[], paths: readonly string[]): void {
  const kinds = new Map(read.map(({ resource }) => [resource?.key, resource?.kind]));
  for (const { file, resource } of read) {
    const parent = resource?.parent?.resource;
    if (
      parent !== undefined &&
      isThere(file, ['parent', 'resource'], parent, paths) &&
      kinds.get(parent) === 'line-item'
    )
      file.atValue(['parent', 'resource'], `${parent} is a line item, and a line item cannot be a parent`);
    for (const reference of resource ? referencesOf(resource) : []) {
      const { name } = reference;
      for (const [index, { resource: key }] of targetsOf(reference).entries()) {
        const at = placeOfTarget(file, name, index);
        const kind = isThere(file, at, key, paths) ? kinds.get(key) : undefined;
        if (kind !== undefined && kind !== 'record')
          file.atValue(at, `${name}: ${key} is a ${kind}, and only records can be referenced`);
      }
    }
  }
}

/** The place of a resource that a reference names: it may be in a list. */
const placeOfTarget = ({ spec }: CheckedFile, field: string, index: number): readonly PropertyKey[] => {
  const at = ['fields', field, 'references'];
  return Array.isArray(valueAt(spec.data, at)) ? [...at, index] : at;
};

/** Whether a resource has a spec file; reported where it is named if not. */
export function isThere(file: CheckedFile, at: readonly PropertyKey[], key: string, paths: readonly string[]): boolean {
  if (paths.includes(specFile(key))) return true;
  const meant = file.names.meant(key);
  const hint = nearName(key, paths.map(resourceKeyOf)) || (meant === undefined ? '' : `; did you mean "${meant}"?`);
  file.atValue(at, `there is no resource ${key}: ${specFile(key)} is missing${hint}`);
  return false;
}

/** Checks that the keys under which `expand` shows line items, records that reference one, and referenced records are free. */
export function checkExpanded(read: readonly ReadResource[]): void {
  const owners = new Map<string, string>();
  for (const { resource } of read) {
    for (const name of resource ? [...kindFields[resource.kind], ...resource.fields.map((field) => field.name)] : [])
      owners.set(`${resource?.key} ${name}`, `a field of ${resource?.key}`);
  }
  const take = (file: CheckedFile, at: readonly string[], key: string, name: string, owner: string): void => {
    const taken = owners.get(`${key} ${name}`);
    owners.set(`${key} ${name}`, owner);
    if (taken === undefined) return;
    const shown = { parent: 'these line items', inverse: 'these records' }[String(at.at(at[0] === 'parent' ? 0 : -1))];
    const what = shown ?? 'the record that it names';
    file.atValue(at, `the key ${name}, under which \`expand\` shows ${what}, is taken by ${taken}; rename one of them`);
  };
  for (const { file, resource } of read) {
    for (const { name } of resource ? referencesOf(resource) : [])
      take(file, ['fields', name, 'references'], resource?.key ?? '', referenceKey(name), `the reference ${name}`);
  }
  for (const { file, resource } of read) {
    const parent = resource?.parent?.resource;
    const isRead = read.some((other) => other.resource?.key === parent);
    if (resource && parent !== undefined && isRead)
      take(file, ['parent', 'resource'], parent, itemsKey(segmentOf(resource)), resource.key);
  }
  for (const { file, resource } of read) {
    for (const reference of resource ? referencesOf(resource) : []) {
      const { name, inverse } = reference;
      const owner = `the inverse of ${name} of ${resource?.key}`;
      for (const { resource: target } of inverse === undefined ? [] : targetsOf(reference)) {
        const isRead = read.some((other) => other.resource?.key === target);
        if (inverse !== undefined && isRead) take(file, ['fields', name, 'inverse'], target, inverse, owner);
      }
    }
  }
}
