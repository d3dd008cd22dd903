/** The resources of the tests' own service, from its spec. */
import { readService } from '../../generator/check/service.ts';
import { schemaOf } from '../../generator/model/field-types.ts';
import type * as model from '../../generator/model/model.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import {
  type Field,
  type FieldOptions,
  type LineItem,
  named,
  type Operation,
  type RecordType,
  type Resource,
  type Singleton,
} from '../support/resources.ts';
import { testProject } from '../support/server.ts';

const { service } = readService(readSpecs(testProject));
if (!service) throw new Error('The spec in test/service has errors.');

/** Decimals as responses have them, which are not negative. */
function patternOf({ digits, scale }: model.FieldType & { type: 'decimal' }): string {
  const whole = digits === scale ? '0' : String.raw`[1-9]\d{0,${digits - scale - 1}}`;
  return scale === 0 ? `^${whole}$` : String.raw`^${whole}\.\d{${scale}}$`;
}

function fieldOf(field: model.Field): Field {
  const { name, required, nullable, readOnly, immutable, moment, sequence, computed, default: value } = field;
  const { type, description: _, ...limits } = schemaOf(field);
  const options = {
    ...(required && { required }),
    ...(nullable === required && { nullable }),
    ...(readOnly && { readOnly }),
    ...(immutable && { immutable: true as const }),
    ...(value !== null && { default: value }),
    ...((moment ?? sequence ?? computed) !== undefined && { isMade: true as const }),
    ...(limits as FieldOptions),
    ...(field.type === 'decimal' && { pattern: patternOf(field), format: undefined }),
  };
  return [name, type, options];
}

function resourceOf({ kind, name, path, operations, transitions, fields, parent }: model.Resource): Resource {
  const common = {
    name,
    path,
    operations: [...operations, ...transitions.map((transition) => transition.name)] as Operation[],
    fields: fields.map(fieldOf),
  };
  if (!parent || kind !== 'line-item') return { ...common, kind: kind as Exclude<typeof kind, 'line-item'> };
  return {
    ...common,
    kind,
    fields: [['idx', 'integer'], ...common.fields],
    parentField: parent.field,
    ...(parent.typeField !== undefined && { parentTypeField: parent.typeField }),
    ...(parent.table !== undefined && { parentResource: parent.table }),
  };
}

/** All of them, as the generator has them. */
export const modelled: readonly model.Resource[] = service.resources;

/** Whether a record can be stored without others beside a parent of this kind: test/references is about the other ones. */
function isIndependent({ fields, referrers, parent }: model.Resource): boolean {
  const owner = modelled.find(({ name }) => name === parent?.table);
  const isAlone = referrers.length === 0 && fields.every(({ type }) => type !== 'reference');
  return isAlone && (owner === undefined || isIndependent(owner));
}

export const resources: readonly Resource[] = modelled.filter(isIndependent).map(resourceOf);
export const records = resources.filter((resource): resource is RecordType => resource.kind === 'record');
export const lineItems = resources.filter((resource): resource is LineItem => resource.kind === 'line-item');
export const singletons = resources.filter((resource): resource is Singleton => resource.kind === 'singleton');

export const recordNamed = (name: string): RecordType => named(records, name);
export const lineItemNamed = (name: string): LineItem => named(lineItems, name);
export const singletonNamed = (name: string): Singleton => named(singletons, name);
