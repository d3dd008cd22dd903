// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  always,
  backfilled,
  creatable,
  defaulted,
  field,
  immutable,
  listed,
  nullable,
  onceSet,
  optional,
  query,
  readOnly,
  record,
  renamed,
  transition,
  updatable,
} from '../../runtime/index.ts';

/**
 * A person or a company that may buy something, found by a campaign, by a referral or by chance, and kept here until
 * somebody has spoken to them and knows better.
 */
export const Lead = z.strictObject({
  id: field.id(),
  starts_on: optional(field.date(), '2024-02-29'),
  seen_at: optional(field.dateTime(), '2024-02-29T18:29:59.123Z'),
  name: field.text({ max: 200 }),
  /** Where the lead stands in the funnel. */
  stage: optional(field.oneOf(['new', 'qualified', 'lost']), 'new'),
  /** What is owed. */
  amount: field.decimal({ digits: 8, scale: 2, min: '0.00', max: '999.50' }),
  share: optional(field.decimal({ digits: 4, scale: 4 }), '0.2500'),
  points: defaulted(field.decimal({ digits: 18, scale: 0 }), '-3'),
  reference: field.uuid(),
  day: nullable(field.date()),
  starts_at: optional(field.time(), '09:00:00+01:00'),
  booked_at: optional(field.dateTime()),
  /** Who is to be met. */
  contact: optional(field.email()),
  directions: readOnly(optional(field.uri(), 'https://example.com/map')),
  guest: nullable(field.text()),
  /** How it went. */
  mood: nullable(field.oneOf(['good', 'bad'])),
  length: nullable(field.integer({ min: 0 })),
  is_paid: nullable(field.boolean()),
  count: optional(field.integer()),
  price: optional(field.number()),
  is_new: optional(field.boolean()),
  colour: optional(field.text()),
  weight: optional(field.number()),
  shape: optional(field.text()),
  subject: field.text(),
  first_answer_at: readOnly(optional(field.dateTime())),
  state: readOnly(optional(field.oneOf(['open', 'closed']), 'open')),
  /** How often somebody has answered. */
  answers: readOnly(optional(field.integer(), 0)),
  /** Where it stands. */
  payment: defaulted(field.oneOf(['open', 'paid']), 'open'),
  pieces: backfilled(defaulted(field.integer(), 1), 0),
  is_gift: readOnly(defaulted(field.boolean(), false)),
  remarks: optional(field.text(), 'none'),
  number: field.text(),
  /** Where it was bought. */
  channel: backfilled(field.oneOf(['shop', 'web']), 'shop'),
  parcels: backfilled(field.integer({ min: 0 }), 1),
  discount: backfilled(field.number(), 0),
  is_present: backfilled(field.boolean(), false),
  note: backfilled(field.text({ max: 20 }), 'it\'s "older"'),
  /** The moment of the order. */
  ordered_at: backfilled(defaulted(field.dateTime(), field.now()), '2020-01-01T00:00:00.000Z'),
  met_at: immutable(optional(field.dateTime(), field.now())),
  ordered_on: optional(field.date(), field.today('Europe/Amsterdam')),
  entered_by: immutable(optional(field.text(), field.actor())),
  owner: backfilled(defaulted(field.text({ max: 100 }), field.actor()), 'nobody'),
  edited_by: always(field.text({ max: 100 }), field.actor()),
  /** The last edit. */
  edited_at: always(field.dateTime(), field.now()),
  edited_on: always(field.date(), field.today('Europe/Amsterdam')),
  word: optional(field.text(), 'now'),
  other: defaulted(field.text(), 'today'),
  /** How soon it is needed. The values are the enum priority of spec/service.yaml. */
  priority: defaulted(field.oneOf(['low', 'high']), 'low'),
  /** The values are the enum priority of spec/service.yaml. */
  risk: optional(field.oneOf(['low', 'high'])),
  /** Where the store stands. The default is the constant region of spec/service.yaml. */
  region: optional(field.text(), "eu's"),
  /** The default is the constant region of spec/service.yaml. */
  zone: optional(field.oneOf(["eu's", 'us']), "eu's"),
  /** The default is the constant page_size of spec/service.yaml. */
  page_size: optional(field.integer(), 50),
  /** The default is the constant vat of spec/service.yaml. */
  vat: optional(field.number(), 0.19),
  /** The default is the constant is_open of spec/service.yaml. */
  is_open: optional(field.boolean(), true),
  /** The default is the constant opened_on of spec/service.yaml. */
  opened_on: optional(field.date(), '2020-02-02'),
  outcome: optional(field.oneOf(['open', 'won'])),
  due_on: optional(field.date()),
  /** A pattern has an example of its own. */
  code: optional(field.text({ min: 6, pattern: /^[A-Z]{2}-\d+$/u })),
  email: optional(field.text()),
  memo: optional(field.text(), 'none'),
  score: optional(field.integer({ max: 9 })),
  /** First and last name. */
  full_name: renamed(field.text(), 'whole_name'),
  phone: renamed(optional(field.text(), 'none'), 'tel', 'telephone'),
  is_fresh: renamed(optional(field.boolean()), 'fresh'),
  /** Ends no comment: *\/ nor starts one: /* but may name `code`, ${code} and <b>HTML</b>. */
  comments: optional(field.text()),
  /** With 'single', "double" and `back` quotes, a \ backslash and a tab. */
  quotes: optional(field.text()),
  /** A text that is just as long as can stand in a comment of one line, where 120 columns are all the room there is. */
  fits_exactly: optional(field.text()),
  /**
   * A text that is one letter longer than what can stand in a comment of one line, where 120 columns is all there is
   */
  one_too_long: optional(field.text()),
  /** A text of two paragraphs, the second of which is here. */
  notes: optional(field.text()),
  /** Größe, 東京 and 🙂. */
  city: optional(field.text()),
  /** Who has ordered. */
  customer: immutable(field.text()),
  shop: immutable(defaulted(field.text(), 'shop')),
  coupon: renamed(immutable(optional(field.text())), 'voucher'),
  /** The day of the payment. */
  paid_on: onceSet(optional(field.date())),
  checked_by: onceSet(nullable(field.text())),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Lead = z.infer<typeof Lead>;

export const LeadCreate = creatable(Lead);
export const LeadUpdate = updatable(Lead);
export const LeadQuery = query(Lead, {
  filter: ['amount', 'payment'],
  sort: ['amount'],
});
export const leadTable = record('lead', Lead, { path: 'crm/lead', renamedFrom: ['prospect', 'person'] }, [
  listed(LeadQuery),
  transition('close', { field: 'state', from: ['open'], to: 'closed' }),
]);
