import type { Resource } from '../transfer/resource.ts';
import { referenceOf } from './body.ts';

/** How many records a resource gets. */
export interface Share {
  readonly resource: Resource;
  readonly count: number;
}

/** A resource with so few fields that a client sets is a list of terms, and short. */
const fieldsOfTerms = 3;
const maxTerms = 8;

/** Parts of the records that a record type and a kind of line items get. */
const weights = { record: 3, 'line-item': 2, singleton: 0 } as const;

/** Divides records among resources, so that those that are referred to come before those that refer to them. */
export function planRecords(resources: readonly Resource[], count: number): Share[] {
  const creatable = resources.filter(({ table }) => table.kind !== 'singleton');
  const isTerms = ({ table, fields }: Resource): boolean =>
    table.kind === 'record' && fields.filter(({ isReadOnly }) => !isReadOnly).length <= fieldsOfTerms;
  const terms = Math.min(maxTerms, Math.ceil(count / 25));
  let left = count;
  let weight = creatable.reduce((sum, one) => sum + (isTerms(one) ? 0 : weights[one.table.kind]), 0);
  const shares = new Map<Resource, number>();
  for (const resource of creatable.filter(isTerms)) {
    const share = weight === 0 ? Math.ceil(left / creatable.length) : terms;
    shares.set(resource, Math.min(left, share));
    left -= shares.get(resource) ?? 0;
  }
  for (const resource of creatable.filter((one) => !isTerms(one))) {
    const share = Math.round((left * weights[resource.table.kind]) / weight);
    shares.set(resource, share);
    left -= share;
    weight -= weights[resource.table.kind];
  }
  return sorted(creatable).map((resource) => ({ resource, count: shares.get(resource) ?? 0 }));
}

function sorted(resources: readonly Resource[]): Resource[] {
  const byTable = new Map(resources.map((resource) => [resource.table.name, resource]));
  const tables = new Set(byTable.keys());
  const done = new Set<Resource>();
  const visit = (resource: Resource, path: ReadonlySet<Resource>): void => {
    if (done.has(resource) || path.has(resource)) return;
    const { parent, name } = resource.table;
    const named = resource.fields.map((field) => referenceOf(field.name, tables));
    for (const table of [parent?.table, ...named]) {
      const other = byTable.get(table ?? '');
      if (other && table !== name) visit(other, new Set([...path, resource]));
    }
    done.add(resource);
  };
  for (const resource of resources) visit(resource, new Set());
  return [...done];
}
