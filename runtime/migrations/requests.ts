import type { Table } from '../kernel/model/table.ts';
import type { ActualSchema, DestructiveChanges, MigrationDialect } from './types.ts';

export const noDestructiveChanges: DestructiveChanges = { drop: [], convert: [] };

/** The command line that requests a destructive change. */
export const command = (option: keyof DestructiveChanges, name: string): string =>
  `\`npm run migrate -- --${option} ${name}\``;

/** The meaning of requests without a step, as sentences. A request that is done already is no error: a run that was killed behind it is repeated. */
interface Settled {
  readonly notes: readonly string[];
  readonly errors: readonly string[];
}

const notOrphaned =
  'only a table (TABLE) or column (TABLE.COLUMN) that the database has and the spec does not can be dropped. ' +
  '`npm run migrate -- --plan` lists them.';

const gone = 'already dropped, or misspelt: neither the database nor the spec has it.';

const same = 'already converted: the column has the type of the spec.';

const notConvertible = 'the spec has no such column (TABLE.COLUMN), or its values cannot be converted.';

/** Explains requests of changes for which a plan has no step. */
export function settle(
  { drop, convert }: DestructiveChanges,
  tables: readonly Table[],
  actual: ActualSchema,
  { values }: MigrationDialect,
): Settled {
  const parts = (name: string) => {
    const [table, field] = name.split('.');
    const declared = tables.find((one) => one.name === table);
    const stored = actual.tables.get(table ?? '');
    const column = declared?.columns.find((one) => one.name === field);
    return { field, declared, stored, column, type: stored?.get(field ?? '') };
  };
  const isGone = (name: string): boolean => {
    const { field, declared, stored, column, type } = parts(name);
    return field === undefined ? !declared && !stored : !column && type === undefined;
  };
  const isConverted = (name: string): boolean => {
    const { column, type } = parts(name);
    return column !== undefined && type === values.type(column);
  };
  const settled = [
    ...[...new Set(drop)].map(
      (name) => [isGone(name), `--drop ${name}: ${isGone(name) ? gone : notOrphaned}`] as const,
    ),
    ...[...new Set(convert)].map(
      (name) => [isConverted(name), `--convert ${name}: ${isConverted(name) ? same : notConvertible}`] as const,
    ),
  ];
  const sentences = (isDone: boolean): string[] =>
    settled.filter(([is]) => is === isDone).map(([, sentence]) => sentence);
  return { notes: sentences(true), errors: sentences(false) };
}
