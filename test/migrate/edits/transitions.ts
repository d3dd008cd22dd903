import type { Edit } from './edit.ts';

const fields = 'fields: { name, due_on: { format: date }, level: integer, reason, status: { default: draft } }';
const submit = 'submit: { from: draft, to: submitted }';
const order = (transitions: string, more = ''): string =>
  `${fields} | transitions: { ${transitions} }${more && ` | ${more}`}`;
const extend = 'from: submitted, input: { until: { format: date, required: true } }, set: { due_on: input.until }';

/** Edits of transitions, states and locks. */
export const transitionEdits: readonly Edit[] = [
  {
    edit: 'a transition that keeps the state comes to locked records',
    before: { order: order(submit, 'locked_in: [submitted]') },
    after: { order: order(`${submit}, extend: { ${extend} }`, 'locked_in: [submitted]') },
    changes: 'order/transitions/extend/added',
    rows: `a = order { name: A }
      a.submit
      b = order { name: B }`,
    next: `a.extend { until: 2026-05-01 } => { due_on: 2026-05-01, status: submitted }
      a: { name: C } => 409 locked
      b.extend { until: 2026-05-01 } => 409 wrong_state
      a.undo => { due_on: null, status: submitted }
      a.undo 2 => { status: draft }`,
  },
  {
    edit: 'a transition keeps the state from now on, and sets a field',
    before: { order: order(submit) },
    after: { order: order('submit: { from: draft, set: { level: 1 } }') },
    changes: '!order/transitions/submit/to/changed, order/transitions/submit/set/level/changed',
    rows: `a = order { name: A }
      a.submit
      b = order { name: B }`,
    next: `a.submit => 409 wrong_state
      a.undo => { status: draft, level: null }
      a.submit => { status: draft, level: 1 }
      b.submit => { status: draft, level: 1 }
      b.undo => { level: null }`,
  },
  {
    edit: 'a transition that kept the state moves it from now on',
    before: { order: order(`${submit}, extend: { ${extend} }`) },
    after: { order: order(`${submit}, extend: { ${extend}, to: extended }`) },
    changes: '!order/transitions/extend/to/changed',
    rows: `a = order { name: A }
      a.submit
      a.extend { until: 2026-05-01 }`,
    next: `a.undo => { due_on: null, status: submitted }
      a.extend { until: 2026-06-01 } => { due_on: 2026-06-01, status: extended }
      a.undo => { due_on: null, status: submitted }`,
  },
  {
    edit: 'a transition goes',
    before: { order: order(`${submit}, cancel: { from: draft, to: cancelled }`) },
    after: { order: order('cancel: { from: draft, to: cancelled }') },
    changes: '!order/transitions/submit/removed',
    rows: `a = order { name: A }
      a.submit`,
    next: `a.submit => 404 not_found
      a.undo => { status: draft }
      a.cancel => { status: cancelled }
      a.undo 2 => 409 changed_since`,
  },
  {
    edit: 'a transition gets another name',
    before: { order: order(submit) },
    after: { order: order('send: { from: draft, to: submitted }') },
    changes: '!order/transitions/submit/removed, order/transitions/send/added',
    rows: `a = order { name: A }
      a.submit`,
    next: `a.undo => { status: draft }
      a.send => { status: submitted }`,
  },
  {
    edit: 'a transition sets another literal',
    before: { order: order('submit: { from: draft, to: submitted, set: { level: 1 } }') },
    after: { order: order('submit: { from: draft, to: submitted, set: { level: 2, reason: { value: now } } }') },
    changes: 'order/transitions/submit/set/level/changed, order/transitions/submit/set/reason/changed',
    rows: `a = order { name: A }
      a.submit`,
    next: `a => { level: 1 }
      a.undo => { level: null, status: draft }
      a.submit => { level: 2, reason: now }`,
  },
  {
    edit: 'a transition takes an input, which it requires',
    before: { order: order(submit) },
    after: {
      order: order(
        'submit: { from: draft, to: submitted, input: { why: { required: true, max_length: 20 } }, set: { reason: input.why } }',
      ),
    },
    changes: 'order/transitions/submit/set/reason/changed, !order/transitions/submit/input/why/added',
    rows: `a = order { name: A, reason: kept }
      a.submit
      b = order { name: B }`,
    next: `b.submit => 422 invalid_body
      b.submit { why: so } => { reason: so }
      a.undo => { status: draft, reason: kept }`,
  },
  {
    edit: 'a transition starts from a state more',
    before: { order: order(`${submit}, cancel: { from: draft, to: cancelled }`) },
    after: { order: order(`${submit}, cancel: { from: [draft, submitted], to: cancelled }`) },
    changes: 'order/transitions/cancel/from/submitted/added',
    rows: `a = order { name: A }
      a.submit
      a.cancel => 409 wrong_state`,
    next: `a.cancel => { status: cancelled }
      a.undo => { status: submitted }`,
  },
  {
    edit: 'a transition requires a field',
    before: { order: order(submit) },
    after: { order: order('submit: { from: draft, to: submitted, requires: [level] }') },
    changes: '!order/transitions/submit/requires/level/added',
    rows: `a = order { name: A }
      a.submit`,
    next: `a => { status: submitted, level: null }
      a.undo => { status: draft }
      a.submit => 422 invalid_body
      a: { level: 1 }
      a.submit => { status: submitted }`,
  },
  {
    edit: 'states become closed, also those that no transition knows',
    before: { order: order(submit) },
    after: { order: order(submit, 'states: closed') },
    changes: '!order/status/read_only/added',
    rows: `a = order { name: A, status: odd }
      b = order { name: B }
      b: { status: submitted }`,
    next: `a: { name: C, status: odd } => { name: C, status: odd }
      a: { status: draft } => 422 invalid_body
      c = order { status: odd } => 422 invalid_body
      b.undo => { status: draft }
      b.submit => { status: submitted }`,
  },
  {
    edit: 'records in a state become locked',
    before: { order: order(submit) },
    after: { order: order(submit, 'locked_in: [submitted]') },
    changes: '!order/locked_in/submitted/added',
    rows: `a = order { name: A }
      a.submit
      a: { name: B }`,
    next: `a: { name: C } => 409 locked
      a.undo => 409 locked
      a.delete => 409 locked
      a.undo 2 => { status: draft, name: B }
      a.undo 3 => { name: A }`,
  },
  {
    edit: 'records in a state are no longer locked, and line items of them are written again',
    before: {
      order: order(submit, 'locked_in: [submitted]'),
      line: 'kind: line-item | parent: { field: order_id, resource: ~/order } | fields: { order_id: { required: true }, name }',
    },
    after: { order: order(submit) },
    changes: 'order/locked_in/submitted/removed',
    rows: `a = order { name: A }
      l = line { order_id: $a, name: L }
      a.submit
      l: { name: M } => 409 locked`,
    next: `l: { name: M } => { name: M }
      line?parent_id=$a => [l]
      a: { name: B } => { name: B }`,
  },
  {
    edit: 'a field that a transition sets can only be set by it',
    before: { order: order('submit: { from: draft, to: submitted, set: { level: 1 } }') },
    after: {
      order: order('submit: { from: draft, to: submitted, set: { level: 1 } }').replace(
        'level: integer',
        'level: { type: integer, read_only: true }',
      ),
    },
    changes: '!order/level/read_only/added',
    rows: `a = order { name: A, level: 7 }
      a.submit
      b = order { level: 5 }`,
    next: `b: { level: 6 } => 422 invalid_body
      b: { level: 5, name: B } => { level: 5 }
      a.undo => { status: draft, level: 7 }`,
  },
  {
    edit: 'a state is renamed, and the transitions with it',
    before: {
      order: `${order(submit)} | list: { filter: [status] }`.replace(
        'default: draft',
        'enum: [draft, submitted], default: draft',
      ),
    },
    after: {
      order: `${order('submit: { from: draft, to: sent }')} | list: { filter: [status] }`.replace(
        'default: draft',
        'enum: [draft, { value: sent, renamed_from: submitted }], default: draft',
      ),
    },
    changes: '!order/status/enum/submitted/renamed, !order/transitions/submit/to/changed',
    changed: ['status'],
    rows: `a = order { name: A }
      a.submit
      b = order { name: B }`,
    next: `a => { status: sent }
      order?status=sent => [a]
      a.undo => { status: draft }
      b.submit => { status: sent }`,
  },
];
