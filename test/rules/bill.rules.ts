// As the generator prints such files: loaded by the threads of SQLite, too.
import { decimal, integer, logic } from '../../runtime/features/rules/expressions/index.ts';

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
      compute: ({ price, quantity }) => decimal.fit(decimal.multiply(price, String(quantity)), 12, 2),
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

interface Payer {
  readonly name: string | null;
  readonly bills: number | null;
  readonly owed: string | null;
  readonly open: number | null;
  readonly largest: string | null;
  readonly latest: string | null;
}

export const payerLogic = logic<Payer>({
  url: import.meta.url,
  name: 'payerLogic',
  totals: {
    'count(bills)': { items: 'bill', by: 'payer_id', of: 'count' },
    'sum(bills.total)': { items: 'bill', by: 'payer_id', of: 'sum', field: 'total' },
    'count(bills,bills.status!="sent")': {
      items: 'bill',
      by: 'payer_id',
      of: 'count',
      when: [[{ field: 'status', is: '!=', value: 'sent' }]],
    },
    'max(bills.due,bills.status=="draft"&&bills.lines>2)': {
      items: 'bill',
      by: 'payer_id',
      of: 'max',
      field: 'due',
      when: [
        [
          { field: 'status', is: '==', value: 'draft' },
          { field: 'lines', is: '>', value: 2 },
        ],
      ],
    },
    'max(bills.latest)': { items: 'bill', by: 'payer_id', of: 'max', field: 'latest' },
  },
  computed: {
    bills: { expression: 'count(bills)', compute: (_, totals) => totals['count(bills)'] },
    owed: { expression: 'sum(bills.total)', compute: (_, totals) => decimal.fit(totals['sum(bills.total)'], 18, 2) },
    open: {
      expression: 'count(bills, bills.status != "sent")',
      compute: (_, totals) => totals['count(bills,bills.status!="sent")'],
    },
    largest: {
      expression: 'max(bills.due, bills.status == "draft" && bills.lines > 2)',
      compute: (_, totals) => totals['max(bills.due,bills.status=="draft"&&bills.lines>2)'],
    },
    latest: { expression: 'max(bills.latest)', compute: (_, totals) => totals['max(bills.latest)'] },
  },
  rules: [
    {
      that: 'open <= 9',
      message: 'A payer has nine open bills at most.',
      isOverTotals: true,
      isBroken: ({ open }) => open > 9,
    },
    {
      that: 'name != "late"',
      message: 'A payer that is written now is not late.',
      isBroken: ({ name }) => name === 'late',
    },
  ],
});

interface Article {
  readonly name: string | null;
  readonly pieces: number | null;
  readonly many: number | null;
  readonly cheapest: string | null;
}

export const articleLogic = logic<Article>({
  url: import.meta.url,
  name: 'articleLogic',
  totals: {
    'sum(lines.quantity)': { items: 'line', by: 'article_id', of: 'sum', field: 'quantity' },
    'count(lines,lines.quantity>3||lines.notes==null)': {
      items: 'line',
      by: 'article_id',
      of: 'count',
      when: [[{ field: 'quantity', is: '>', value: 3 }], [{ field: 'notes', is: '==', value: null }]],
    },
    'min(lines.price)': { items: 'line', by: 'article_id', of: 'min', field: 'price' },
  },
  computed: {
    pieces: { expression: 'sum(lines.quantity)', compute: (_, totals) => integer(totals['sum(lines.quantity)']) },
    many: {
      expression: 'count(lines, lines.quantity > 3 || lines.notes == null)',
      compute: (_, totals) => totals['count(lines,lines.quantity>3||lines.notes==null)'],
    },
    cheapest: { expression: 'min(lines.price)', compute: (_, totals) => totals['min(lines.price)'] },
  },
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

export const billLogic = logic<Bill>({
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
      compute: (_, totals) => decimal.fit(totals['sum(lines.amount)'], 12, 2),
    },
    lines: { expression: 'count(lines)', compute: (_, totals) => totals['count(lines)'] },
    pieces: { expression: 'sum(lines.quantity)', compute: (_, totals) => integer(totals['sum(lines.quantity)']) },
    latest: { expression: 'max(lines.spent_on)', compute: (_, totals) => totals['max(lines.spent_on)'] },
    cheapest: { expression: 'min(lines.price)', compute: (_, totals) => totals['min(lines.price)'] },
    lightest: { expression: 'min(lines.weight)', compute: (_, totals) => totals['min(lines.weight)'] },
    fees: { expression: 'count(fees)', compute: (_, totals) => totals['count(fees)'] },
    charged: { expression: 'sum(fees.amount)', compute: (_, totals) => decimal.fit(totals['sum(fees.amount)'], 18, 0) },
    due: {
      expression: 'total - discount',
      compute: ({ total, discount }) => decimal.fit(decimal.subtract(total, discount ?? '0'), 12, 2),
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
      isOverTotals: true,
      isBroken: ({ lines, due }) => lines !== 0 && decimal.compare(due, '0') < 0,
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
