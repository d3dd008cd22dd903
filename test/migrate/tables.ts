import { z } from 'zod';

import { id, integer, optional, position, renamed, text, timestamp } from '../../runtime/kernel/model/fields.ts';
import { lineItem, listed, type ListFields, record, singleton, type Table } from '../../runtime/kernel/model/table.ts';

type Shape = Record<string, z.ZodType>;

const times = { created_at: timestamp(), updated_at: timestamp() };

export const company = (
  fields: Shape,
  name = 'company',
  renamedFrom?: readonly string[],
  list?: Partial<ListFields>,
): Table =>
  record(
    name,
    z.strictObject({ id: id(), ...fields, ...times }),
    renamedFrom && { renamedFrom },
    list && [listed(list)],
  );

export const note = (fields: Shape = {}): Table =>
  lineItem('note', z.strictObject({ id: id(), idx: position(), company_id: text(), ...fields }), {
    parent: { field: 'company_id', table: 'company' },
  });

/** A line item whose parent is stored elsewhere. */
export const externalNote = (field = 'company_id'): Table =>
  lineItem('note', z.strictObject({ id: id(), idx: position(), [field]: text() }), { parent: { field } });

export const settings = (name: string): Table =>
  singleton(name, z.strictObject({ id: id(), limit: optional(integer(), 5), ...times }));

const options = settings('options');

/** A spec, and what has become of it later. */
export const older: readonly Table[] = [company({ name: text() })];
export const newer: readonly Table[] = [
  company({ name: text(), size: optional(integer(), 3), city: optional(text()) }),
  note({ text: optional(text()) }),
  options,
];
export const renaming: readonly Table[] = [company({ title: renamed(text(), 'name') }, 'firm', ['company'])];
