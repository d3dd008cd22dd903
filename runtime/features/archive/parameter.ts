import type { Parameters } from '../../kernel/api/parameters.ts';
import type { ReadParameters } from '../../kernel/api/service.ts';
import type { Table } from '../../kernel/model/table.ts';
import type { Page } from '../../kernel/records/page.ts';

/** Whether `archived_at` is null in the records of a list, by its parameter. */
const isNull: Readonly<Record<string, boolean | undefined>> = { false: true, true: false, any: undefined };

/** `archived`: lists leave archived records out, unless it is `true` for these alone, or `any` for all. */
export const archivedParameter: ReadParameters = {
  namesOf: ({ unlistedBy }) => (unlistedBy === undefined ? [] : ['archived']),
  isAlwaysRead: true,
  read: readArchived,
};

function readArchived(parameters: Parameters, { unlistedBy: column = '' }: Table): Pick<Page, 'filter'> | undefined {
  if (!parameters.has('archived')) refuseFilters(parameters, column);
  const value = parameters.text('archived') ?? 'false';
  if (!Object.hasOwn(isNull, value)) {
    return parameters.fail('archived', () => 'must be true for archived records alone, any for all, or false');
  }
  const values = isNull[value];
  return values === undefined ? undefined : { filter: [{ column, operator: 'null', values: [values] }] };
}

/** Refuses filters by the time at which records were archived, in a list that leaves these out: it would have no records. */
function refuseFilters(parameters: Parameters, column: string): void {
  for (const name of parameters.names) {
    const isFilter = name === column || name.startsWith(`${column}[`);
    if (!isFilter || (name === `${column}[null]` && parameters.text(name) === 'true')) continue;
    const remedy = 'add archived=true for these alone, or archived=any for all';
    parameters.fail(name, () => `is about archived records, which lists leave out: ${remedy}`);
  }
}
