import { z } from 'zod';

import {
  boolean,
  date,
  decimal,
  id,
  integer,
  number,
  optional,
  position,
  readOnly,
  reference,
  text,
  timestamp,
} from '../../runtime/model/fields.ts';
import { lineItem, record, type Table } from '../../runtime/model/table.ts';
import { maxBodyBytes } from '../../runtime/model/limits.ts';
import { billLogic, lineLogic } from './bill.rules.ts';

const times = { created_at: timestamp(), updated_at: timestamp() };
const money = () => decimal({ digits: 12, scale: 2 });

export const payer = record('payer', z.strictObject({ id: id(), name: optional(text()), ...times }));

export const bill = record(
  'bill',
  z.strictObject({
    id: id(),
    number: optional(text()),
    status: optional(text(), 'draft'),
    notes: optional(text()),
    discount: optional(money()),
    starts_on: optional(date()),
    ends_on: optional(date()),
    payer_id: optional(reference('payer', { onDelete: 'set_null' })),
    total: readOnly(optional(money())),
    lines: readOnly(optional(integer())),
    pieces: readOnly(optional(integer())),
    latest: readOnly(optional(date())),
    cheapest: readOnly(optional(decimal({ digits: 18, scale: 2 }))),
    lightest: readOnly(optional(number())),
    fees: readOnly(optional(integer())),
    charged: readOnly(optional(decimal({ digits: 18, scale: 0 }))),
    due: readOnly(optional(money())),
    is_paid_by_other: readOnly(optional(boolean())),
    ...times,
  }),
  {
    logic: billLogic,
    lock: { field: 'status', states: ['sent'], except: ['notes'] },
    unique: [{ fields: ['number'] }],
    list: { filter: ['total', 'lines'], sort: ['total', 'due'] },
    operations: ['list', 'retrieve', 'create', 'update', 'delete'],
    transitions: { send: { field: 'status', from: ['draft', 'checked'], to: 'sent' } },
    expand: { line: 'line', fee: 'fee' },
  },
);

const ofBill = { parent: { field: 'bill_id', table: 'bill' } };

export const line = lineItem(
  'line',
  z.strictObject({
    id: id(),
    idx: position(),
    bill_id: text(),
    quantity: integer(),
    price: decimal({ digits: 18, scale: 2 }),
    spent_on: optional(date()),
    weight: optional(number()),
    notes: optional(text()),
    article_id: optional(reference('article', { onDelete: 'cascade' })),
    amount: readOnly(optional(money())),
  }),
  { ...ofBill, logic: lineLogic },
);

export const fee = lineItem(
  'fee',
  z.strictObject({ id: id(), idx: position(), bill_id: text(), amount: optional(decimal({ digits: 18, scale: 0 })) }),
  { ...ofBill, maxBody: 2 * maxBodyBytes },
);

export const article = record('article', z.strictObject({ id: id(), name: optional(text()), ...times }));

export const tables: readonly Table[] = [payer, bill, line, fee, article];
