import type { Feature } from '../../kernel/feature.ts';
import { projectionParameters } from './parameters.ts';
import { projectionView } from './projection.ts';
import type { Trait } from '../../kernel/model/table.ts';

/** Reads show some fields of records, and with them their first line items and the records that name them, or that they name. */
export const projection: Feature = { name: 'projection', parameters: projectionParameters, view: projectionView };

/** Records can be shown with a list. @param of the table of its rows @param field their reference; without it they are line items */
export const expands =
  (name: string, of: string, field?: string): Trait =>
  (table) => ({
    ...table,
    expand: { ...table.expand, [name]: { table: of, ...(field !== undefined && { field }) } },
  });
