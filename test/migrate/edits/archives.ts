import type { Edit } from './edit.ts';

const note = (fields: string, more = ''): string =>
  `fields: { name: { max_length: 50 }${fields && `, ${fields}`} }${more && ` | ${more}`}`;
const two = `a = note { name: A }
  b = note { name: B }`;
const sorted = (field: string): string => `list: { sort: [${field}] }`;
const folded = '{ field: name, ignore_case: true }';

/** Edits of archives, and of lists that are sorted without regard to case. */
export const archiveEdits: readonly Edit[] = [
  {
    edit: 'an archive comes, and goes before anything is in it',
    before: { note: note('') },
    after: { note: note('', 'archive: true') },
    changes:
      'note/operations/archive/added, note/operations/unarchive/added, note/list/filter/archived_at/added, note/archived_at/added, note/archive/added',
    rows: `${two}
      a: { name: C }`,
    next: `a => { archived_at: null }
      a.archive
      note? => [b]
      note?archived=any&sort=created_at => [a, b]
      a.undo 2 => 409 locked
      a.undo => { archived_at: null }
      a.undo 2 => { name: A }`,
  },
  {
    edit: 'times that clients have set become those of an archive',
    before: { note: note('archived_at: { format: date-time }') },
    after: { note: note('', 'archive: true') },
    changes:
      'note/operations/archive/added, note/operations/unarchive/added, note/list/filter/archived_at/added, !note/archived_at/read_only/added, note/archived_at/doc/changed, note/archive/added',
    rows: `a = note { name: A, archived_at: 2026-01-02T00:00:00Z }
      b = note { name: B }`,
    next: `note? => [b]
      note?archived=true => [a]
      a: { name: C } => 409 locked
      a.unarchive => { archived_at: null }
      note?sort=created_at => [a, b]`,
  },
  {
    edit: 'an archive goes while records are in it',
    before: { note: note('', 'archive: true') },
    after: { note: note('') },
    changes:
      '!note/operations/archive/removed, !note/operations/unarchive/removed, !note/list/filter/archived_at/removed, !note/archived_at/removed, !note/archive/removed',
    refused: [
      'note_N has records that are archived, 1 in all',
      'Put `archive: true` back',
      'archived_at: { format: date-time',
    ],
    rows: `${two}
      a.archive
      a: { name: C } => 409 locked`,
    mended: 'a.unarchive',
    next: `note?sort=created_at => [a, b]
      a: { name: C }
      a.undo 2 => 409 changed_since
      a.undo => { name: A }`,
  },
  {
    edit: 'a field keeps the times of an archive that goes',
    before: { note: note('', 'archive: true') },
    after: { note: note('put_away_at: { format: date-time, renamed_from: archived_at }') },
    changes:
      '!note/operations/archive/removed, !note/operations/unarchive/removed, !note/list/filter/archived_at/removed, !note/archived_at/renamed, note/archived_at/read_only/removed, note/archived_at/doc/changed, !note/archive/removed',
    stops: true,
    rows: `${two}
      a.archive`,
    next: `note?sort=created_at => [a, b]
      a: { put_away_at: null, name: C } => { put_away_at: null, name: C }
      a.undo 2 => 409 changed_since`,
  },
  {
    edit: 'an archive comes with the resource under another name',
    before: { note: note('', 'archive: true') },
    after: { note: null, memo: note('', 'renamed_from: note_N | archive: true') },
    changes: '!note/moved, !note/renamed, note/title/changed, note/plural/changed',
    stops: true,
    rows: `${two}
      a.archive`,
    next: `a is memo
      b is memo
      memo? => [b]
      memo?archived=true => [a]
      a.undo => { archived_at: null }
      a.archive
      a.unarchive => { archived_at: null }`,
  },
  {
    edit: 'a list is sorted without regard to case',
    before: { note: note('', sorted('name')) },
    after: { note: note('', sorted(folded)) },
    changes: 'note/list/sort/name/ignore_case',
    rows: `a = note { name: b }
      b = note { name: A }
      c = note { name: C }
      d = note { name: Á }
      a: { name: Bz }
      note?sort=name => [b, a, c, d]`,
    next: `note?sort=name => [d, b, a, c]
      note?sort=-name => [c, a, d, b]
      c: { name: aa } => { name: aa }
      note?sort=name => [d, b, c, a]
      a.undo => { name: b }
      note?sort=name&limit=1&after=$c => [a]`,
  },
  {
    edit: 'a list is sorted with regard to case again',
    before: { note: note('', sorted(folded)) },
    after: { note: note('', sorted('name')) },
    changes: 'note/list/sort/name/ignore_case',
    stops: true,
    rows: `a = note { name: b }
      b = note { name: A }
      c = note { name: C }
      note?sort=name => [b, a, c]`,
    next: `note?sort=name => [b, c, a]
      c: { name: c } => { name: c }
      note?sort=name => [b, a, c]`,
  },
  {
    edit: 'the field that a list is sorted by without regard to case is renamed',
    before: { note: note('', sorted(folded)) },
    after: {
      note: `fields: { title: { max_length: 50, renamed_from: name } } | ${sorted('{ field: title, ignore_case: true }')}`,
    },
    changes: '!note/list/sort/name/renamed, !note/name/renamed',
    stops: true,
    rows: `a = note { name: b }
      b = note { name: A }`,
    next: `note?sort=title => [b, a]
      b: { title: c } => { title: c }
      note?sort=title => [a, b]`,
  },
  {
    edit: 'a field without a value is sorted without regard to case by its backfill',
    before: { note: note('place: { max_length: 20 }') },
    after: {
      note: note(
        'place: { max_length: 20, required: true, backfill: Middle }',
        sorted('{ field: place, ignore_case: true }'),
      ),
    },
    changes: 'note/list/sort/place/added, !note/place/required/added',
    changed: ['place'],
    rows: `a = note { place: lower }
      b = note { name: B }
      c = note { place: Upper }`,
    next: `b => { place: Middle }
      note?sort=place => [a, b, c]
      b: { place: zz } => { place: zz }
      note?sort=place => [a, c, b]`,
  },
  {
    edit: 'a list is sorted without regard to case by a field that becomes unique so, while rows clash',
    before: { note: note('') },
    after: { note: note('', `unique: [{ fields: [name], ignore_case: true }] | ${sorted(folded)}`) },
    changes: '!note/unique/name/added, note/list/sort/name/added',
    refused: ['No two records of note_N may have the same name, and these have: note_N_'],
    isLate: true,
    rows: `a = note { name: É }
      b = note { name: e }`,
    mended: 'b: { name: f }',
    next: `note?sort=name => [a, b]
      b.undo => 409 not_unique`,
  },
];
