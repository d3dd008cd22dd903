import type { Table } from '../model/table.ts';
import type { Projection } from '../records/store.ts';
import { didYouMean } from '../model/suggest.ts';
import { quoted } from '../model/text.ts';
import { listOf, Parameters } from './parameters.ts';

/** The parameters that say what is shown of a record. */
export const viewParameters = ({ expand }: Table): string[] => (expand ? ['fields', 'expand'] : ['fields']);

/** Reads what is shown of each record; undefined where that is all of it, and nothing else. */
export function readView(parameters: Parameters, table: Table): Projection | undefined {
  const columns = table.columns.map(({ name }) => name);
  const fields = readNames(parameters, 'fields', columns);
  const expand = table.expand && readNames(parameters, 'expand', Object.keys(table.expand));
  return fields || expand ? { ...(fields && { fields: ['id', ...fields] }), ...(expand && { expand }) } : undefined;
}

/** The line items that a request asks for beside its records, known or not. */
export const readExpand = (url: string): readonly string[] =>
  url.includes('?') ? (new Parameters(url).list('expand')?.split(',') ?? []) : [];

/** A list of names, separated by commas. */
function readNames(parameters: Parameters, parameter: string, known: readonly string[]): string[] | undefined {
  const text = parameters.list(parameter);
  if (text === undefined) return undefined;
  const names = new Set(text.split(','));
  for (const name of names) {
    if (known.includes(name)) continue;
    const reason = text === '' ? 'names nothing' : `names ${quoted(name)}, which is unknown`;
    parameters.fail(parameter, () => reason + (didYouMean(name, known) || `. Known are ${listOf(known)}`));
  }
  return [...names];
}

/**
 * Reads what is shown of the one record that a request is about: there are no other parameters.
 *
 * @throws ApiError `invalid_query` (400).
 */
export function readRecordQuery(url: string, table: Table): Projection | undefined {
  if (!url.includes('?')) return undefined;
  const parameters = new Parameters(url);
  const known = viewParameters(table);
  for (const name of parameters.names) {
    if (!known.includes(name))
      parameters.fail(name, () => `is unknown${didYouMean(name, known) || `. Known are ${listOf(known)}`}`);
  }
  const view = readView(parameters, table);
  parameters.finish();
  return view;
}
