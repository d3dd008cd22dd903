/** The resources of the tests' own service, from its spec. */
import { readService } from '../../generator/check/service.ts';
import { schemaOf } from '../../generator/model/field-types.ts';
import type * as model from '../../generator/model/model.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import {
  type Field,
  type LineItem,
  named,
  type Operation,
  type RecordType,
  type Resource,
  type Singleton,
} from '../support/resources.ts';
import { testProject } from '../support/server.ts';

const { service } = readService(readSpecs(testProject));
if (!service) throw new Error('The spec in test/service has errors. Run `npm run generate:test`.');

function fieldOf(field: model.Field): Field {
  const { name, required, nullable, readOnly, default: value } = field;
  const { type, ...limits } = schemaOf(field);
  const options = {
    ...(required && { required }),
    ...(nullable && { nullable }),
    ...(readOnly && { readOnly }),
    ...(value !== null && { default: value }),
    ...limits,
  };
  return [name, type, options];
}

function resourceOf({ kind, name, path, operations, transitions, fields, parent }: model.Resource): Resource {
  const common = {
    name,
    path,
    operations: [...operations, ...transitions.map((transition) => transition.name as Operation)],
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

export const resources: readonly Resource[] = service.resources.map(resourceOf);
export const records = resources.filter((resource): resource is RecordType => resource.kind === 'record');
export const lineItems = resources.filter((resource): resource is LineItem => resource.kind === 'line-item');
export const singletons = resources.filter((resource): resource is Singleton => resource.kind === 'singleton');

export const recordNamed = (name: string): RecordType => named(records, name);
export const lineItemNamed = (name: string): LineItem => named(lineItems, name);
export const singletonNamed = (name: string): Singleton => named(singletons, name);
