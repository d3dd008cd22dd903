// As the generator prints such files: loaded by the threads of SQLite, too.
import { logic, type Totals } from '../../runtime/rules/index.ts';

const units = (decimal: unknown): bigint => BigInt(String(decimal).replace('.', ''));

/** A decimal with two digits behind the point and 12 in all. */
function twelveDigits(value: bigint): string {
  if (value >= 10n ** 12n || value <= -(10n ** 12n)) throw new RangeError('too large');
  const digits = String(value < 0n ? -value : value).padStart(3, '0');
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function eighteenDigits(value: unknown): string {
  if (String(value).replace('-', '').length > 18) throw new RangeError('too large');
  return String(value);
}

function integer(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError('too large');
  return value;
}

interface Line {
  readonly quantity: number;
  readonly price: string;
  readonly amount: string | null;
}

export const lineLogic = logic<Line>({
  url: import.meta.url,
  name: 'lineLogic',
  computed: {
    amount: {
      expression: 'price * quantity',
      compute: ({ price, quantity }) => twelveDigits(units(price) * BigInt(quantity)),
    },
  },
  rules: [
    {
      that: 'quantity != 0',
      message: 'A line has a quantity.',
      field: 'quantity',
      isBroken: (line) => line.quantity === 0,
    },
  ],
});

interface Bill {
  readonly status: string | null;
  readonly discount: string | null;
  readonly starts_on: string | null;
  readonly ends_on: string | null;
  readonly payer_id: string | null;
  readonly total: string | null;
  readonly lines: number | null;
  readonly due: string | null;
}

type BillTotals = Totals & { 'sum(lines.amount)': string; 'count(lines)': number; 'sum(lines.quantity)': number };

export const billLogic = logic<Bill, BillTotals>({
  url: import.meta.url,
  name: 'billLogic',
  totals: {
    'sum(lines.amount)': { items: 'line', of: 'sum', field: 'amount' },
    'count(lines)': { items: 'line', of: 'count' },
    'sum(lines.quantity)': { items: 'line', of: 'sum', field: 'quantity' },
    'max(lines.spent_on)': { items: 'line', of: 'max', field: 'spent_on' },
    'min(lines.price)': { items: 'line', of: 'min', field: 'price' },
    'min(lines.weight)': { items: 'line', of: 'min', field: 'weight' },
    'count(fees)': { items: 'fee', of: 'count' },
    'sum(fees.amount)': { items: 'fee', of: 'sum', field: 'amount' },
  },
  computed: {
    total: {
      expression: 'sum(lines.amount)',
      compute: (_, totals) => twelveDigits(units(totals['sum(lines.amount)'])),
    },
    lines: { expression: 'count(lines)', compute: (_, totals) => totals['count(lines)'] },
    pieces: { expression: 'sum(lines.quantity)', compute: (_, totals) => integer(totals['sum(lines.quantity)']) },
    latest: { expression: 'max(lines.spent_on)', compute: (_, totals) => totals['max(lines.spent_on)'] ?? null },
    cheapest: { expression: 'min(lines.price)', compute: (_, totals) => totals['min(lines.price)'] ?? null },
    lightest: { expression: 'min(lines.weight)', compute: (_, totals) => totals['min(lines.weight)'] ?? null },
    fees: { expression: 'count(fees)', compute: (_, totals) => totals['count(fees)'] ?? null },
    charged: { expression: 'sum(fees.amount)', compute: (_, totals) => eighteenDigits(totals['sum(fees.amount)']) },
    due: {
      expression: 'total - discount',
      compute: ({ total, discount }) => twelveDigits(units(total) - units(discount ?? '0.00')),
    },
    is_paid_by_other: { expression: 'payer_id != null', compute: ({ payer_id }) => payer_id !== null },
  },
  rules: [
    {
      that: 'ends_on >= starts_on',
      when: 'ends_on != null && starts_on != null',
      message: 'A bill ends after it starts.',
      field: 'ends_on',
      isBroken: ({ starts_on, ends_on }) => starts_on !== null && ends_on !== null && ends_on < starts_on,
    },
    {
      that: 'lines == 0 || due >= 0',
      message: 'A discount is at most the total.',
      field: 'discount',
      isBroken: ({ lines, due }) => lines !== 0 && units(due) < 0n,
    },
    {
      that: "status != 'checked' || payer_id != null",
      message: 'A checked bill has a payer.',
      isBroken: ({ status, payer_id }) => status === 'checked' && payer_id === null,
    },
  ],
  transitions: {
    send: [
      { that: 'lines > 0', message: 'Only a bill with lines is sent.', isBroken: ({ lines }) => lines === 0 },
      { that: 'now() > 2000', message: 'A bill is sent after 2000.', isBroken: (_, time) => time < '2000' },
      {
        that: '1 / 0',
        message: 'A bill of 13 lines is never sent.',
        isBroken: ({ lines }) => lines === 13 && 1n / 0n > 0n,
      },
    ],
  },
});
