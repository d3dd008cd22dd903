import type { Edit } from './edit.ts';

const note = (fields: string, more = ''): string =>
  `fields: { name: { max_length: 50 }${fields && `, ${fields}`} }${more && ` | ${more}`}`;
const two = `a = note { name: A }
  b = note { name: B }`;

/** Edits of stamps, and objects of any form. */
export const stampEdits: readonly Edit[] = [
  {
    edit: 'who and when come to rows',
    before: { note: note('') },
    after: {
      note: note(
        'by: { always: actor }, at: { format: date-time, always: now }, on: { format: date, always: today }, from: { default: actor, read_only: true }',
      ),
    },
    changes: 'note/by/added, note/at/added, note/on/added, note/from/added',
    rows: `${two}
      a: { name: C }`,
    next: `a => { by: null, at: null, on: null, from: null }
      a.undo => { name: A, by: $actor, from: null }
      b: { name: B } => { by: null }
      c = note { name: C } => { by: $actor, from: $actor }`,
  },
  {
    edit: 'fields that clients have set are stamps from now on',
    before: { note: note('by, at: { format: date-time }') },
    after: { note: note('by: { always: actor }, at: { format: date-time, always: now }') },
    changes: '!note/by/always/added, !note/at/always/added',
    rows: `a = note { name: A, by: me, at: 2020-01-01T00:00:00Z }
      a: { by: you }`,
    next: `a => { by: you, at: 2020-01-01T00:00:00.000Z }
      a: { by: me } => 422 invalid_body
      a.undo => 409 changed_since
      a: { name: B } => { by: $actor }`,
  },
  {
    edit: 'stamps become fields that clients set',
    before: { note: note('by: { always: actor }, from: { default: actor, read_only: true }') },
    after: { note: note('by, from') },
    changes:
      'note/by/read_only/removed, !note/by/default/removed, note/from/read_only/removed, !note/from/default/removed',
    rows: `a = note { name: A }
      a: { name: B }`,
    next: `a => { by: $actor, from: $actor }
      a: { by: me } => { by: me }
      a.undo 2 => { name: A, by: me }`,
  },
  {
    edit: 'a stamp is renamed',
    before: { note: note('by: { always: actor }', 'list: { filter: [by] }') },
    after: { note: note('edited_by: { always: actor, renamed_from: by }', 'list: { filter: [edited_by] }') },
    changes: '!note/list/filter/by/renamed, !note/by/renamed',
    stops: true,
    rows: `a = note { name: A }
      a: { name: B }`,
    next: `a => { edited_by: $actor }
      note?edited_by[null]=false => [a]
      a.undo => { name: A, edited_by: $actor }`,
  },
  {
    edit: 'a text that is no day becomes the day of changes',
    before: { note: note('on') },
    after: { note: note('on: { format: date, always: today }') },
    changes: '!note/on/format/added, !note/on/always/added',
    refused: ['The field on of note_N', 'note_N_'],
    rows: `a = note { name: A, on: yesterday }
      b = note { name: B, on: 2026-01-31 }`,
    mended: 'a: { on: null }',
    next: `b => { on: 2026-01-31 }
      a => { on: null }
      a.undo => 409 changed_since`,
  },
  {
    edit: 'the default of a field is who creates it',
    before: { note: note('by') },
    after: { note: note('by: { default: actor }') },
    changes: 'note/by/default/added',
    rows: two,
    next: `a => { by: null }
      c = note { name: C } => { by: $actor }
      d = note { by: me } => { by: me }
      a.undo => { deleted: true }`,
  },
  {
    edit: 'an object of any form comes',
    before: { note: note('') },
    after: { note: note('data: { type: json }', 'list: { filter: [data] }') },
    changes: 'note/list/filter/data/added, note/data/added',
    rows: `${two}
      a: { name: C }`,
    next: `a => { data: null }
      b: { data: { z: [1, 2], a: { x: null } } } => { data: { z: [1, 2], a: { x: null } } }
      note?data[null]=true => [a]
      a.undo => { name: A, data: null }
      b.undo => { data: null }`,
  },
  {
    edit: 'an object of any form is taken in fewer bytes',
    before: { note: note('data: { type: json }') },
    after: { note: note('data: { type: json, max_bytes: 20 }') },
    changes: '!note/data/max_bytes/narrowed',
    rows: `a = note { data: { text: "0123456789 0123456789" } }
      b = note { data: [1] }
      b: { data: { text: "0123456789 0123456789" } }
      b: { data: [2] }`,
    next: `a => { data: { text: "0123456789 0123456789" } }
      a: { name: A } => { data: { text: "0123456789 0123456789" } }
      a: { data: { text: "0123456789 012345678" } } => 422 invalid_body
      b.undo => { data: { text: "0123456789 0123456789" } }`,
  },
  {
    edit: 'an object of any form is renamed',
    before: { note: note('data: { type: json }') },
    after: { note: note('facts: { type: json, renamed_from: data }') },
    changes: '!note/data/renamed',
    stops: true,
    rows: `a = note { data: { b: 1, a: [2] } }
      a: { data: [1] }
      b = note { data: { x: 1.0 } }
      b.delete`,
    next: `a => { facts: [1] }
      a.undo => { facts: { b: 1, a: [2] } }
      b.undo => { facts: { x: 1 } }`,
  },
  {
    edit: 'a text becomes an object of any form',
    before: { note: note('data') },
    after: { note: note('data: { type: json }') },
    changes: '!note/data/type/changed',
    blocked: ['Column "data" of table "note_N" is text', 'Give the field a new name'],
    rows: `a = note { data: "[1]" }`,
    next: `a => { data: "[1]" }`,
  },
  {
    edit: 'an object of any form becomes a list',
    before: { note: note('data: { type: json }') },
    after: { note: note('data: { type: list, of: string }') },
    changes: '!note/data/type/changed',
    refused: [
      'Column "data" of table "note_N" holds no list of strings in 3 rows: note_N_',
      'Give the field a new name',
    ],
    rows: `a = note { data: { b: 1 } }
      b = note { data: [x, y] }
      c = note { data: [[x]] }
      d = note { data: [x, 1] }`,
    mended: `a: { data: null }
      c: { data: [] }
      d: { data: [x] }`,
    next: `a => { data: null }
      b => { data: [x, y] }
      b: { data: [z] } => { data: [z] }
      a.undo => 409 changed_since`,
  },
  {
    edit: 'a list becomes an object of any form',
    before: { note: note('tags: { type: list, of: string }') },
    after: { note: note('tags: { type: json }') },
    changes: '!note/tags/type/changed',
    rows: `a = note { tags: [x, "é\\"", ""] }
      b = note { tags: [] }
      a: { tags: [y] }`,
    next: `a => { tags: [y] }
      b => { tags: [] }
      b: { tags: { x: [1] } } => { tags: { x: [1] } }
      a.undo => { tags: [x, "é\\"", ""] }`,
  },
  {
    edit: 'an object of any form becomes required',
    before: { note: note('data: { type: json }') },
    after: { note: note('data: { type: json, required: true }') },
    changes: '!note/data/required/added',
    refused: ['The field data of note_N is required, and 1 row has no value.', 'backfill'],
    rows: `a = note { name: A }
      b = note { data: { x: 1 } }`,
    mended: 'a: { data: { y: 2 } }',
    next: `a => { data: { y: 2 } }
      a: { data: null } => 422 invalid_body
      a.undo => 409 changed_since`,
  },
];
