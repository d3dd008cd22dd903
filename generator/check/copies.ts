import { referenceKey } from '../../runtime/kernel/model/table.ts';
import { valueAt } from '../../runtime/kernel/model/validate.ts';
import type { Source } from '../../runtime/kernel/model/fields.ts';
import { misfit } from '../model/fit.ts';
import { type Field, referencesOf, type Resource } from '../model/model.ts';
import { quoted } from '../read/words.ts';
import { writtenType } from '../rules/compile.ts';
import { typeOf } from '../rules/types.ts';
import { nearName } from './hints.ts';
import { isThere } from './references.ts';
import type { CheckedFile } from './structure.ts';
import type { ReadResource } from './resource.ts';

/** The two parts of a `default_from`: a reference by the name that `expand` uses, or the key of settings, and a field there. */
function partsOf(defaultFrom: string): readonly [owner: string, field: string] {
  const point = defaultFrom.lastIndexOf('.');
  return [defaultFrom.slice(0, point), defaultFrom.slice(point + 1)];
}

const referenceNamed = (resource: Pick<Resource, 'fields'>, owner: string) =>
  referencesOf(resource).find(({ name }) => referenceKey(name) === owner);

/** The source of a field with `default_from`. @param byKey all resources */
export function sourceOf(
  resource: Resource,
  defaultFrom: string,
  byKey: ReadonlyMap<string, Resource>,
): Source | undefined {
  const [owner, field] = partsOf(defaultFrom);
  const reference = referenceNamed(resource, owner);
  const table = byKey.get(reference?.resource ?? owner)?.name;
  return table === undefined ? undefined : { table, field, ...(reference && { reference: reference.name }) };
}

/**
 * Checks that fields with `default_from` take every value that they copy.
 *
 * @param paths of all spec files
 */
export function checkCopies(read: readonly ReadResource[], paths: readonly string[]): void {
  for (const { file, resource } of read) {
    for (const field of resource?.fields ?? []) {
      if (!resource || resource.kind === 'singleton') continue;
      if (field.defaultFrom === undefined) {
        warnOfText(file, resource, field);
        continue;
      }
      const at = ['fields', field.name, 'default_from'];
      const report = (message: string): undefined => file.atValue(at, `${field.name}: ${message}`);
      const [owner, name] = partsOf(field.defaultFrom);
      const { parent } = resource;
      if (parent?.field === field.name || parent?.typeField === field.name)
        report('every create names the parent; remove default_from');
      const key = owner.includes('/') ? owner : keyOfReference(resource, owner, report, read);
      if (key === undefined || (owner.includes('/') && !isThere(file, at, owner, paths))) continue;
      const source = read.find((other) => other.resource?.key === key);
      if (!source?.resource) continue;
      const { kind, fields } = source.resource;
      if (owner.includes('/') && kind !== 'singleton') {
        const reference = referencesOf(resource).find(
          (candidate) => candidate.resource === owner && candidate.others.length === 0,
        );
        const remedy = reference
          ? `; write ${referenceKey(reference.name)}.${name}`
          : ': a reference says which record it is, as in customer.currency';
        report(`${owner} is a ${kind}, not settings${remedy}`);
        continue;
      }
      const copy = fields.find((candidate) => candidate.name === name);
      if (copy) {
        const why = misfit(copy, field);
        if (why !== undefined)
          report(`the ${name} of ${key} does not fit ${field.name}, which ${why}${typeHint(copy, field)}`);
      } else if (valueAt(source.file.spec.data, ['fields', name]) === undefined) {
        const names = fields.map((candidate) => candidate.name);
        report(`${key} declares no field ${quoted(name)}${nearName(name, names)}`);
      }
    }
  }
}

/** The key of the resource that a reference names; reported if there is no such reference. */
function keyOfReference(
  resource: Resource,
  owner: string,
  report: (message: string) => undefined,
  read: readonly ReadResource[],
): string | undefined {
  const ofSeveral = referencesOf(resource).find(
    ({ name, others }) => others.length > 0 && (name === owner || referenceKey(name) === owner),
  );
  if (ofSeveral)
    return report(
      `${ofSeveral.name} names records of several resources, and a value is copied from those of one; a beforeCreate hook can read the record, and set the field`,
    );
  const reference = referenceNamed(resource, owner);
  if (reference) return reference.resource;
  const single = referencesOf(resource).filter(({ others }) => others.length === 0);
  const keys = single.map((field) => referenceKey(field.name));
  const isField = referencesOf(resource).some((field) => field.name === owner);
  const settings = read.find((other) => other.resource?.kind === 'singleton' && other.resource.name === owner);
  const { field: parent = '' } = resource.parent ?? {};
  const isParent = parent !== '' && [parent, referenceKey(parent), 'parent'].includes(owner);
  const hint =
    (isField && `; write ${referenceKey(owner)}`) ||
    (settings?.resource && `; write ${settings.resource.key}.<field>`) ||
    (isParent && `; ${parent} names the parent, which a hook can read`) ||
    nearName(owner, keys) ||
    (keys.length > 0 && `; there ${keys.length === 1 ? 'is' : 'are'} ${keys.join(', ')}`) ||
    '';
  return report(`no reference is called ${quoted(owner)} by \`expand\`${hint}`);
}

/** The type to write for a field that has none, and so is a string. */
function typeHint(copy: Field, { type }: Field): string {
  const ofDecimal = copy.type === 'decimal' ? `type: decimal, digits: ${copy.digits}, scale: ${copy.scale}` : undefined;
  const written = type === 'text' ? (ofDecimal ?? writtenType(typeOf(copy))) : undefined;
  return written === undefined ? '' : `; write ${written}`;
}

/** Warns of a default that is a text, and reads as the field of a record that a reference names. */
function warnOfText(file: CheckedFile, resource: Resource, { name, type, default: text }: Field): void {
  if (type !== 'text' || !/^\w+\.\w+$/.test(String(text)) || !referenceNamed(resource, partsOf(String(text))[0]))
    return;
  const words = `this default is the text ${quoted(text)}; a value of another record is written default_from: ${text}`;
  file.atValue(['fields', name, 'default'], `${name}: ${words}`, 'warning');
}
