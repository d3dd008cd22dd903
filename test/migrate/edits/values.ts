import type { Edit } from './edit.ts';

const thing = 'fields: { name: { max_length: 50 } }';
const to = (target: string): string => `fields: { name, of_id: { references: ${target} } }`;

/** Edits of defaults, settings, rules about other records, values of enums and what the console shows, and of whole resources. */
export const valueEdits: readonly Edit[] = [
  {
    edit: 'a field takes its default from a referenced record',
    before: {
      customer: `fields: { name, currency: { enum: [EUR, USD] } }`,
      call: to('~/customer').replace('name,', 'currency: { enum: [EUR, USD] },'),
    },
    after: { call: to('~/customer').replace('name,', 'currency: { enum: [EUR, USD], default_from: of.currency },') },
    changes: 'call/currency/default_from/added',
    rows: `c = customer { currency: USD }
      a = call { of_id: $c }`,
    next: `a => { currency: null }
      b = call { of_id: $c } => { currency: USD }
      c: { currency: EUR }
      b => { currency: USD }
      a: { currency: EUR }
      a.undo => { currency: null }`,
  },
  {
    edit: 'a default comes from settings, whose own default changes',
    before: {
      options: 'kind: singleton | fields: { rate: { type: integer, default: 5 } }',
      call: 'fields: { name, rate: { type: integer, default: 1 } }',
    },
    after: {
      options:
        'kind: singleton | fields: { rate: { type: integer, default: 6 }, days: { type: integer, default: 14, nullable: false } }',
      call: 'fields: { name, rate: { type: integer, default_from: ~/options.rate } }',
    },
    changes: '!call/rate/default_from/added, options/rate/default/changed, options/days/added',
    rows: `s = options
      s => { rate: 5 }
      a = call { name: A }`,
    next: `s => { rate: 5, days: 14 }
      a => { rate: 1 }
      b = call { name: B } => { rate: 5 }
      s: { rate: null, days: 7 } => { rate: null, days: 7 }
      c = call { name: C } => { rate: null }`,
  },
  {
    edit: 'settings that may be null have a default and are never null',
    before: { options: 'kind: singleton | fields: { rate: integer, zone: }' },
    after: {
      options:
        'kind: singleton | fields: { rate: { type: integer, default: 3, nullable: false }, zone: { default: utc } }',
    },
    changes: '!options/rate/nullable/removed, options/rate/default/added, options/zone/default/added',
    changed: ['rate'],
    rows: `s = options
      s: { zone: here }
      s: { zone: null }`,
    next: `s => { rate: 3, zone: null }
      s.undo => { zone: here, rate: 3 }
      s: { rate: null } => 422 invalid_body`,
  },
  {
    edit: 'a rule reads another record, and a row breaks it',
    before: {
      customer: 'fields: { name: { max_length: 50 }, is_blocked: { type: boolean, default: false, nullable: false } }',
      call: to('~/customer'),
    },
    after: {
      call: `${to('~/customer')} | rules: [{ that: of == null || of.is_blocked == false, message: It is blocked., field: of_id }]`,
    },
    changes: '!call/rules/it-is-blocked/added',
    rows: `c = customer { is_blocked: true }
      a = call { of_id: $c, name: A }
      a: { name: B }`,
    next: `a => { name: B }
      a: { name: C } => 422 rule_violated
      a.undo => 422 rule_violated
      c: { is_blocked: false }
      a.undo => { name: A }`,
  },
  {
    edit: 'a rule that reads another record goes, with the field that it reads',
    before: {
      customer: 'fields: { name: { max_length: 50 }, is_blocked: { type: boolean, default: false, nullable: false } }',
      call: `${to('~/customer')} | rules: [{ that: of == null || of.is_blocked == false, message: It is blocked., field: of_id }]`,
    },
    after: { customer: thing, call: to('~/customer') },
    changes: 'call/rules/it-is-blocked/removed, !customer/is_blocked/removed',
    rows: `c = customer { is_blocked: true, name: C }
      d = customer { name: D }
      c: { is_blocked: false }
      a = call { of_id: $c }`,
    next: `c => { name: C }
      c.undo => 409 changed_since
      a: { of_id: $d }
      a.undo => { of_id: $c }`,
  },
  {
    edit: 'titles, groups and colors are given to the console',
    before: {
      customer: thing,
      call: `${to('~/customer').replace('name,', 'name, status: { enum: [open, done], default: open },')}`,
    },
    after: {
      call: `${to('~/customer').replace('name,', 'name, status: { enum: [open, done], default: open, colors: { open: blue } },')} | record_title: [name, of_id.name] | form: [{ title: What, fields: [name, of_id], show_if: status == "open" }]`,
    },
    changes: 'call/form/changed, call/record_title/changed, call/status/colors/changed',
    rows: `c = customer { name: C }
      a = call { of_id: $c, name: A }
      a: { status: done }`,
    next: `a => { name: A, status: done, of_id: $c }
      a.undo => { status: open }`,
  },
  {
    edit: 'a value is renamed in a list, and in the records that take it from there',
    before: {
      customer:
        'fields: { tags: { type: list, of: { enum: [red, blue] } }, color: { enum: [red, blue] } } | list: { filter: [tags] }',
      call: to('~/customer').replace('name,', 'color: { enum: [red, blue], default_from: of.color },'),
    },
    after: {
      customer:
        'fields: { tags: { type: list, of: { enum: [{ value: scarlet, renamed_from: red }, blue] } }, color: { enum: [{ value: scarlet, renamed_from: red }, blue] } } | list: { filter: [tags] }',
      call: to('~/customer').replace(
        'name,',
        'color: { enum: [{ value: scarlet, renamed_from: red }, blue], default_from: of.color },',
      ),
    },
    changes: '!call/color/enum/red/renamed, !customer/tags/of/enum/red/renamed, !customer/color/enum/red/renamed',
    changed: ['tags', 'color'],
    rows: `c = customer { tags: [red, blue], color: red }
      a = call { of_id: $c }
      a: { color: blue }
      c: { tags: [] }`,
    next: `c => { color: scarlet, tags: [] }
      c.undo => { tags: [scarlet, blue] }
      customer?tags[has]=scarlet => [c]
      a.undo => { color: scarlet }
      b = call { of_id: $c } => { color: scarlet }
      b: { color: red } => 422 invalid_body`,
  },
  {
    edit: 'a value of an enum goes while rows have it',
    before: { call: 'fields: { name, color: { enum: [red, blue] } } | list: { filter: [color] }' },
    after: { call: 'fields: { name, color: { enum: [blue] } } | list: { filter: [color] }' },
    changes: '!call/color/enum/red/removed',
    rows: `a = call { color: red, name: A }
      b = call { color: red }
      b: { color: blue }`,
    next: `a => { color: red }
      call?color=red => [a]
      a: { name: B } => { color: red, name: B }
      a: { color: red } => 422 invalid_body
      b.undo => { color: red }`,
  },
  {
    edit: 'line items and the field of their parent are renamed after a delete of both',
    before: {
      bill: thing,
      line: 'kind: line-item | parent: { field: bill_id, resource: ~/bill } | fields: { bill_id: { required: true }, text: }',
    },
    after: {
      line: null,
      row: 'kind: line-item | renamed_from: line_N | parent: { field: of_id, resource: ~/bill } | fields: { of_id: { required: true, renamed_from: bill_id }, words: { renamed_from: text } }',
    },
    changes:
      '!line/moved, !line/renamed, line/title/changed, line/plural/changed, !line/bill_id/renamed, !line/text/renamed',
    stops: true,
    rows: `a = bill { name: A }
      l = line { bill_id: $a, text: L }
      b = bill { name: B }
      m = line { bill_id: $b, text: M }
      m: { text: N }
      a.delete`,
    next: `l is row
      m is row
      a.undo => { name: A }
      row?parent_id=$a => [l]
      row?parent_id=$a&limit=1 => { data: [{ words: L, idx: 1 }] }
      m.undo => { words: M }`,
  },
  {
    edit: 'a required field is renamed after a delete',
    before: { call: 'fields: { name: { required: true, unique: true, max_length: 20 }, note: }' },
    after: { call: 'fields: { title: { required: true, unique: true, max_length: 20, renamed_from: name }, note: }' },
    changes: '!call/name/renamed',
    stops: true,
    rows: `a = call { name: A, note: x }
      b = call { name: B }
      b: { name: C }
      a.delete`,
    next: `a.undo => { title: A, note: x }
      b.undo => { title: B }
      b: { title: A } => 409 not_unique`,
  },
  {
    edit: 'a required field comes after a delete',
    before: { call: 'fields: { name: }' },
    after: {
      call: 'fields: { name:, code: { required: true, backfill: none }, place: { required: true, default_from: ~/options.place } }',
      options: 'kind: singleton | fields: { place: { default: here } }',
    },
    changes: '!call/code/added, !call/place/added, options/added',
    rows: `a = call { name: A }
      b = call { name: B }
      a.delete
      b.delete`,
    next: `a.undo => 409 changed_since
      call? => []
      c = call { name: C, code: x } => { code: x, place: here }`,
  },
  {
    edit: 'the field that a default comes from is renamed',
    before: {
      customer: 'fields: { zone: }',
      call: 'fields: { of_id: { references: ~/customer }, zone: { default_from: of.zone } }',
    },
    after: {
      customer: 'fields: { area: { renamed_from: zone } }',
      call: 'fields: { of_id: { references: ~/customer }, zone: { default_from: of.area } }',
    },
    changes: '!call/zone/default_from/changed, !customer/zone/renamed',
    stops: true,
    rows: `c = customer { zone: north }
      a = call { of_id: $c }
      c: { zone: south }`,
    next: `a => { zone: north }
      c => { area: south }
      b = call { of_id: $c } => { zone: south }
      c.undo => { area: north }`,
  },
  {
    edit: 'records get no events from now on',
    before: { call: thing },
    after: { call: `${thing} | events: off` },
    changes: '!call/events/off',
    rows: `a = call { name: A }
      a: { name: B }`,
    next: `a.undo => { name: A }
      a: { name: C }`,
  },
  {
    edit: 'records become settings',
    before: { call: thing },
    after: { call: `kind: singleton | ${thing}` },
    changes: '!call/kind/changed',
    blocked: [
      'Table "call_N" was created for a record, and the spec declares a singleton',
      'Give the resource a new name',
    ],
    rows: 'a = call { name: A }',
    next: 'call? => [a]',
  },
  {
    edit: 'a field and a resource go, and their data stays',
    before: { customer: thing, call: 'fields: { name, code: { max_length: 20, unique: true } }' },
    after: { customer: null, call: 'fields: { name }' },
    changes: '!customer/removed, call/unique/code/removed, !call/code/removed',
    rows: `c = customer { name: C }
      a = call { name: A, code: X }
      a: { name: B, code: Y }`,
    next: `a => { name: B }
      b = call { name: B }
      a.undo => { name: A }`,
  },
];
