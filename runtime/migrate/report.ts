import { CliError } from '../errors.ts';
import type { Conversion, SchemaPlan } from './plan.ts';
import { quote } from '../store/ddl.ts';

/** @throws CliError where something of the plan cannot be done: then nothing of it is. */
export function refuse({ refusals, mistakes }: SchemaPlan): void {
  if (mistakes.length > 0) throw new CliError(['Nothing was changed:', ...mistakes].join('\n  '));
  if (refusals.length > 0) {
    throw new CliError(['The database does not fit the spec, and nothing was changed:', ...refusals].join('\n  '));
  }
}

/** Why a column does not get its new type. */
export const describeUnequal = (
  { table, column, from }: Conversion,
  { count, id }: { readonly count: number; readonly id: string },
): string =>
  `Column ${quote(column.name)} of table ${quote(table)} stays ${from}: ${count} of its values would not come back equal ` +
  `from ${column.type}, like that of ${id}.`;
