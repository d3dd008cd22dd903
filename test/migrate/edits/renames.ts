import type { Edit } from './edit.ts';

const thing = 'fields: { name: { max_length: 50 } }';

/** Edits of what others name: most are renames. */
export const renameEdits: readonly Edit[] = [
  {
    edit: 'a resource that a reference names beside another is renamed',
    before: {
      lead: thing,
      customer: thing,
      call: 'fields: { of_id: { references: [~/lead, ~/customer], inverse: calls } }',
    },
    after: {
      lead: null,
      prospect: `${thing} | renamed_from: lead_N`,
      call: 'fields: { of_id: { references: [~/prospect, ~/customer], inverse: calls } }',
    },
    changes: '!lead/moved, !lead/renamed, lead/title/changed, lead/plural/changed',
    stops: true,
    rows: `l = lead { name: L }
      c = customer { name: C }
      a = call { of_id: $l }
      a: { of_id: $c }
      b = call { of_id: $l }
      b.delete`,
    next: `l is prospect
      a.undo => { of_id: $l }
      prospect?expand=calls => [l]
      call?of_id=$l&expand=of_id => { data: [{ of: { name: L } }] }
      l.delete => 409 still_referenced
      b.undo => { of_id: $l }
      p = prospect { name: P }
      b: { of_id: $p } => { of_id: $p }`,
  },
  {
    edit: 'a reference to several resources is renamed',
    before: {
      lead: thing,
      customer: thing,
      call: 'fields: { of_id: { references: [~/lead, ~/customer], on_delete: cascade } }',
    },
    after: {
      call: 'fields: { for_id: { references: [~/lead, ~/customer], on_delete: cascade, renamed_from: of_id } }',
    },
    changes: '!call/list/filter/of_id/renamed, !call/of_id/renamed',
    stops: true,
    rows: `l = lead { name: L }
      c = customer { name: C }
      a = call { of_id: $l }
      b = call { of_id: $c }
      b.delete`,
    next: `call?for_id=$l => [a]
      b.undo => { for_id: $c }
      l.delete
      call? => [b]
      l.undo
      a.undo => { for_id: $l }`,
  },
  {
    edit: 'a field that a rule of another resource reads is renamed',
    before: {
      customer: 'fields: { name: , is_blocked: { type: boolean, default: false, nullable: false } }',
      call: 'fields: { name:, of_id: { references: ~/customer, required: true } } | rules: [{ that: of.is_blocked == false, message: It is blocked. }]',
    },
    after: {
      customer:
        'fields: { name: , is_banned: { type: boolean, default: false, nullable: false, renamed_from: is_blocked } }',
      call: 'fields: { name:, of_id: { references: ~/customer, required: true } } | rules: [{ that: of.is_banned == false, message: It is blocked. }]',
    },
    changes: '!customer/is_blocked/renamed',
    stops: true,
    rows: `c = customer { name: C }
      a = call { of_id: $c, name: A }
      c: { is_blocked: true }`,
    next: `a: { name: B } => 422 rule_violated
      c.undo => { is_banned: false }
      a: { name: B } => { name: B }
      c.undo => { is_banned: true }
      a.undo => 422 rule_violated`,
  },
  {
    edit: 'the field that transitions move is renamed, and a state that locks',
    before: {
      order:
        'fields: { name:, status: { enum: [draft, submitted], default: draft } } | transitions: { submit: { from: draft, to: submitted } } | locked_in: [submitted] | states: closed',
    },
    after: {
      order:
        'fields: { name:, state: { enum: [draft, { value: sent, renamed_from: submitted }], default: draft, renamed_from: status } } | transitions: { submit: { field: state, from: draft, to: sent } } | locked_in: [sent] | states: closed',
    },
    changes:
      '!order/status/renamed, !order/status/enum/submitted/renamed, !order/transitions/submit/to/changed, !order/locked_in/sent/added, order/locked_in/submitted/removed',
    stops: true,
    rows: `a = order { name: A }
      a.submit
      b = order { name: B }
      b: { name: C }`,
    next: `a => { state: sent }
      a: { name: X } => 409 locked
      a.undo => { state: draft }
      b.submit => { state: sent }
      b.undo 2 => 409 locked`,
  },
  {
    edit: 'a total over line items that reference the record comes',
    before: {
      article: thing,
      bill: thing,
      line: 'kind: line-item | parent: { field: bill_id, resource: ~/bill } | fields: { bill_id: { required: true }, article_id: { references: ~/article, on_delete: set_null }, count: { type: integer, default: 1, nullable: false } }',
    },
    after: {
      article: 'fields: { name: { max_length: 50 }, sold: { type: integer, computed: sum(uses.count) } }',
      line: 'kind: line-item | parent: { field: bill_id, resource: ~/bill } | fields: { bill_id: { required: true }, article_id: { references: ~/article, on_delete: set_null, inverse: uses }, count: { type: integer, default: 1, nullable: false } }',
    },
    changes: 'article/sold/added, line/article_id/inverse/added',
    rows: `x = article { name: X }
      a = bill { name: A }
      l = line { bill_id: $a, article_id: $x, count: 3 }
      m = line { bill_id: $a, article_id: $x }
      m.delete`,
    next: `x => { sold: 3 }
      m.undo
      x => { sold: 4 }
      a.delete
      x => { sold: 0 }
      a.undo
      x => { sold: 4 }
      l: { count: 1 }
      x => { sold: 2 }`,
  },
  {
    edit: 'settings that a default comes from are renamed, and so is their field',
    before: {
      options: 'kind: singleton | fields: { rate: { type: integer, default: 5 } }',
      call: 'fields: { rate: { type: integer, default_from: ~/options.rate } }',
    },
    after: {
      options: null,
      setup:
        'kind: singleton | renamed_from: options_N | fields: { tax: { type: integer, default: 6, renamed_from: rate } }',
      call: 'fields: { rate: { type: integer, default_from: ~/setup.tax } }',
    },
    changes:
      '!call/rate/default_from/changed, !options/moved, !options/renamed, options/title/changed, options/plural/changed, !options/rate/renamed, options/rate/default/changed',
    stops: true,
    rows: `s = options
      s: { rate: 7 }
      a = call {}`,
    next: `s is setup
      s => { tax: 7 }
      b = call {} => { rate: 7 }
      s.undo => { tax: 5 }
      c = call {} => { rate: 5 }`,
  },
  {
    edit: 'a list is sorted without regard to case by a field whose values are renamed',
    before: { call: 'fields: { color: { enum: [Red, blue, Zinc] } } | list: { sort: [color] }' },
    after: {
      call: 'fields: { color: { enum: [{ value: able, renamed_from: Red }, blue, Zinc] } } | list: { sort: [{ field: color, ignore_case: true }] }',
    },
    changes: 'call/list/sort/color/ignore_case, !call/color/enum/Red/renamed',
    changed: ['color'],
    rows: `a = call { color: Red }
      b = call { color: blue }
      c = call { color: Zinc }
      c: { color: Red }
      c: { color: Zinc }`,
    next: `call?sort=color => [a, b, c]
      c.undo => { color: able }
      call?sort=color => [c, a, b]`,
  },
];
