import type { Feature } from '../../../runtime/kernel/feature.ts';
import type { FeatureCode } from '../../../runtime/kernel/model/error-codes.ts';
import { ApiError } from '../../../runtime/kernel/model/errors.ts';
import type { Column, Table } from '../../../runtime/kernel/model/table.ts';
import type { ReadParameters } from '../../../runtime/kernel/api/service.ts';
import { organizationColumn } from '../../../runtime/kernel/sql/schema.ts';
import type { TableSql } from '../../../runtime/kernel/sql/table-sql.ts';
import type { WriteSteps } from '../../../runtime/kernel/sql/types.ts';
import type { WritePart } from '../../../runtime/kernel/sql/write-part.ts';

declare module '../../../runtime/kernel/records/write.ts' {
  interface Rejections {
    /** A record has as many stars as it may have. */
    too_many_stars: unknown;
  }
}

const maxStars = 3;

const column: Column = { name: '_stars', type: 'bigint', readOnly: true, isNullable: true, default: null };

/** The name of the operation, as its write has it. */
export const starOperation = 'star';

const tooManyStars = {
  code: 'too_many_stars',
  status: 409,
  title: 'Too many stars',
  meaning: 'The record has as many stars as it may have.',
  remedy: 'Give stars to another record.',
} as const satisfies FeatureCode;

export const hasStars = ({ kind }: Table): boolean => kind === 'record';

const isStar = (write: { readonly op: string; readonly operation?: string }): boolean =>
  write.op === 'update' && write.operation === starOperation;

const readStars = (sql: TableSql, id: string) =>
  sql.statement(`select "_stars" from ${sql.organizationRows([`"id" = ${sql.param(1)}`])}`, [id]);

const addStar = (sql: TableSql, id: string) =>
  sql.statement(
    `update "${sql.table.name}" set "_stars" = coalesce("_stars", 0) + 1 ` +
      `where ${sql.inOrganization(`"${organizationColumn}"`)} and "id" = ${sql.param(1)}`,
    [id],
  );

function* andStar(steps: WriteSteps, sql: TableSql, id: string): WriteSteps {
  const result = yield* steps;
  if (result.outcome === 'written') yield { statements: [addStar(sql, id)] };
  return result;
}

const write: WritePart = {
  behind: ({ sql, id, write: request }) => (isStar(request) ? [readStars(sql, id)] : []),
  reject: (_, { behind }) => (Number(behind[0]?.[0]?.[0] ?? 0) < maxStars ? undefined : { outcome: 'too_many_stars' }),
  around: (dml, request, steps) =>
    request.op === 'update' && isStar(request)
      ? andStar(steps, dml.of(request.table, request.organization), request.id)
      : undefined,
};

const parameters: ReadParameters = {
  namesOf: (table) => (hasStars(table) ? ['min_stars'] : []),
  read(query) {
    const stars = query.integer('min_stars', 1, maxStars, 1);
    return { filter: [{ column: column.name, operator: 'gte', values: [stars] }] };
  },
};

/** Records get stars, and lists show those that have enough. */
export const stars: Feature = {
  name: 'stars',
  columns: (table) =>
    hasStars(table) ? [{ name: column.name, type: column.type, fields: [], valueOf: () => null, column }] : [],
  indexes: (table) =>
    hasStars(table)
      ? [
          {
            name: `_${table.name}.stars`,
            table: table.name,
            columns: [organizationColumn, column.name, 'id'],
            order: { column, isDescending: true },
          },
        ]
      : [],
  write,
  describe: { too_many_stars: () => new ApiError(tooManyStars, `The record has ${maxStars} stars already.`) },
  parameters,
  errors: [tooManyStars],
  routes: async () => (await import('./routes.ts')).mountStars,
  commands: { stars: () => import('./command.ts') },
};
