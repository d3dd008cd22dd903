import type { z } from 'zod';
import { UsageError } from '../../model/errors.ts';
// A table does not know its path yet.
// oxlint-disable-next-line no-restricted-imports
import { writeRouteOf } from '../../api/write-handlers.ts';
import { factsOf } from '../../model/fields.ts';
import { schemaOf, type Table } from '../../model/table.ts';
import { brokenRuleOf } from '../../model/validate.ts';
// A table does not know its path yet.
// oxlint-disable-next-line no-restricted-imports
import type { Service } from '../../api/service.ts';
import { didYouMean } from '../../model/suggest.ts';
import type { CellField } from './cells.ts';

/** A resource that records are written to, as its routes and its table describe it. */
export interface Resource {
  /** Its area and name, like `crm/lead`. */
  readonly name: string;
  /** Its path, like `/api/crm/lead`. */
  readonly path: string;
  readonly table: Table;
  /** The schema of the body of a create, or of the update of a singleton. */
  readonly body: z.ZodType;
  readonly fields: readonly CellField[];
}

/** Every resource whose records can be created, and every singleton that can be updated. */
export function writableResources({ app, basePath }: Service): Resource[] {
  return app.routes.flatMap(({ method, path, handler }) => {
    const { table, body, status } = writeRouteOf(handler) ?? {};
    if (!table || !body) return [];
    const isUpdated = table.kind === 'singleton' && method === 'PATCH';
    if (status !== 201 && !isUpdated) return [];
    const collection = path.replace(/\/:id$/, '');
    const name = collection.slice(basePath.length + 1);
    return [{ name, path: collection, table, body: body.schema, fields: fieldsOf(table) }];
  });
}

/** The resource that is named like `crm/lead`. @throws UsageError that suggests one */
export function findResource(service: Service, name: string): Resource {
  const all = writableResources(service);
  const found = all.find((resource) => resource.name === name);
  if (found) return found;
  const names = all.map((resource) => resource.name);
  const hint = didYouMean(name, names) || `; the resources are:\n  ${names.join('\n  ')}`;
  throw new UsageError(`There is no resource ${JSON.stringify(name)} that can be written to${hint}`);
}

const typeOf = { text: 'string', bigint: 'integer', 'double precision': 'number', boolean: 'boolean' } as const;

const fieldsOf = (table: Table): CellField[] =>
  Object.entries(schemaOf(table).shape).map(([name, schema]) => {
    const { type, presence, isNullable, initiallyNull } = factsOf(schema as z.ZodType);
    return {
      name,
      takesNull: isNullable && !initiallyNull,
      type: typeOf[type],
      takesEmpty: type === 'text' && brokenRuleOf(schema as z.ZodType, '') === undefined,
      isReadOnly: presence === 'server',
    };
  });
