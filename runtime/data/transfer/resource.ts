import type { z } from 'zod';
import { UsageError } from '../../kernel/model/errors.ts';
import { factsOf } from '../../kernel/model/fields.ts';
import { basePath } from '../../kernel/model/operations.ts';
import { importable, updatable } from '../../kernel/model/shapes.ts';
import { schemaOf, type Table } from '../../kernel/model/table.ts';
import { brokenRuleOf } from '../../kernel/model/validate.ts';
import { didYouMean } from '../../kernel/model/suggest.ts';
import type { CellField } from './cells.ts';

/** A resource that records are written to, as its table describes it. */
export interface Resource {
  /** Its area and name, like `crm/lead`. */
  readonly name: string;
  /** Its path, like `/api/crm/lead`. */
  readonly path: string;
  readonly table: Table;
  /** The schema of the body of a create in an import, or of the update of a singleton. */
  readonly body: z.ZodType;
  readonly fields: readonly CellField[];
}

/** Every resource whose records can be created, and every singleton that can be updated. */
export const writableResources = (tables: readonly Table[]): Resource[] =>
  tables.flatMap((table) => {
    const { kind, path, operations } = table;
    if (!operations.includes(kind === 'singleton' ? 'update' : 'create')) return [];
    const body = (kind === 'singleton' ? updatable : importable)(schemaOf(table));
    return { name: path, path: `${basePath}/${path}`, table, body, fields: fieldsOf(table) };
  });

/** The resource that is named like `crm/lead`. @throws UsageError that suggests one */
export function findResource(tables: readonly Table[], name: string): Resource {
  const all = writableResources(tables);
  const found = all.find((resource) => resource.name === name);
  if (found) return found;
  const names = all.map((resource) => resource.name);
  const hint = didYouMean(name, names) || `; the resources are:\n  ${names.join('\n  ')}`;
  throw new UsageError(`No resource that can be imported or exported is called ${JSON.stringify(name)}${hint}`);
}

const typeOf = {
  text: 'string',
  bigint: 'integer',
  'double precision': 'number',
  decimal: 'string',
  boolean: 'boolean',
  json: 'array',
} as const;

/** The fields of a table, as cells hold them. */
export const fieldsOf = (table: Table): CellField[] =>
  Object.entries(schemaOf(table).shape).map(([name, schema]) => {
    const { type, presence, isAssigned, isNullable, initiallyNull, itemType } = factsOf(schema as z.ZodType);
    return {
      name,
      takesNull: isNullable && !initiallyNull,
      type: type === 'json' && itemType === undefined ? 'object' : typeOf[type],
      takesEmpty: type === 'text' && brokenRuleOf(schema as z.ZodType, '') === undefined,
      isReadOnly: presence === 'server' && !isAssigned,
    };
  });
