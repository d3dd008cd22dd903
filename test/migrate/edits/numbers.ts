import type { Edit } from './edit.ts';

const numbered = (field: string): string => `fields: { name, number: ${field} }`;

/** Edits of sequences. */
export const numberEdits: readonly Edit[] = [
  {
    edit: 'a sequence comes',
    before: { bill: 'fields: { name }' },
    after: { bill: `${numbered("{ sequence: 'B-{000}' }")} | list: { sort: [number] }` },
    changes: 'bill/list/sort/number/added, bill/number/added',
    stops: true,
    rows: `a = bill { name: A }
      b = bill { name: B }
      c = bill { name: C }
      b.delete`,
    next: `a => { number: B-001 }
      c => { number: B-002 }
      d = bill { name: D } => { number: B-003 }
      b.undo => { name: B }
      bill?sort=number => [a, c, d, b]
      d.delete
      e = bill { name: E }`,
  },
  {
    edit: 'a sequence counts by another pattern',
    before: { bill: numbered("{ sequence: 'B-{000}' }") },
    after: { bill: numbered("{ sequence: 'R-{0000}' }") },
    changes: 'bill/number/sequence/changed',
    rows: `a = bill { name: A }
      b = bill { name: B }`,
    next: `b => { number: B-002 }
      c = bill { name: C } => { number: R-0001 }
      c.undo => { deleted: true }
      d = bill { name: D } => { number: R-0002 }`,
  },
  {
    edit: 'a sequence has more digits',
    before: { bill: numbered("{ sequence: 'B-{00}' }") },
    after: { bill: numbered("{ sequence: 'B-{0000}' }") },
    changes: 'bill/number/sequence/changed',
    rows: `a = bill { name: A }
      b = bill { name: B }`,
    next: `b => { number: B-02 }
      c = bill { name: C } => { number: B-0003 }
      a: { number: B-01, name: D } => { number: B-01 }`,
  },
  {
    edit: 'a sequence goes, and its numbers stay',
    before: { bill: numbered("{ sequence: 'B-{000}' }") },
    after: { bill: numbered('{ unique: true, max_length: 20 }') },
    changes:
      '!bill/number/max_length/narrowed, !bill/number/nullable/added, bill/number/read_only/removed, bill/number/sequence/removed',
    rows: `a = bill { name: A }
      b = bill { name: B }`,
    next: `b => { number: B-002 }
      c = bill { name: C } => { number: null }
      d = bill { number: B-002 } => 409 not_unique
      a: { number: X } => { number: X }`,
  },
  {
    edit: 'unique texts become a sequence, which goes on behind them',
    before: { bill: numbered('{ unique: true, max_length: 20 }') },
    after: { bill: numbered("{ sequence: 'B-{000}' }") },
    changes:
      'bill/number/max_length/widened, !bill/number/nullable/removed, !bill/number/read_only/added, bill/number/sequence/added',
    changed: ['number'],
    stops: true,
    rows: `a = bill { number: B-007 }
      b = bill { number: old }
      c = bill { name: C }`,
    next: `a => { number: B-007 }
      b => { number: old }
      c => { number: B-008 }
      d = bill { name: D } => { number: B-009 }
      a: { number: X } => 422 invalid_body`,
  },
  {
    edit: 'texts become a sequence, and two rows have the same',
    before: { bill: numbered('{ max_length: 20 }') },
    after: { bill: numbered("{ sequence: 'B-{000}' }") },
    changes:
      'bill/number/max_length/widened, !bill/number/nullable/removed, !bill/number/read_only/added, bill/number/sequence/added',
    refused: ['bill_N', 'number', 'bill_N_'],
    rows: `a = bill { number: B-001 }
      b = bill { number: B-001 }`,
    mended: 'b: { number: B-002 }',
    next: `b => { number: B-002 }
      c = bill { name: C } => { number: B-003 }
      b.undo => 409 changed_since`,
  },
  {
    edit: 'a sequence is renamed',
    before: { bill: numbered("{ sequence: 'B-{000}' }") },
    after: { bill: `fields: { name, code: { sequence: 'B-{000}', renamed_from: number } }` },
    changes: '!bill/number/renamed',
    stops: true,
    rows: `a = bill { name: A }
      b = bill { name: B }
      b.delete`,
    next: `a => { code: B-001 }
      c = bill { name: C } => { code: B-003 }
      b.undo => { code: B-002 }`,
  },
];
