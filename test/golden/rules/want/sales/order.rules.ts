// Generated from spec/sales/order.yaml. Edit the spec, then run `npm run generate`.
import {
  between,
  day,
  dayIn,
  decimal,
  finite,
  hour,
  integer,
  logic,
  matches,
  minute,
  moved,
  quotient,
  remainder,
  size,
} from '../../runtime/features/rules/expressions/index.ts';
import type { Order } from './order.client.ts';

export const orderLogic = logic<Order>({
  url: import.meta.url,
  name: 'orderLogic',
  rules: [
    {
      that: 'ends_on == null || ends_on >= starts_on',
      message: 'An order ends after it starts.',
      field: 'ends_on',
      isBroken: ({ ends_on, starts_on }) => !(ends_on === null || ends_on >= starts_on),
    },
    {
      that: 'ends_on != null && starts_on >= today() && (note == null || note.size() >= 10)',
      when: 'status == "submitted"',
      message: 'A submitted order has an end, starts today or later, and its note says what it is about.',
      isBroken: ({ status, ends_on, starts_on, note }, time) =>
        status === 'submitted' &&
        !(ends_on !== null && starts_on >= dayIn('UTC', time) && (note === null || size(note) >= 10)),
    },
    {
      that: 'discount <= round(amount * 0.15, 2)',
      when: 'discount != null',
      message: 'A discount is at most 15 %.',
      field: 'discount',
      isBroken: ({ discount, amount }) =>
        discount !== null && !(decimal.compare(discount, decimal.round(decimal.multiply(amount, '0.15'), 2)) <= 0),
    },
    {
      that: 'booked <= capacity',
      message: 'There are more bookings than places.',
      field: 'booked',
      isBroken: ({ booked, capacity }) => !(booked <= capacity),
    },
    {
      that: 'closes_at == null || closes_at - opens_at >= duration("30m") && closes_at < opens_at + duration("7d")',
      message: 'An order is open for 30 minutes at least, and for less than a week.',
      field: 'closes_at',
      isBroken: ({ closes_at, opens_at }) =>
        !(closes_at === null || (between(opens_at, closes_at) >= 30 * minute && closes_at < moved(opens_at, 7 * day))),
    },
    {
      that: 'code.matches("^[A-Z]{2}-[0-9]+$") && !code.endsWith("-0")',
      message: 'A code has two letters and a number.',
      field: 'code',
      isBroken: ({ code }) => !(matches(code, '^[A-Z]{2}-[0-9]+$') && !code.endsWith('-0')),
    },
    {
      that: 'tags.all(tag, size(tag) > 1 && !tag.startsWith(" ")) && !("draft" in tags)',
      message: 'A tag has two characters or more.',
      field: 'tags',
      isBroken: ({ tags }) => !(tags.every((tag) => size(tag) > 1 && !tag.startsWith(' ')) && !tags.includes('draft')),
    },
    {
      that: 'status in ["draft", "cancelled"] || (is_gift ? amount == 0 : amount > 0)',
      message: 'Only gifts are free.',
      isBroken: ({ status, is_gift, amount }) =>
        !(
          ['draft', 'cancelled'].includes(status) ||
          (is_gift ? decimal.equals(amount, '0') : decimal.compare(amount, '0') > 0)
        ),
    },
    {
      that: 'class == null || class % 2 == 0 && class / 2 + booked * 3 < 1000 && weight / 2 < 10.5',
      message: 'Classes are even.',
      field: 'class',
      isBroken: ({ class: class_, booked, weight }) =>
        !(
          class_ === null ||
          (remainder(class_, 2) === 0 &&
            integer(quotient(class_, 2) + integer(booked * 3)) < 1000 &&
            finite(weight / 2) < 10.5)
        ),
    },
    {
      that: 'date(opens_at) == starts_on && weight * 2 - 1 >= 0.5',
      message: 'An order opens on the day that it starts.',
      isBroken: ({ opens_at, starts_on, weight }) => !(dayIn('UTC', opens_at) === starts_on && weight * 2 - 1 >= 0.5),
    },
    {
      that: 'closes_at == null || days(starts_on, closes_at) <= 2 * booked && (closes_at - opens_at) / duration("1h") < 8.5 && starts_on + duration("1d") * booked > today()',
      message: 'An order closes in time.',
      isBroken: ({ closes_at, starts_on, booked, opens_at }, time) =>
        !(
          closes_at === null ||
          (between(starts_on, dayIn('UTC', closes_at)) / day <= integer(2 * booked) &&
            finite(between(opens_at, closes_at) / hour) < 8.5 &&
            moved(starts_on, integer(day * booked)) > dayIn('UTC', time))
        ),
    },
  ],
});
