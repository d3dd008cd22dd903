import { Parameters, listOf } from '../../kernel/api/parameters.ts';
import { readSelection } from '../../kernel/api/query.ts';
import type { ReadParameters } from '../../kernel/api/service.ts';
import { didYouMean } from '../../kernel/model/suggest.ts';
import type { Table } from '../../kernel/model/table.ts';
import { quoted } from '../../kernel/model/text.ts';
import type { Page } from '../../kernel/records/page.ts';

/** Which records are counted, by which field, and which fields are summed. */
export interface CountQuery extends Pick<Page, 'where' | 'filter' | 'search'> {
  readonly by?: string;
  readonly sum: readonly string[];
}

const parentPrefix = 'parent_id[prefix]';

/**
 * Reads what is counted. Line items are those of one parent, unless they are counted by it.
 *
 * @throws ApiError `invalid_query` (400), naming every parameter that is wrong
 */
export function readCountQuery(url: string, table: Table, more: readonly ReadParameters[]): CountQuery {
  const parameters = new Parameters(url);
  const { parent, counts } = table;
  const [by, ...others] = readNames(parameters, 'by', counts?.by ?? []);
  if (others.length > 0) parameters.fail('by', () => 'names more than one field');
  const sum = readNames(parameters, 'sum', counts?.sum ?? []);
  const isOfParents = parent !== undefined && by === parent.field;
  const own = ['by', 'sum', ...(parent ? ['parent_id'] : []), ...(isOfParents ? [parentPrefix] : [])];
  const { filter = [], ...selection } = readSelection(parameters, table, more, own);
  const parentId = parameters.text('parent_id');
  if (parent && parentId === undefined && !isOfParents) parameters.fail('parent_id', () => 'is required');
  const prefix = isOfParents ? parameters.text(parentPrefix) : undefined;
  parameters.finish();
  const conditions = [
    ...filter,
    ...(parent && prefix !== undefined
      ? [{ column: parent.field, operator: 'prefix' as const, values: [prefix] }]
      : []),
  ];
  return {
    ...selection,
    sum,
    ...(by !== undefined && { by }),
    ...(parent && parentId !== undefined && { where: { [parent.field]: parentId } }),
    ...(conditions.length > 0 && { filter: conditions }),
  };
}

/** Reads the names of declared fields. */
function readNames(parameters: Parameters, parameter: 'by' | 'sum', declared: readonly string[]): string[] {
  const written = parameters.list(parameter) ?? [];
  const names = new Set(written);
  const known = declared.length === 0 ? 'No field is' : `Declared are ${listOf(declared)}`;
  for (const name of names) {
    if (declared.includes(name)) continue;
    const reason = name === '' ? 'names nothing.' : `names ${quoted(name)}, which is not declared for it`;
    parameters.fail(parameter, () => `${reason}${didYouMean(name, declared) || (name === '' ? '' : '.')} ${known}`);
  }
  if (names.size < written.length) parameters.fail(parameter, () => 'names a field more than once');
  return [...names];
}
