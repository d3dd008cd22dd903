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
  text,
  timestamp,
} from '../../runtime/kernel/model/fields.ts';
import { locked } from '../../runtime/features/states/feature.ts';
import { lineItem, listed, record, type Table, transition } from '../../runtime/kernel/model/table.ts';
import { maxBodyBytes } from '../../runtime/kernel/model/limits.ts';
import { articleLogic, billLogic, lineLogic, payerLogic } from './bill.rules.ts';
import { refers } from '../../runtime/features/references/feature.ts';
import { unique } from '../../runtime/features/unique/columns.ts';
import { ruled } from '../../runtime/features/rules/feature.ts';
import { expands } from '../../runtime/features/projection/feature.ts';

const times = { created_at: timestamp(), updated_at: timestamp() };
const money = () => decimal({ digits: 12, scale: 2 });

export const payer = record(
  'payer',
  z.strictObject({
    id: id(),
    name: optional(text()),
    bills: readOnly(integer()),
    owed: readOnly(decimal({ digits: 18, scale: 2 })),
    open: readOnly(integer()),
    largest: readOnly(optional(money())),
    latest: readOnly(optional(date())),
    ...times,
  }),
  {},
  [ruled(payerLogic)],
);

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
    payer_id: optional(refers('payer', { onDelete: 'set_null' })),
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
  { operations: ['list', 'retrieve', 'create', 'update', 'delete'] },
  [
    ruled(billLogic),
    locked('status', ['sent'], { except: ['notes'] }),
    unique('number'),
    listed({ filter: ['total', 'lines'], sort: ['total', 'due'] }),
    transition('send', { field: 'status', from: ['draft', 'checked'], to: 'sent' }),
    expands('line', 'line'),
    expands('fee', 'fee'),
  ],
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
    article_id: optional(refers('article', { onDelete: 'cascade' })),
    amount: readOnly(optional(money())),
  }),
  ofBill,
  [ruled(lineLogic)],
);

export const fee = lineItem(
  'fee',
  z.strictObject({ id: id(), idx: position(), bill_id: text(), amount: optional(decimal({ digits: 18, scale: 0 })) }),
  { ...ofBill, maxBody: 2 * maxBodyBytes },
);

export const article = record(
  'article',
  z.strictObject({
    id: id(),
    name: optional(text()),
    status: optional(text(), 'sold'),
    pieces: readOnly(integer()),
    many: readOnly(integer()),
    cheapest: readOnly(optional(decimal({ digits: 18, scale: 2 }))),
    ...times,
  }),
  {},
  [ruled(articleLogic), locked('status', ['closed'])],
);

export const tables: readonly Table[] = [payer, bill, line, fee, article];
