import { readableBy, requirePermission } from '../../kernel/api/endpoint.ts';
import { listOf, type Parameters } from '../../kernel/api/parameters.ts';
import type { ReadParameters, RequestEnv } from '../../kernel/api/service.ts';
import { didYouMean } from '../../kernel/model/suggest.ts';
import { expandablesOf, type Table } from '../../kernel/model/table.ts';
import { quoted } from '../../kernel/model/text.ts';
import type { Page, Projection } from '../../kernel/records/page.ts';

/** `fields` and `expand`: what is shown of a record. */
export const projectionParameters: ReadParameters = {
  namesOf: (table) => (expandablesOf(table).length > 0 ? ['fields', 'expand'] : ['fields']),
  read: readProjection,
  permit: withhold,
  isOfRecords: true,
};

/** Reads what is shown of each record. */
function readProjection(parameters: Parameters, table: Table): Pick<Page, 'projection'> | undefined {
  const columns = table.columns.map(({ name }) => name);
  const expandables = expandablesOf(table);
  // Typed clients write all names with hyphens.
  const nameOf = (text: string): string =>
    expandables.find(({ name }) => name.replaceAll('_', '-') === text)?.name ?? text;
  const fields = readNames(parameters, 'fields', columns);
  const names = [...new Set(expandables.map(({ name }) => name))];
  const expand = names.length === 0 ? undefined : readNames(parameters, 'expand', names, nameOf);
  if (!fields && !expand) return undefined;
  return { projection: { ...(fields && { fields: ['id', ...fields] }), ...(expand && { expand }) } };
}

/** A key must be able to read the lists that are shown, and gets null instead of the records of a resource that it may not read. */
function withhold(env: RequestEnv, table: Table, projection: Projection): Projection {
  if (!projection.expand) return projection;
  const isReadable = readableBy(env);
  const withheld: string[] = [];
  for (const { name, table: target, column } of expandablesOf(table)) {
    const expanded = env.service.tables.find((one) => one.name === target);
    if (!expanded || !projection.expand.includes(name)) continue;
    if (column === undefined) requirePermission(env, 'read', expanded.path);
    else if (!isReadable(expanded.path)) withheld.push(target);
  }
  return { ...projection, withheld };
}

/** A list of names, separated by commas. */
function readNames(
  parameters: Parameters,
  parameter: string,
  known: readonly string[],
  nameOf = (text: string): string => text,
): string[] | undefined {
  const written = parameters.list(parameter);
  if (written === undefined) return undefined;
  const names = new Set(written.map(nameOf));
  for (const name of names) {
    if (known.includes(name)) continue;
    const reason = written.join() === '' ? 'names nothing' : `names ${quoted(name)}, which is unknown`;
    parameters.fail(parameter, () => reason + (didYouMean(name, known) || `. Known are ${listOf(known)}`));
  }
  return [...names];
}
