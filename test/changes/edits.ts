import { formats } from '../../runtime/kernel/model/formats.ts';

/** An edit of a spec, and the changes that an API designer finds in it. */
export interface Edit {
  readonly edit: string;
  readonly before: Texts;
  readonly after: Texts;
  readonly changes: Changes;
}

/** The id of each change, and what it breaks: empty if it is safe. */
type Changes = Readonly<Record<string, string>>;

/** YAML by path below `spec/`, without its `.yaml`; that of hooks without its `.ts`. A spec without `service` gets one. */
export type Texts = Readonly<Record<string, string>>;

/** A service of leads; `more` are other keys of the file. */
const leads = (fields: string, more = ''): Texts => ({
  'crm/lead': `kind: record\ndoc: A lead.\n${more}\nfields: ${fields}`,
});

/** A service with settings. */
const settings = (fields: string): Texts => ({ 'crm/settings': `kind: singleton\ndoc: Settings.\nfields: ${fields}` });

/** A service of rules and the brands they are for. */
const brands = (parent: string, fields = '{ rule_id: { required: true }, sort: { required: true } }'): Texts => ({
  'crm/rule': 'kind: record\ndoc: A rule.\nfields: { name }',
  'crm/offer': 'kind: record\ndoc: An offer.\nfields: { name }',
  'crm/brand': `kind: line-item\ndoc: A brand.\nparent: ${parent}\nfields: ${fields}`,
});

/** A service whose brands can only be listed. */
function listedBrands(resource: string): Texts {
  const texts = brands(`{ field: rule_id, resource: ${resource} }`, '{ rule_id: { required: true } }');
  return { ...texts, 'crm/brand': `operations: [list]\n${texts['crm/brand']}` };
}

const service = (more: string): string =>
  `name: leads\ntitle: Leads\ndoc: Keeps leads.\nversion: 1.0.0\nlicense: MIT\n${more}`;

const safe = '';
const all = 'readers, creators, updaters';
const writers = 'creators, updaters';

const edit = (name: string, before: Texts, after: Texts, changes: Changes): Edit => ({
  edit: name,
  before,
  after,
  changes,
});

/**
 * Edits of leads. The text has the name and the changes of each, and below them its fields before and after it, with other
 * keys behind ` | `. The ids are below `crm/lead`; an edit without changes has no `=>`.
 */
const leadEdits = (text: string): Edit[] =>
  text
    .trim()
    .split(/\n(?! )/)
    .map((lines) => {
      const [, name = '', changes = '', before = '', after = ''] =
        /^(.+?)(?:\s+=> (.+))?\n +(.+?)\s+-> (.+)$/.exec(lines) ?? [];
      const [from, to] = [before, after].map((side) => {
        const [fields = '', ...more] = side.split(' | ');
        return leads(fields, more.join('\n'));
      }) as [Texts, Texts];
      const ids = changes === '' ? [] : changes.split('; ').map((change) => change.split(': ') as [string, string]);
      const verdicts = ids.map(([id, breaks]) => [`crm/lead/${id}`, breaks === 'safe' ? safe : breaks]);
      return edit(name, from, to, Object.fromEntries(verdicts));
    });

/** Fields that come, go, move and are renamed. */
const fields: readonly Edit[] = [
  ...leadEdits(`
an optional field is added => website/added: safe
  { name } -> { name, website }
a field is added between two others => fax/added: safe
  { name, website } -> { name, fax, website }
an optional field with a default is added => status/added: safe
  { name } -> { name, status: { default: open } }
a read-only field is added => score/added: safe
  { name } -> { name, score: { type: integer, read_only: true } }
a required field is added => website/added: creators, readers
  { name } -> { name, website: { required: true } }
a required field that may be null is added => website/added: creators
  { name } -> { name, website: { required: true, nullable: true } }
a required field is added where nothing creates => website/added: readers
  { name } | operations: [retrieve, list, update]
  -> { name, website: { required: true } } | operations: [retrieve, list, update]
a required field is added together with the operation that creates
  => operations/create/added: safe; website/added: readers
  { name } | operations: [retrieve, list]
  -> { name, website: { required: true } } | operations: [retrieve, list, create]
a field is removed => website/removed: readers, creators, updaters
  { name, website } -> { name }
a read-only field is removed: who sends back what he read is refused => score/removed: readers, updaters
  { name, score: { read_only: true } } -> { name }
a field is removed where nothing writes => website/removed: readers
  { name, website } | operations: [retrieve, list] -> { name } | operations: [retrieve, list]
a field is removed together with the operation that updates
  => operations/update/removed: callers; website/removed: readers, creators
  { name, website } | operations: [retrieve, create, update] -> { name } | operations: [retrieve, create]
a field is removed where a transition alone answers with records => website/removed: readers
  { status: { default: new }, website } | operations: [delete] | transitions: { win: { from: new, to: won } }
  -> { status: { default: new } } | operations: [delete] | transitions: { win: { from: new, to: won } }
a field is removed where records can only be deleted => website/removed: safe
  { name, website } | operations: [delete] -> { name } | operations: [delete]
a field is renamed => website/renamed: readers, creators, updaters
  { name, website } -> { name, homepage: { renamed_from: website } }
a field is renamed from one of several former names => url/renamed: readers, creators, updaters
  { name, url } -> { name, homepage: { renamed_from: [website, url] } }
a rename of long ago stays in the spec
  { name, homepage: { renamed_from: website } } -> { name, homepage: { renamed_from: website } }
a rename of long ago is forgotten
  { name, homepage: { renamed_from: website } } -> { name, homepage }
a field gets a new name without renamed_from => website/removed: readers, creators, updaters; homepage/added: safe
  { name, website } -> { name, homepage }
a field is renamed to one that is there already: it is removed => website/removed: readers, creators, updaters
  { homepage, website } -> { homepage: { renamed_from: website } }
a field is renamed and limited
  => website/renamed: readers, creators, updaters; website/max_length/narrowed: readers, creators, updaters
  { website } -> { homepage: { renamed_from: website, max_length: 100 } }
fields are put in another order => fields/reordered: safe
  { name, website, fax } -> { website, name, fax }
a field is renamed and put elsewhere => website/renamed: readers, creators, updaters; fields/reordered: safe
  { website, name } -> { name, homepage: { renamed_from: website } }
a field between two others is replaced => fax/removed: readers, creators, updaters; pager/added: safe
  { name, fax, website } -> { name, pager: integer, website }
a field that is called transitions loses its default => fields/transitions/default/removed: creators
  { transitions: { default: none } } -> { transitions }
`),
  edit(
    'a required field is added to a singleton, where it is null until it is set',
    settings('{ name }'),
    settings('{ name, website: { required: true } }'),
    { 'crm/settings/website/added': safe },
  ),
];

/** Every format against any string, and against another format. */
const everyFormat: readonly Edit[] = Object.keys(formats).flatMap((format) =>
  leadEdits(`
any string gets the format ${format} => about/format/added: ${format.startsWith('date') ? '' : 'readers, '}creators, updaters
  { about } -> { about: { format: ${format} } }
the format ${format} becomes any string => about/format/removed: readers
  { about: { format: ${format} } } -> { about }
the format ${format} becomes another one => about/format/changed: readers, creators, updaters
  { about: { format: ${format} } } -> { about: { format: ${format === 'uuid' ? 'uri' : 'uuid'} } }
the format ${format} becomes an integer => about/type/changed: readers, creators, updaters
  { about: { format: ${format} } } -> { about: integer }
`),
);

/** Changes of types and limits. */
const types: readonly Edit[] = [
  ...leadEdits(`
a string becomes a decimal => fine/type/changed: readers, creators, updaters
  { fine } -> { fine: { type: decimal, digits: 8, scale: 2 } }
a date becomes a decimal => fine/type/changed: readers, creators, updaters
  { fine: { format: date } } -> { fine: { type: decimal, digits: 8, scale: 2 } }
an integer becomes a decimal => fine/type/changed: readers, creators, updaters
  { fine: integer } -> { fine: { type: decimal, digits: 8, scale: 2 } }
a decimal becomes a string => fine/type/changed: readers, creators, updaters
  { fine: { type: decimal, digits: 8, scale: 2 } } -> { fine }
a decimal becomes a number => fine/type/changed: readers, creators, updaters
  { fine: { type: decimal, digits: 8, scale: 2 } } -> { fine: number }
a decimal has more digits => fine/digits/widened: safe
  { fine: { type: decimal, digits: 8, scale: 2 } } -> { fine: { type: decimal, digits: 10, scale: 2 } }
a decimal has fewer digits => fine/digits/narrowed: readers, creators, updaters
  { fine: { type: decimal, digits: 10, scale: 2 } } -> { fine: { type: decimal, digits: 8, scale: 2 } }
a decimal has a larger scale, and its default more zeros => fine/scale/widened: safe
  { fine: { type: decimal, digits: 8, scale: 2, default: '1.5' } }
  -> { fine: { type: decimal, digits: 10, scale: 4, default: '1.5' } }
a decimal has a smaller scale => fine/scale/narrowed: creators, updaters
  { fine: { type: decimal, digits: 10, scale: 4 } } -> { fine: { type: decimal, digits: 8, scale: 2 } }
a decimal has a larger scale within the same digits
  => fine/scale/widened: safe; fine/digits/narrowed: readers, creators, updaters
  { fine: { type: decimal, digits: 8, scale: 2 } } -> { fine: { type: decimal, digits: 8, scale: 4 } }
a decimal has another range => fine/min/widened: safe; fine/max/narrowed: readers, creators, updaters
  { fine: { type: decimal, digits: 18, scale: 2, min: '1', max: '9999999999999999.98' } }
  -> { fine: { type: decimal, digits: 18, scale: 2, min: '0.99', max: '9999999999999999.97' } }
an integer becomes a number => score/type/changed: readers
  { score: integer } -> { score: number }
a number becomes an integer => score/type/changed: creators, updaters
  { score: number } -> { score: integer }
a number that only the service sets becomes an integer: an update that sends a fraction back is refused
  => score/type/changed: updaters
  { score: { type: number, read_only: true } } -> { score: { type: integer, read_only: true } }
an integer becomes a number that must be smaller => score/type/changed: readers, creators, updaters
  { score: { type: integer, max: 100 } } | list: { filter: [score] }
  -> { score: { type: number, max: 10 } } | list: { filter: [score] }
an integer becomes a number that must be larger => score/type/changed: readers, creators, updaters
  { score: integer } -> { score: { type: number, min: 0 } }
an integer becomes a number within wider limits => score/type/changed: readers
  { score: { type: integer, min: 1, max: 10 } } | list: { filter: [score] }
  -> { score: { type: number, min: 0 } } | list: { filter: [score] }
a string becomes an integer => score/type/changed: readers, creators, updaters
  { score } -> { score: integer }
a boolean becomes a string => active/type/changed: readers, creators, updaters
  { active: boolean } -> { active }
a type changes, and with it the default and the limits => score/type/changed: readers, creators, updaters
  { score: { type: integer, default: 1, min: 0, max: 5 } } -> { score: { default: one, max_length: 5 } }
a string gets the format date => since/format/added: creators, updaters
  { since } -> { since: { format: date } }
a date becomes any string => since/format/removed: readers
  { since: { format: date } } -> { since }
a date becomes a string of eight characters => since/format/removed: readers, creators, updaters
  { since: { format: date } } -> { since: { max_length: 8 } }
a date becomes a date with its time => since/format/changed: readers, creators, updaters
  { since: { format: date } } -> { since: { format: date-time } }
a date becomes an enum => since/format/removed: readers; since/enum/added: readers, creators, updaters
  { since: { format: date } } -> { since: { enum: [today, before] } }
an enum becomes a date => since/enum/removed: readers, typed clients; since/format/added: creators, updaters
  { since: { enum: [today, before] } } -> { since: { format: date } }
a string becomes an enum => status/enum/added: readers, creators, updaters
  { status } -> { status: { enum: [open, lost] } }
an enum becomes any string => status/enum/removed: readers, typed clients
  { status: { enum: [open, lost] } } -> { status }
an enum becomes a string that is too short for one of its values
  => status/enum/removed: readers, typed clients, creators, updaters
  { status: { enum: [open, closed] } } -> { status: { max_length: 4 } }
an enum gets a value => status/enum/won/added: safe
  { status: { enum: [open, lost] } } -> { status: { enum: [open, won, lost] } }
an enum loses a value => status/enum/lost/removed: readers, creators, updaters
  { status: { enum: [open, won, lost] } } -> { status: { enum: [open, won] } }
an enum that only the service sets loses a value: an update that sends it back is refused
  => status/enum/lost/removed: readers, updaters
  { status: { read_only: true, enum: [open, lost] } } -> { status: { read_only: true, enum: [open] } }
values of an enum are spelt otherwise
  => status/enum/open/removed: readers, creators, updaters; status/enum/Open/added: safe; status/enum/größer/added: safe
  { status: { enum: [open, "won: all/most"] } } -> { status: { enum: [Open, "won: all/most", größer] } }
a value of an enum is renamed => status/enum/open/renamed: readers, creators, updaters
  { status: { enum: [open, lost] } } -> { status: { enum: [{ value: started, renamed_from: open }, lost] } }
two values of an enum become one that was there
  => status/enum/open/renamed: readers, creators, updaters; status/enum/new/renamed: readers, creators, updaters
  { status: { enum: [open, lost, new] } } -> { status: { enum: [{ value: lost, renamed_from: [open, new] }] } }
a value of an enum was renamed long ago
  { status: { enum: [{ value: started, renamed_from: open }] } }
  -> { status: { enum: [{ value: started, renamed_from: [open, new] }] } }
a value that no path could hold leaves an enum => status/enum/won%3A%20all%2Fmost/removed: readers, creators, updaters
  { status: { enum: [open, "won: all/most"] } } -> { status: { enum: [open] } }
the values of an enum are put in another order => status/enum/reordered: safe
  { status: { enum: [open, won, lost] } } -> { status: { enum: [lost, open, won] } }
`),
  ...everyFormat,
  ...leadEdits(`
a string becomes a list => tags/type/changed: readers, creators, updaters
  { tags: { max_length: 80 } } -> { tags: { type: list, of: string } }
a list becomes a string => tags/type/changed: readers, creators, updaters
  { tags: { type: list, of: string } } -> { tags: { max_length: 80 } }
a list of strings becomes one of integers => tags/of/type/changed: readers, creators, updaters
  { tags: { type: list, of: string } } -> { tags: { type: list, of: integer } }
a list of integers becomes one of strings => tags/of/type/changed: readers, creators, updaters
  { tags: { type: list, of: integer } } -> { tags: { type: list, of: string } }
the entries of a list get a limit => tags/of/max_length/narrowed: readers, creators, updaters
  { tags: { type: list, of: string } } -> { tags: { type: list, of: { max_length: 40 } } }
a list has an enum value under another name => tags/of/enum/b/renamed: readers, creators, updaters
  { tags: { type: list, of: { enum: [a, b] } } } -> { tags: { type: list, of: { enum: [a, { value: c, renamed_from: b }] } } }
a list loses an enum value => tags/of/enum/b/removed: readers, creators, updaters
  { tags: { type: list, of: { enum: [a, b] } } } -> { tags: { type: list, of: { enum: [a] } } }
a list has fewer entries => tags/max_items/narrowed: readers, creators, updaters
  { tags: { type: list, of: string } } -> { tags: { type: list, of: string, max_items: 5 } }
a list has more entries => tags/max_items/widened: safe
  { tags: { type: list, of: string, max_items: 5 } } -> { tags: { type: list, of: string, max_items: 6 } }
the entries of a list must differ => tags/unique_items/added: readers, creators, updaters
  { tags: { type: list, of: string } } -> { tags: { type: list, of: string, unique_items: true } }
the entries of a list may repeat => tags/unique_items/removed: safe
  { tags: { type: list, of: string, unique_items: true } } -> { tags: { type: list, of: string } }
a list gets a default => tags/default/added: safe
  { tags: { type: list, of: string } } -> { tags: { type: list, of: string, default: [a] } }
a list is not null => tags/default/added: safe; tags/nullable/removed: creators, updaters
  { tags: { type: list, of: string } } -> { tags: { type: list, of: string, default: [], nullable: false } }
`),
];

/** Changes of `required`, `nullable`, `read_only` and defaults. */
const presence: readonly Edit[] = [
  ...leadEdits(`
an optional field becomes required => website/required/added: creators, updaters, readers
  { website } -> { website: { required: true } }
an optional field becomes required, and null stays a value => website/required/added: creators
  { website } -> { website: { required: true, nullable: true } }
a field becomes required where nothing writes => website/required/added: readers
  { website } | operations: [list] -> { website: { required: true } } | operations: [list]
a required field becomes optional => website/required/removed: readers
  { website: { required: true } } -> { website }
a required field becomes optional, with a default => status/required/removed: readers; status/default/added: safe
  { status: { required: true } } -> { status: { default: open } }
a required field that may be null becomes optional => website/required/removed: safe
  { website: { required: true, nullable: true } } -> { website }
a field with a default becomes required => status/required/added: creators, updaters, readers
  { status: { default: open } } -> { status: { required: true } }
a required field may be null => website/nullable/added: readers
  { website: { required: true } } -> { website: { required: true, nullable: true } }
a required field may no longer be null => website/nullable/removed: creators, updaters, readers
  { website: { required: true, nullable: true } } -> { website: { required: true } }
a default is computed by each create => on/default/added: safe
  { on: { format: date } } -> { on: { format: date, default: today } }
a default is no longer computed => at/default/changed: creators
  { at: { format: date-time, default: now } } -> { at: { format: date-time, default: '2026-01-01T00:00:00Z' } }
a free object is added => settings/added: safe
  { name } -> { name, settings: json }
a free object may be longer => settings/max_bytes/widened: safe
  { settings: { type: json, max_bytes: 100 } } -> { settings: json }
a free object must be shorter => settings/max_bytes/narrowed: readers, creators, updaters
  { settings: json } -> { settings: { type: json, max_bytes: 100 } }
a text becomes a free object => settings/type/changed: readers, creators, updaters
  { settings } -> { settings: json }
each change sets a field => by/always/added: creators, updaters, readers
  { by } -> { by: { always: actor } }
each change sets a field that was read-only => at/always/added: creators, updaters, readers
  { at: { format: date-time, read_only: true } } -> { at: { format: date-time, always: now } }
no change sets a field any more => by/read_only/removed: safe; by/default/removed: creators
  { by: { always: actor } } -> { by }
a create sets who makes it => by/default/added: safe
  { by } -> { by: { default: actor } }
a field is added that each change sets => by/added: safe
  { name } -> { name, by: { always: actor } }
a field is added that numbers records => number/added: safe
  { name } -> { name, number: { sequence: 'N-{000}' } }
a field numbers new records
  => number/sequence/added: safe; number/read_only/added: creators, updaters; number/nullable/removed: updaters; number/max_length/narrowed: readers, updaters
  { number } -> { number: { sequence: 'N-{000}' } }
a list of groups in the console => form/changed: safe
  { name, size } -> { name, size } | form: [{ title: Name, fields: [name] }]
a condition of a group => form/changed: safe
  { name, size } | form: [{ title: Size, fields: [size], show_if: name == "a" }]
  -> { name, size } | form: [{ title: Size, fields: [size], show_if: name == "b" }]
a field of a group and of a title is renamed => name/renamed: readers, creators, updaters
  { name } | form: [{ title: Name, fields: [name] }] | record_title: name
  -> { label: { renamed_from: name } } | form: [{ title: Name, fields: [label] }] | record_title: label
titles in the console => record_title/changed: safe
  { name, size } | record_title: name -> { name, size } | record_title: [name, size]
colors of states => stage/colors/changed: safe
  { stage: { enum: [a, b], colors: { a: red } } } -> { stage: { enum: [a, b], colors: { a: green } } }
another form of numbers => number/sequence/changed: safe
  { number: { sequence: 'N-{000}' } } -> { number: { sequence: 'N-{yyyy}-{000}' } }
a field no longer numbers records
  => number/sequence/removed: safe; number/read_only/removed: safe; number/nullable/added: readers; number/max_length/widened: safe
  { number: { sequence: 'N-{000}' } } -> { number }
a field without a value for older records is added => at/added: readers
  { name } -> { name, at: { format: date-time, default: now, nullable: false } }
null is no longer taken => size/nullable/removed: creators, updaters
  { size: { default: s } } -> { size: { default: s, nullable: false } }
null is taken again => size/nullable/added: readers
  { size: { default: s, nullable: false } } -> { size: { default: s } }
a required field gets a default => size/required/removed: safe; size/default/added: safe; size/backfill/added: safe
  { size: { required: true } } -> { size: { default: s, nullable: false } }
a required field that may be null gets a default, and is never null
  => size/required/removed: safe; size/nullable/removed: creators, updaters; size/default/added: safe
  { size: { required: true, nullable: true } } -> { size: { default: s, nullable: false } }
a field that is never null becomes required, and may be null
  => size/required/added: creators; size/nullable/added: readers
  { size: { default: s, nullable: false } } -> { size: { required: true, nullable: true } }
another default of a field that is never null => size/default/changed: creators; size/backfill/changed: readers
  { size: { default: s, nullable: false } } -> { size: { default: m, nullable: false } }
a required field is added, with a value for older records => website/added: creators
  { name } -> { name, website: { required: true, backfill: '' } }
an optional field becomes required, with a value for older records => size/required/added: creators, updaters
  { size: integer } -> { size: { type: integer, required: true, backfill: 0 } }
older records get a value => website/backfill/added: safe
  { website: { required: true } } -> { website: { required: true, backfill: none } }
older records get another value => website/backfill/changed: readers
  { website: { required: true, backfill: none } } -> { website: { required: true, backfill: unknown } }
older records lose their value => website/backfill/removed: readers
  { website: { required: true, backfill: none } } -> { website: { required: true } }
a field becomes read-only => score/read_only/added: creators, updaters
  { score: integer } -> { score: { type: integer, read_only: true } }
a field becomes read-only where nothing writes => score/read_only/added: safe
  { score: integer } | operations: [list] -> { score: { type: integer, read_only: true } } | operations: [list]
a required field becomes read-only, with a default
  => status/required/removed: readers; status/read_only/added: creators, updaters; status/default/added: safe
  { status: { required: true } } -> { status: { read_only: true, default: open } }
a field becomes immutable => site/immutable/added: updaters
  { site } -> { site: { immutable: true } }
a field can be set once => site/immutable/added: updaters
  { site } -> { site: { immutable: once_set } }
a field that could be set once is immutable => site/immutable/changed: updaters
  { site: { immutable: once_set } } -> { site: { immutable: true } }
an immutable field can be set once => site/immutable/changed: safe
  { site: { immutable: true } } -> { site: { immutable: once_set } }
a field is no longer immutable => site/immutable/removed: safe
  { site: { immutable: true } } -> { site }
a read-only field can be set => score/read_only/removed: safe
  { score: { type: integer, read_only: true } } -> { score: integer }
a field gets a default => status/default/added: safe
  { status } -> { status: { default: open } }
a field gets another default => status/default/changed: creators
  { status: { default: open } } -> { status: { default: new } }
a field loses its default => status/default/removed: creators
  { status: { default: open } } -> { status }
a default that is false is no missing one => active/default/changed: creators
  { active: { type: boolean, default: false } } -> { active: { type: boolean, default: true } }
a default changes where nothing creates => status/default/changed: safe
  { status: { default: open } } | operations: [list, update]
  -> { status: { default: new } } | operations: [list, update]
`),
  edit('a setting becomes required', settings('{ website }'), settings('{ website: { required: true } }'), {
    'crm/settings/website/required/added': 'updaters',
  }),
  edit(
    'a setting becomes optional: it was null before it was set',
    settings('{ website: { required: true } }'),
    settings('{ website }'),
    { 'crm/settings/website/required/removed': safe },
  ),
  edit(
    'a required setting may be null: it was null before it was set',
    settings('{ website: { required: true } }'),
    settings('{ website: { required: true, nullable: true } }'),
    { 'crm/settings/website/nullable/added': safe },
  ),
  edit(
    'the default of a setting changes: there is one record, and it stays',
    settings('{ status: { default: open } }'),
    settings('{ status: { default: new } }'),
    { 'crm/settings/status/default/changed': safe },
  ),
  edit(
    'a constant that two defaults name changes',
    {
      service: service('constants: { storage: s3, unused: 1 }'),
      ...leads('{ a: { default: { constant: storage } }, b: { default: { constant: storage } }, c: { default: s3 } }'),
    },
    {
      service: service('constants: { storage: minio, unused: 2 }'),
      ...leads('{ a: { default: { constant: storage } }, b: { default: { constant: storage } }, c: { default: s3 } }'),
    },
    { 'crm/lead/a/default/changed': 'creators', 'crm/lead/b/default/changed': 'creators' },
  ),
  edit(
    'a default becomes a constant of the same value',
    { service: service('constants: { storage: s3 }'), ...leads('{ a: { default: s3 } }') },
    { service: service('constants: { storage: s3 }'), ...leads('{ a: { default: { constant: storage } } }') },
    {},
  ),
];

/** How long, how large and of what form. */
const limits: readonly Edit[] = [
  ...leadEdits(`
max_length is added => website/max_length/narrowed: readers, creators, updaters
  { website } -> { website: { max_length: 200 } }
max_length is lowered => website/max_length/narrowed: readers, creators, updaters
  { website: { max_length: 200 } } -> { website: { max_length: 100 } }
max_length is raised => website/max_length/widened: safe
  { website: { max_length: 200 } } -> { website: { max_length: 300 } }
max_length is removed => website/max_length/widened: safe
  { website: { max_length: 200 } } -> { website }
max_length is added, beyond what every string may have => website/max_length/widened: safe
  { website } -> { website: { max_length: 1000000 } }
max_length is stated as what it is for every string
  { website } -> { website: { max_length: 65536, min_length: 0 } }
max_length of a field that only the service sets is lowered => website/max_length/narrowed: readers, updaters
  { website: { read_only: true, max_length: 200 } } -> { website: { read_only: true, max_length: 100 } }
max_length of a field that only the service sets is lowered where nothing updates => website/max_length/narrowed: readers
  { website: { read_only: true, max_length: 200 } } | operations: [create, list]
  -> { website: { read_only: true, max_length: 100 } } | operations: [create, list]
a field that only the service sets gets a pattern => website/pattern/added: readers, updaters
  { website: { read_only: true } } -> { website: { read_only: true, pattern: ^https } }
max_length is lowered where records can be created and not updated => website/max_length/narrowed: readers, creators
  { website } | operations: [create, list] -> { website: { max_length: 100 } } | operations: [create, list]
min_length is raised, max_length too
  => website/min_length/narrowed: readers, creators, updaters; website/max_length/widened: safe
  { website: { min_length: 1, max_length: 200 } } -> { website: { min_length: 5, max_length: 300 } }
min_length is removed => website/min_length/widened: safe
  { website: { min_length: 1 } } -> { website }
a number gets a smallest value => score/min/narrowed: readers, creators, updaters
  { score: number } -> { score: { type: number, min: 0 } }
an integer may be smaller => score/min/widened: safe
  { score: { type: integer, min: 0 } } -> { score: { type: integer, min: -10 } }
a number must be smaller => score/max/narrowed: readers, creators, updaters
  { score: { type: number, max: 10 } } -> { score: { type: number, max: 5 } }
an integer loses its largest value => score/max/widened: safe
  { score: { type: integer, max: 5 } } -> { score: integer }
an integer gets the limits that every integer has
  { score: integer } -> { score: { type: integer, min: -9007199254740991, max: 9007199254740991 } }
a pattern is added => website/pattern/added: readers, creators, updaters
  { website } -> { website: { pattern: ^https } }
a pattern is another => website/pattern/changed: readers, creators, updaters
  { website: { pattern: ^https } } -> { website: { pattern: ^http } }
a pattern is removed => website/pattern/removed: safe
  { website: { pattern: ^https } } -> { website }
`),
];

const client = { 'crm/client': 'kind: record\ndoc: A client.\nfields: { name }' };

/** Leads that may reference clients, and other leads. */
const referring = (reference: string, more: Texts = client): Texts => ({ ...leads(reference), ...more });

/** Values that a create copies from another lead, or from settings. */
const copies: readonly Edit[] = [
  ...leadEdits(`
a create copies what it had to send => size/default_from/added: safe
  { size: { required: true }, former_id: { references: crm/lead } }
  -> { size: { required: true, default_from: former.size }, former_id: { references: crm/lead } }
a create copies what was null => size/default_from/added: safe
  { size, former_id: { references: crm/lead } }
  -> { size: { default_from: former.size }, former_id: { references: crm/lead } }
a create copies in place of a default => size/default_from/added: creators
  { size: { default: s }, former_id: { references: crm/lead } }
  -> { size: { default_from: former.size }, former_id: { references: crm/lead } }
a create copies in place of a default that was never null
  => size/nullable/added: readers; size/default_from/added: creators
  { size: { default: s, nullable: false }, former_id: { references: crm/lead } }
  -> { size: { default_from: former.size }, former_id: { references: crm/lead } }
a create copies another field => size/default_from/changed: creators
  { size: { default_from: former.shape }, shape, former_id: { references: crm/lead } }
  -> { size: { default_from: former.size }, shape, former_id: { references: crm/lead } }
a create has to send what it copied => size/default_from/removed: creators
  { size: { required: true, default_from: former.size }, former_id: { references: crm/lead } }
  -> { size: { required: true }, former_id: { references: crm/lead } }
a create stores null where it copied => size/default_from/removed: creators
  { size: { default_from: former.size }, former_id: { references: crm/lead } }
  -> { size, former_id: { references: crm/lead } }
a create stores a default where it copied => size/default_from/removed: creators
  { size: { default_from: former.size }, former_id: { references: crm/lead } }
  -> { size: { default: s }, former_id: { references: crm/lead } }
what a create copies becomes required => size/required/added: creators, updaters, readers
  { size: { default_from: former.size }, former_id: { references: crm/lead } }
  -> { size: { required: true, default_from: former.size }, former_id: { references: crm/lead } }
a field is added that a create copies => size/added: safe
  { name: { max_length: 9 }, former_id: { references: crm/lead } }
  -> { name: { max_length: 9 }, size: { max_length: 100, default_from: former.name }, former_id: { references: crm/lead } }
a required field is added that a create copies => size/added: readers
  { name: { max_length: 9 }, former_id: { references: crm/lead } }
  -> { name: { max_length: 9 }, size: { required: true, default_from: former.name }, former_id: { references: crm/lead } }
a required field is added that a create copies and older records have => size/added: safe
  { name: { max_length: 9 }, former_id: { references: crm/lead } }
  -> { name: { max_length: 9 }, size: { required: true, backfill: s, default_from: former.name }, former_id: { references: crm/lead } }
`),
  edit(
    'a create copies from settings',
    { ...settings('{ size }'), ...leads('{ size }') },
    { ...settings('{ size }'), ...leads('{ size: { default_from: crm/settings.size } }') },
    { 'crm/lead/size/default_from/added': safe },
  ),
];

/** Changes of references. */
const references: readonly Edit[] = [
  ...leadEdits(`
a reference is added => former_id/added: safe; list/filter/former_id/added: safe
  { name } -> { name, former_id: { references: crm/lead } }
a text becomes a reference => former_id/references/added: creators, updaters; list/filter/former_id/added: safe
  { name, former_id } -> { name, former_id: { references: crm/lead } }
a text becomes a reference, or null where it names nothing
  => former_id/references/added: creators, updaters; list/filter/former_id/added: safe
  { name, former_id } -> { name, former_id: { references: crm/lead, on_missing: set_null } }
a reference becomes a text => former_id/references/removed: safe; list/filter/former_id/removed: callers
  { name, former_id: { references: crm/lead } } -> { name, former_id }
a reference is removed => former_id/removed: readers, creators, updaters; list/filter/former_id/removed: callers
  { name, former_id: { references: crm/lead } } -> { name }
a short text becomes a reference under another name
  => former/renamed: readers, creators, updaters; former/references/added: creators, updaters; list/filter/former_id/added: safe
  { name, former: { max_length: 50 } } -> { name, former_id: { references: crm/lead, renamed_from: former } }
a reference becomes an integer
  => former_id/type/changed: readers, creators, updaters; former_id/references/removed: safe; list/filter/former_id/removed: callers
  { name, former_id: { references: crm/lead } } -> { name, former_id: integer }
a reference says too late what becomes of values that name nothing => of_id/on_missing/changed: safe
  { of_id: { references: crm/lead } } -> { of_id: { references: crm/lead, on_missing: set_null } }
a reference gets an inverse => of_id/inverse/added: safe
  { of_id: { references: crm/lead } } -> { of_id: { references: crm/lead, inverse: leads } }
an inverse is renamed => of_id/inverse/changed: readers, typed clients
  { of_id: { references: crm/lead, inverse: leads } } -> { of_id: { references: crm/lead, inverse: followers } }
an inverse is removed => of_id/inverse/removed: readers, typed clients
  { of_id: { references: crm/lead, inverse: leads } } -> { of_id: { references: crm/lead } }
a reference with an inverse is renamed => of_id/renamed: readers, creators, updaters; list/filter/of_id/renamed: callers
  { of_id: { references: crm/lead, inverse: leads } }
  -> { lead_id: { references: crm/lead, inverse: leads, renamed_from: of_id } }
a reference with an inverse becomes a text
  => of_id/references/removed: safe; of_id/inverse/removed: readers, typed clients; list/filter/of_id/removed: callers
  { name, of_id: { references: crm/lead, inverse: leads } } -> { name, of_id }
`),
  edit(
    'a required reference is added',
    referring('{ name }'),
    referring('{ name, of_id: { references: crm/client, required: true } }'),
    { 'crm/lead/of_id/added': 'creators, readers', 'crm/lead/list/filter/of_id/added': safe },
  ),
  edit(
    'a reference names other records',
    referring('{ name, of_id: { references: crm/lead } }'),
    referring('{ name, of_id: { references: crm/client } }'),
    { 'crm/lead/of_id/references/changed': writers },
  ),
  edit(
    'a reference may name records of another resource, too',
    referring('{ name, of_id: { references: crm/lead, inverse: leads } }'),
    referring('{ name, of_id: { references: [crm/client, crm/lead], inverse: leads } }'),
    { 'crm/lead/of_id/references/widened': safe, 'crm/lead/of_id/inverse/added': safe },
  ),
  edit(
    'a reference to one of two resources names records of one alone',
    referring('{ name, of_id: { references: [crm/client, crm/lead], inverse: leads } }'),
    referring('{ name, of_id: { references: crm/client, inverse: leads } }'),
    {
      'crm/lead/of_id/references/changed': writers,
      'crm/lead/of_id/inverse/removed': 'readers, typed clients',
    },
  ),
  edit(
    'the resources of a reference are written in another order',
    referring('{ name, of_id: { references: [crm/client, crm/lead] } }'),
    referring('{ name, of_id: { references: [crm/lead, crm/client] } }'),
    {},
  ),
  edit(
    'a total over an inverse is added',
    referring('{ name, of_id: { references: crm/client, inverse: leads }, stage }'),
    referring('{ name, of_id: { references: crm/client, inverse: leads }, stage }', {
      'crm/client': client['crm/client'].replace(
        '{ name }',
        '{ name, lead_count: { type: integer, computed: count(leads) } }',
      ),
    }),
    { 'crm/client/lead_count/added': safe },
  ),
  edit(
    'the condition of a total changes',
    ...(['open', 'won'].map((stage) =>
      referring('{ name, of_id: { references: crm/client, inverse: leads }, stage }', {
        'crm/client': client['crm/client'].replace(
          '{ name }',
          `{ name, lead_count: { type: integer, computed: 'count(leads, leads.stage == "${stage}")' } }`,
        ),
      }),
    ) as [Texts, Texts]),
    { 'crm/client/lead_count/computed/changed': 'readers' },
  ),
  edit(
    'a reference with an inverse names other records',
    referring('{ name, of_id: { references: crm/lead, inverse: leads } }'),
    referring('{ name, of_id: { references: crm/client, inverse: leads } }'),
    {
      'crm/lead/of_id/references/changed': writers,
      'crm/lead/of_id/inverse/changed': 'readers, typed clients',
    },
  ),
  edit(
    'the resource that a reference names moves to another area',
    referring('{ name, of_id: { references: crm/client } }'),
    referring('{ name, of_id: { references: sales/client } }', { 'sales/client': client['crm/client'] }),
    { 'crm/client/moved': 'callers, links' },
  ),
  edit(
    'the resource that a reference names has another name',
    referring('{ name, of_id: { references: crm/client } }'),
    referring('{ name, of_id: { references: crm/customer } }', {
      'crm/customer': client['crm/client'].replace('doc:', 'renamed_from: client\ndoc:'),
    }),
    {
      'crm/client/moved': 'callers, links',
      'crm/client/renamed': 'typed clients',
      'crm/client/title/changed': safe,
      'crm/client/plural/changed': safe,
    },
  ),
  ...['set_null', 'cascade'].flatMap((rule) =>
    leadEdits(`
a delete has the effect ${rule} => of_id/on_delete/changed: callers
  { of_id: { references: crm/lead } } -> { of_id: { references: crm/lead, on_delete: ${rule} } }
a delete no longer has the effect ${rule} => of_id/on_delete/changed: callers
  { of_id: { references: crm/lead, on_delete: ${rule} } } -> { of_id: { references: crm/lead } }
`),
  ),
];

/** Resources as a whole. */
const resources: readonly Edit[] = [
  ...leadEdits(`
a rule is added => rules/sizes-are-positive/added: creators, updaters
  { size: { type: integer, required: true } }
  -> { size: { type: integer, required: true } } | rules: [{ that: size > 0, message: Sizes are positive. }]
a rule is removed => rules/sizes-are-positive/removed: safe
  { size: { type: integer, required: true } } | rules: [{ that: size > 0, message: Sizes are positive. }]
  -> { size: { type: integer, required: true } }
a rule is tightened => rules/sizes-are-positive/changed: creators, updaters
  { size: { type: integer, required: true } } | rules: [{ that: size > 0, message: Sizes are positive. }]
  -> { size: { type: integer, required: true } } | rules: [{ when: size != 5, that: size > 1, message: Sizes are positive. }]
a rule reads another field of the record that a reference names => rules/smaller/changed: creators, updaters
  { size: integer, next_id: { references: crm/lead } } | rules: [{ that: next == null || next.size == 1, message: Smaller. }]
  -> { size: integer, next_id: { references: crm/lead } } | rules: [{ that: next == null || next.next_id == null, message: Smaller. }]
a rule reads the same field of the same record under other names
  => size/renamed: readers, creators, updaters; next_id/renamed: readers, creators, updaters; list/filter/next_id/renamed: callers
  { size: integer, next_id: { references: crm/lead } } | rules: [{ that: next == null || next.size == 1, message: Smaller. }]
  -> { length: { type: integer, renamed_from: size }, after_id: { references: crm/lead, renamed_from: next_id } } | rules: [{ that: after == null || after.length == 1, message: Smaller. }]
the message of a rule changes, and how it is written => rules/no-zero/changed: safe
  { size: { type: integer, required: true } } | rules: [{ that: size > 0, message: Sizes are positive. }]
  -> { size: { type: integer, required: true } } | rules: [{ that: (size  > 0), message: No zero. }]
a field becomes unique => unique/size/added: creators, updaters
  { size: integer } -> { size: { type: integer, unique: true } }
a field is no longer unique => unique/size/removed: safe
  { size: { type: integer, unique: true } } -> { size: integer }
fields become unique together, under another name => size/renamed: readers, creators, updaters
  { name: { max_length: 9 }, size: integer } | unique: [[size, name]]
  -> { name: { max_length: 9 }, length: { type: integer, renamed_from: size } } | unique: [[length, name]]
case is no longer compared => unique/name/narrowed: creators, updaters
  { name: { max_length: 9 } } | unique: [[name]]
  -> { name: { max_length: 9 } } | unique: [{ fields: [name], ignore_case: true }]
case is compared again => unique/name/widened: safe
  { name: { max_length: 9 } } | unique: [{ fields: [name], ignore_case: true }]
  -> { name: { max_length: 9 } } | unique: [[name]]
a field becomes unique whatever its case, and is new => mail/added: safe; unique/mail/added: creators, updaters
  { name } -> { name, mail: { max_length: 9 } } | unique: [{ fields: [mail], ignore_case: true }]
fields that are unique together stand in another order
  { name: { max_length: 9 }, size: integer } | unique: [[size, name]]
  -> { name: { max_length: 9 }, size: integer } | unique: [[name, size]]
of fields that are unique together, one is left out
  => unique/name/added: creators, updaters; unique/name+size/removed: safe
  { name: { max_length: 9 }, size: integer } | unique: [[size, name]]
  -> { name: { max_length: 9 }, size: integer } | unique: [[name]]
a resource is renamed at its path => renamed: typed clients
  { name } -> { name } | name: prospect | renamed_from: [suspect, lead] | title: lead
a resource gets another name at its path, without renamed_from
  => replaced: readers, links, typed clients; fax/removed: readers, creators, updaters
  { name, fax } -> { name } | name: prospect | title: lead
title and plural change => title/changed: safe; plural/changed: safe
  { name } -> { name } | title: prospective customer | plural: prospects
the plural changes, and the operation ids with it => plural/changed: typed clients
  { name } -> { name } | plural: leading companies
the plural changes, and is that of a title in other words => plural/changed: safe
  { name } | title: customer -> { name } | title: customer | plural: clientele
the plural stays, and is no longer that of the name: the title is in other words
  => title/changed: safe; plural/changed: typed clients
  { name } | plural: prospects -> { name } | plural: prospects | title: customer
an example is given, and another one taken away
  => name/example/changed: safe; fax/example/changed: safe; score/added: safe
  { name: { example: Ann }, fax } -> { name, fax: { example: "1234" }, score: integer }
max_body is lowered => max_body/narrowed: creators, updaters
  { name } | max_body: 16 MiB -> { name }
events are turned off => events/off: readers
  { name } -> { name } | events: off
events are turned on => events/on: safe
  { name } | events: off -> { name }
max_body is raised => max_body/widened: safe
  { name } -> { name } | max_body: 2 MiB
max_body is raised over 1 MiB where a reference is shown => max_body/unexpanded: readers, typed clients
  { before_id: { references: crm/lead } } -> { before_id: { references: crm/lead } } | max_body: 2 MiB
max_body is raised up to 1 MiB where a reference is shown => max_body/widened: safe
  { before_id: { references: crm/lead } } | max_body: 2 KiB -> { before_id: { references: crm/lead } } | max_body: 1 MiB
max_body is lowered where no operation has a body => max_body/narrowed: safe
  { name } | operations: [list] -> { name } | operations: [list] | max_body: 10 KiB
an operation is added => operations/retrieve/added: safe
  { name } | operations: [list] -> { name } | operations: [retrieve, list]
operations are removed => operations/update/removed: callers; operations/delete/removed: callers
  { name } -> { name } | operations: [create, retrieve, list]
`),
  edit(
    'a resource is added',
    leads('{ name }'),
    { ...leads('{ name }'), 'crm/deal': 'kind: record\ndoc: A deal.\nfields: { name: { required: true } }' },
    { 'crm/deal/added': safe },
  ),
  edit('a resource is removed', { ...leads('{ name }'), ...settings('{ name }') }, leads('{ name }'), {
    'crm/settings/removed': 'callers, links',
  }),
  edit(
    'a resource is moved to another area',
    leads('{ name }'),
    { 'sales/lead': 'kind: record\ndoc: A lead.\nfields: { name }' },
    { 'crm/lead/moved': 'callers, links' },
  ),
  edit(
    'a resource is moved and changed',
    leads('{ name, website }'),
    { 'sales/lead': 'kind: record\ndoc: A lead.\nfields: { name, fax }' },
    { 'crm/lead/moved': 'callers, links', 'crm/lead/website/removed': all, 'crm/lead/fax/added': safe },
  ),
  edit(
    'a resource is moved, and another takes its path',
    leads('{ name }'),
    {
      'sales/lead': 'kind: record\ndoc: A lead.\nfields: { name }',
      'crm/lead': 'kind: record\nname: prospect\ndoc: A prospect.\nfields: { mail }',
    },
    { 'crm/lead/moved': 'callers, links', 'crm/lead/added': safe },
  ),
  edit(
    'a resource is removed, and another is moved to its path',
    { ...leads('{ name }'), 'crm/deal': 'kind: record\ndoc: A deal.\nfields: { name }' },
    { 'crm/lead': 'kind: record\nname: deal\ndoc: A deal.\nfields: { name }' },
    { 'crm/lead/removed': 'callers, links', 'crm/deal/moved': 'callers, links' },
  ),
  edit(
    'a file gets another name, and the resource with it',
    leads('{ name }'),
    { 'crm/prospect': 'kind: record\nrenamed_from: lead\ndoc: A lead.\nfields: { name }' },
    {
      'crm/lead/moved': 'callers, links',
      'crm/lead/renamed': 'typed clients',
      'crm/lead/title/changed': safe,
      'crm/lead/plural/changed': safe,
    },
  ),
  edit(
    'a file gets another name, and the resource keeps its own',
    leads('{ name }'),
    { 'crm/prospect': 'kind: record\nname: lead\ndoc: A lead.\nfields: { name }' },
    { 'crm/lead/moved': 'callers, links' },
  ),
  edit(
    'a file gets another name, and nothing says that it is the same resource',
    leads('{ name }'),
    { 'crm/prospect': 'kind: record\ndoc: A lead.\nfields: { name }' },
    { 'crm/lead/removed': 'callers, links', 'crm/prospect/added': safe },
  ),
  edit(
    'a record becomes a singleton',
    leads('{ name }'),
    { 'crm/lead': 'kind: singleton\ndoc: A lead.\nfields: { name }' },
    { 'crm/lead/kind/changed': 'readers, callers, links, typed clients' },
  ),
  edit(
    'the documentation changes',
    leads('{ name, fax: { doc: A number. } }'),
    {
      'crm/lead': 'kind: record\ndoc: A company.\nfields: { name: { doc: Its name. }, fax }',
    },
    { 'crm/lead/doc/changed': safe, 'crm/lead/name/doc/changed': safe, 'crm/lead/fax/doc/changed': safe },
  ),
  edit(
    'the plural stays, and another resource takes it',
    leads('{ name }'),
    { ...leads('{ name }'), 'crm/leads': 'kind: record\ndoc: Leads.\nfields: { name }' },
    { 'crm/leads/added': safe, 'crm/lead/plural/changed': 'typed clients' },
  ),
  edit(
    'another resource takes the plural of one without a list',
    leads('{ name }', 'operations: [create]'),
    { ...leads('{ name }', 'operations: [create]'), 'crm/leads': 'kind: record\ndoc: Leads.\nfields: { name }' },
    { 'crm/leads/added': safe },
  ),
  edit(
    'what goes without saying is said',
    leads('{ name }'),
    leads(
      '{ name: {} }',
      'name: lead\ntitle: lead\nplural: leads\nmax_body: 1 MiB\noperations: [delete, update, retrieve, create, list]',
    ),
    {},
  ),
  edit(
    'comments, quotes and layout change',
    leads('{ name: { max_length: 5 }, fax }'),
    {
      'crm/lead': '# Leads\nkind: "record"\ndoc: >-\n  A lead.\nfields:\n  name:\n    max_length: 5 # short\n  fax:\n',
    },
    {},
  ),
];

/** Moves between states. */
const states = (transitions: string): Texts => leads('{ status: { default: draft }, phase }', transitions);

const transitions: readonly Edit[] = [
  ...leadEdits(`
a transition is added => transitions/submit/added: safe
  { status: { default: draft }, phase }
  -> { status: { default: draft }, phase } | transitions: { submit: { from: draft, to: submitted } }
a transition gets another name => transitions/submit/removed: callers; transitions/send-off/added: safe
  { status: { default: draft }, phase } | transitions: { submit: { from: draft, to: submitted } }
  -> { status: { default: draft }, phase } | transitions: { send-off: { from: draft, to: submitted } }
a transition is possible from one state more => transitions/cancel/from/sent%20off/added: safe
  { status: { default: draft }, phase } | transitions: { cancel: { from: draft, to: cancelled } }
  -> { status: { default: draft }, phase } | transitions: { cancel: { from: [draft, sent off], to: cancelled } }
a transition is no longer possible from a state => transitions/cancel/from/draft/removed: callers
  { status: { default: draft }, phase } | transitions: { cancel: { from: [draft, submitted], to: cancelled } }
  -> { status: { default: draft }, phase } | transitions: { cancel: { from: submitted, to: cancelled } }
the states that a transition is possible from are put in another order
  { status: { default: draft }, phase } | transitions: { cancel: { from: [draft, submitted], to: cancelled } }
  -> { status: { default: draft }, phase } | transitions: { cancel: { from: [submitted, draft], to: cancelled } }
a state locks records => locked_in/sent%20off/added: updaters, callers
  { status, phase } | transitions: { send: { from: draft, to: sent off } }
  -> { status, phase } | transitions: { send: { from: draft, to: sent off } } | locked_in: [sent off] | except: [phase]
records can be archived
  => archive/added: safe; operations/archive/added: safe; operations/unarchive/added: safe; archived_at/added: safe; list/filter/archived_at/added: safe
  { name } -> { name } | archive: true
records can no longer be archived
  => archive/removed: callers; operations/archive/removed: callers; operations/unarchive/removed: callers; archived_at/removed: readers, updaters; list/filter/archived_at/removed: callers
  { name } | archive: true -> { name }
a state no longer locks records => locked_in/draft/removed: safe; locked_in/sent/added: updaters, callers
  { status, phase } | transitions: { send: { from: draft, to: sent } } | locked_in: [draft]
  -> { status, phase } | transitions: { send: { from: draft, to: sent } } | locked_in: [sent]
other fields can change while a record is locked => except/phase/removed: updaters; except/size/added: safe
  { status, phase, size } | transitions: { send: { from: draft, to: sent } } | locked_in: [sent] | except: [phase]
  -> { status, phase, size } | transitions: { send: { from: draft, to: sent } } | locked_in: [sent] | except: [size]
a field that can change while a record is locked is renamed => phase/renamed: readers, creators, updaters
  { status, phase } | transitions: { send: { from: draft, to: sent } } | locked_in: [sent] | except: [phase]
  -> { status, size: { renamed_from: phase } } | transitions: { send: { from: draft, to: sent } } | locked_in: [sent] | except: [size]
states are closed => status/read_only/added: creators, updaters
  { status: { default: draft } } | transitions: { send: { from: draft, to: sent } }
  -> { status: { default: draft } } | transitions: { send: { from: draft, to: sent } } | states: closed
a transition requires another field
  => transitions/send/requires/phase/removed: safe; transitions/send/requires/size/added: callers
  { status, phase, size } | transitions: { send: { from: draft, to: sent, requires: [phase] } }
  -> { status, phase, size } | transitions: { send: { from: draft, to: sent, requires: [size] } }
a transition sets another field => transitions/send/set/phase/removed: readers; transitions/send/set/size/changed: safe
  { status, phase, size } | transitions: { send: { from: draft, to: sent, set: { phase: actor } } }
  -> { status, phase, size } | transitions: { send: { from: draft, to: sent, set: { size: actor } } }
a transition gets a rule, with another message, another one and none => transitions/a/that/added: callers; transitions/b/that/changed: safe; transitions/c/that/changed: callers; transitions/d/that/removed: safe
  { status, phase } | transitions: { a: { from: x, to: y }, b: { from: x, to: y, that: phase == 'a' }, c: { from: x, to: y, that: phase == 'a' }, d: { from: x, to: y, that: phase == 'a' } }
  -> { status, phase } | transitions: { a: { from: x, to: y, that: phase == 'a' }, b: { from: x, to: y, that: { that: phase == 'a', message: A. } }, c: { from: x, to: y, that: phase == 'b' }, d: { from: x, to: y } }
the field of a rule of a transition is renamed => phase/renamed: readers, creators, updaters; transitions/a/that/changed: safe
  { status, phase } | transitions: { a: { from: x, to: y, that: phase == 'a' } }
  -> { status, stage: { renamed_from: phase } } | transitions: { a: { from: x, to: y, that: stage == 'a' } }
a transition takes inputs, the first that it must have => transitions/send/set/phase/changed: safe; transitions/send/input/why/added: callers; transitions/send/set/size/changed: safe; transitions/send/input/how/added: safe
  { status, phase, size } | transitions: { send: { from: draft, to: sent } }
  -> { status, phase, size } | transitions: { send: { from: draft, to: sent, input: { why: { required: true }, how }, set: { phase: input.why, size: input.how } } }
an input is removed, another is required => transitions/send/set/phase/removed: readers; transitions/send/input/why/removed: callers; transitions/send/input/how/required/added: callers
  { status, phase, size } | transitions: { send: { from: draft, to: sent, input: { why, how }, set: { phase: input.why, size: input.how } } }
  -> { status, phase, size } | transitions: { send: { from: draft, to: sent, input: { how: { required: true } }, set: { size: input.how } } }
inputs take less, more and other values => transitions/send/input/why/narrowed: callers; transitions/send/input/how/widened: safe; transitions/send/input/what/required/removed: safe; transitions/send/input/what/doc/changed: safe
  { status, phase, size, sort } | transitions: { send: { from: draft, to: sent, input: { why, how: { max_length: 9 }, what: { required: true } }, set: { phase: input.why, size: input.how, sort: input.what } } }
  -> { status, phase, size, sort } | transitions: { send: { from: draft, to: sent, input: { why: { enum: [a] }, how: { max_length: 10 }, what: { doc: A. } }, set: { phase: input.why, size: input.how, sort: input.what } } }
inputs get defaults, and lose them => transitions/send/input/why/default/changed: safe; transitions/send/input/how/default/changed: callers; transitions/send/input/what/nullable/removed: callers; transitions/send/input/what/default/changed: safe
  { status, phase, size, sort } | transitions: { send: { from: draft, to: sent, input: { why, how: { default: a }, what }, set: { phase: input.why, size: input.how, sort: input.what } } }
  -> { status, phase, size, sort } | transitions: { send: { from: draft, to: sent, input: { why: { default: a }, how: { default: b }, what: { default: c, nullable: false } }, set: { phase: input.why, size: input.how, sort: input.what } } }
an input stays as it is, and its field is renamed => phase/renamed: readers, creators, updaters
  { status, phase } | transitions: { send: { from: draft, to: sent, input: { why }, set: { phase: input.why } } }
  -> { status, stage: { renamed_from: phase } } | transitions: { send: { from: draft, to: sent, input: { why }, set: { stage: input.why } } }
a transition leads to another state => transitions/submit/to/changed: callers, readers
  { status: { default: draft }, phase } | transitions: { submit: { from: draft, to: submitted } }
  -> { status: { default: draft }, phase } | transitions: { submit: { from: draft, to: sent } }
a transition no longer leads to a state, another one does now => transitions/a/to/changed: callers, readers; transitions/b/to/changed: callers, readers
  { status, phase } | transitions: { a: { from: x, to: y }, b: { from: x } }
  -> { status, phase } | transitions: { a: { from: x }, b: { from: x, to: y } }
a transition that keeps the state is added, another sets another literal => transitions/b/added: safe; transitions/a/set/phase/changed: safe
  { status, phase } | transitions: { a: { from: x, set: { phase: a } } }
  -> { status, phase } | transitions: { a: { from: x, set: { phase: { value: now } } }, b: { from: x } }
a transition moves another field => transitions/submit/field/changed: callers, readers
  { status: { default: draft }, phase } | transitions: { submit: { from: draft, to: submitted } }
  -> { status: { default: draft }, phase } | transitions: { submit: { field: phase, from: draft, to: submitted } }
`),
  edit(
    'a transition is removed',
    states('transitions: { submit: { from: draft, to: submitted }, cancel: { from: submitted, to: cancelled } }'),
    states('transitions: { submit: { from: draft, to: submitted } }'),
    { 'crm/lead/transitions/cancel/removed': 'callers' },
  ),
  edit(
    'the field that a transition moves is renamed',
    states('transitions: { submit: { from: draft, to: submitted } }'),
    leads(
      '{ state: { default: draft, renamed_from: status }, phase }',
      'transitions: { submit: { field: state, from: draft, to: submitted } }',
    ),
    { 'crm/lead/status/renamed': all },
  ),
];

/** Line items and their parents. */
const parents: readonly Edit[] = [
  edit(
    'another field names the parent',
    brands('{ field: rule_id }', '{ rule_id: { required: true }, other_id: { required: true } }'),
    brands('{ field: other_id }', '{ rule_id: { required: true }, other_id: { required: true } }'),
    { 'crm/brand/parent/field/changed': 'creators, callers' },
  ),
  edit(
    'the field that names the parent is renamed',
    brands('{ field: rule_id }', '{ rule_id: { required: true } }'),
    brands('{ field: parent_id }', '{ parent_id: { required: true, renamed_from: rule_id } }'),
    { 'crm/brand/rule_id/renamed': all },
  ),
  edit('the parent must be there', brands('{ field: rule_id }'), brands('{ field: rule_id, resource: crm/rule }'), {
    'crm/brand/parent/resource/added': writers,
  }),
  edit(
    'the parent need no longer be there',
    brands('{ field: rule_id, resource: crm/rule }'),
    brands('{ field: rule_id }'),
    { 'crm/brand/parent/resource/removed': 'readers, callers' },
  ),
  edit(
    'the parent is of another resource',
    brands('{ field: rule_id, resource: crm/rule }'),
    brands('{ field: rule_id, resource: crm/offer }'),
    { 'crm/brand/parent/resource/changed': `${writers}, callers` },
  ),
  edit(
    'the parent is of another resource where nothing writes: who expands the former one is refused',
    listedBrands('crm/rule'),
    listedBrands('crm/offer'),
    { 'crm/brand/parent/resource/changed': 'callers' },
  ),
  edit(
    'the parent is moved',
    brands('{ field: rule_id, resource: crm/rule }'),
    {
      'sales/rule': 'kind: record\ndoc: A rule.\nfields: { name }',
      'crm/offer': 'kind: record\ndoc: An offer.\nfields: { name }',
      'crm/brand': brands('{ field: rule_id, resource: sales/rule }')['crm/brand'] ?? '',
    },
    { 'crm/rule/moved': 'callers, links' },
  ),
  edit('the parent becomes a pair', brands('{ field: rule_id }'), brands('{ field: rule_id, type_field: sort }'), {
    'crm/brand/parent/type_field/added': 'callers',
  }),
  edit('the parent is no longer a pair', brands('{ field: rule_id, type_field: sort }'), brands('{ field: rule_id }'), {
    'crm/brand/parent/type_field/removed': safe,
  }),
  edit(
    'line items can no longer be put in order',
    brands('{ field: rule_id }'),
    {
      ...brands('{ field: rule_id }'),
      'crm/brand': `operations: [list, create]\n${brands('{ field: rule_id }')['crm/brand']}`,
    },
    {
      'crm/brand/operations/update/removed': 'callers',
      'crm/brand/operations/delete/removed': 'callers',
      'crm/brand/operations/reorder/removed': 'callers',
    },
  ),
];

/** Leads whose size is one of the values of an enum of the service. */
const sized = (values: string, field = 'enum: size'): Texts => ({
  service: service(`enums: { size: [${values}] }`),
  ...leads(`{ name, size: { ${field} } }`),
});

/** Changes that touch all resources. */
const shared: readonly Edit[] = [
  edit(
    'what the service says of itself changes',
    { service: service(''), ...leads('{ name }') },
    {
      service:
        'name: sales\ntitle: Sales\ndoc: Keeps sales.\nversion: 2.0.0\nlicense: Apache-2.0\n' +
        'contact: { email: api@example.com }\nareas: { crm: CRM }',
      ...leads('{ name }'),
    },
    {
      'service/name/changed': safe,
      'service/title/changed': safe,
      'service/doc/changed': safe,
      'service/version/changed': safe,
      'service/license/changed': safe,
      'service/contact/changed': safe,
      'service/areas/changed': safe,
    },
  ),
  edit(
    'agents may no longer use the service',
    { service: service(''), ...leads('{ name }') },
    { service: service('mcp: off'), ...leads('{ name }') },
    {
      'service/mcp/off': 'callers',
    },
  ),
  edit(
    'agents may use the service',
    { service: service('mcp: off'), ...leads('{ name }') },
    { service: service('mcp: on'), ...leads('{ name }') },
    {
      'service/mcp/on': safe,
    },
  ),
  edit('an enum of the service takes the place of values', sized('s, m', 'enum: [s, m]'), sized('s, m'), {}),
  edit('an enum of the service has a value more', sized('s, m'), sized('s, m, l'), {
    'crm/lead/size/enum/l/added': safe,
  }),
  edit('an enum of the service has a value less', sized('s, m'), sized('s'), {
    'crm/lead/size/enum/m/removed': `readers, ${writers}`,
  }),
  edit('an enum of the service renames a value', sized('s, m'), sized('s, { value: l, renamed_from: m }'), {
    'crm/lead/size/enum/m/renamed': `readers, ${writers}`,
  }),
  edit('an enum of the service has another order', sized('s, m'), sized('m, s'), {
    'crm/lead/size/enum/reordered': safe,
  }),
  edit(
    'settings that could be set once can be changed',
    settings('{ site: { immutable: once_set } }'),
    settings('{ site }'),
    { 'crm/settings/site/immutable/removed': safe },
  ),
  edit(
    'a break is accepted that is none',
    leads('{ name }'),
    { service: service('accepted_breaks: { crm/lead/fax/removed: Nobody has one. }'), ...leads('{ name }') },
    {},
  ),
  edit(
    'several resources change at once',
    {
      ...leads('{ name }'),
      ...settings('{ name }'),
      'crm/deal': 'kind: record\ndoc: A deal.\nfields: { name }',
    },
    { ...leads('{ name: { max_length: 9 } }'), ...settings('{ name: { default: x } }') },
    {
      'crm/deal/removed': 'callers, links',
      'crm/lead/name/max_length/narrowed': `readers, ${writers}`,
      'crm/settings/name/default/added': safe,
    },
  ),
];

/** Changes of filters, sort orders, searched fields and columns. */
const lists: readonly Edit[] = [
  ...leadEdits(`
a list is sorted without case, and with it again => list/sort/name/ignore_case: safe; list/sort/status/ignore_case: safe
  { name, status } | list: { sort: [name, { field: status, ignore_case: true }] }
  -> { name, status } | list: { sort: [{ field: name, ignore_case: true }, status] }
a list gets columns => list/columns/changed: safe
  { name, status } -> { name, status } | list: { columns: [name] }
a list gets other columns => list/columns/changed: safe
  { name, status } | list: { columns: [name, status] } -> { name, status } | list: { columns: [status, name] }
a column is renamed => name/renamed: readers, creators, updaters
  { name } | list: { columns: [name] } -> { title: { renamed_from: name } } | list: { columns: [title] }
the backfill of a searched field changes => website/backfill/changed: readers
  { website: { required: true, backfill: none } } | list: { search: [website] }
  -> { website: { required: true, backfill: unknown } } | list: { search: [website] }
a list loses a filter, an order and a search
  => list/filter/status/removed: callers; list/sort/name/removed: callers; list/search/name/removed: callers
  { name, status } | list: { filter: [status, name], sort: [name, status], search: [name] }
  -> { name, status } | list: { filter: [name], sort: [status] }
a list is filtered, sorted and searched in another order
  { name, status } | list: { filter: [status, name], sort: [status, name], search: [name, status] }
  -> { name, status } | list: { filter: [name, status], sort: [name, status], search: [status, name] }
a field that a list is filtered, sorted and searched by is renamed
  => name/renamed: readers, creators, updaters; list/filter/name/renamed: callers; list/sort/name/renamed: callers
  { name } | list: { filter: [name], sort: [name], search: [name] }
  -> { title: { renamed_from: name } } | list: { filter: [title], sort: [title], search: [title] }
a field goes together with its filter
  => status/removed: readers, creators, updaters; list/filter/status/removed: callers
  { name, status } | list: { filter: [status, name] } -> { name } | list: { filter: [name] }
a list loses a count and a sum => list/count/status/removed: callers; list/sum/seats/removed: callers
  { name, status, seats: integer } | list: { count: [status, name], sum: [seats] } -> { name, status, seats: integer } | list: { count: [name] }
a list gets counts and sums => list/count/status/added: safe; list/count/name/added: safe; list/sum/seats/added: safe
  { name, status, seats: integer } -> { name, status, seats: integer } | list: { count: [status, name], sum: [seats] }
a list is counted and summed in another order
  { name, status, a: integer, b: number } | list: { count: [name, status], sum: [a, b] }
  -> { name, status, a: integer, b: number } | list: { count: [status, name], sum: [b, a] }
a field that a list is counted by, and one that is summed, are renamed
  => status/renamed: readers, creators, updaters; seats/renamed: readers, creators, updaters; list/count/status/renamed: callers; list/sum/seats/renamed: callers
  { status, seats: integer } | list: { count: [status], sum: [seats] }
  -> { state: { renamed_from: status }, places: { type: integer, renamed_from: seats } } | list: { count: [state], sum: [places] }
a list goes together with its filters => operations/list/removed: callers
  { name } | list: { filter: [name] } -> { name } | operations: [create, retrieve, update, delete]
a filtered field becomes a date: its values have no prefix any more
  => name/format/added: creators, updaters; list/filter/name/changed: callers
  { name } | list: { filter: [name] } -> { name: { format: date } } | list: { filter: [name] }
a filtered field takes fewer values: its filter still finds the others => name/enum/b/removed: readers, creators, updaters
  { name: { enum: [a, b] } } | list: { filter: [name] } -> { name: { enum: [a] } } | list: { filter: [name] }
a filtered field that only the service sets takes fewer values => status/enum/lost/removed: readers, updaters
  { status: { read_only: true, enum: [open, lost] } } | list: { filter: [status] }
  -> { status: { read_only: true, enum: [open] } } | list: { filter: [status] }
`),
  edit(
    'a list gets filters, an order and a search',
    leads('{ name, status }'),
    leads('{ name, status }', 'list: { filter: [status, updated_at], sort: [name], search: [name, status] }'),
    {
      'crm/lead/list/filter/status/added': safe,
      'crm/lead/list/filter/updated_at/added': safe,
      'crm/lead/list/sort/name/added': safe,
      'crm/lead/list/search/name/added': safe,
      'crm/lead/list/search/status/added': safe,
    },
  ),
];

const leadsToWin = leads(
  '{ name, state: { enum: [new, won] } }',
  'transitions: { win: { field: state, from: new, to: won } }',
);

/** The same with hooks. */
const hooked = (codes: string, ...names: readonly string[]): Texts => ({
  ...leadsToWin,
  'crm/lead.hooks': [`export const codes = { ${codes} };`, ...names.map((name) => `export const ${name} = 1;`)].join(
    '\n',
  ),
});

const hooks: readonly Edit[] = [
  edit(
    'hooks refuse with a code',
    leadsToWin,
    hooked("spam: 'It is spam.'", 'beforeCreate', 'beforeWin', 'afterUpdate'),
    {
      'crm/lead/hooks/spam/added': 'creators, callers',
    },
  ),
  edit('a code of hooks goes', hooked("a: 'A.', b: 'B.'", 'beforeUpdate'), hooked("a: 'A.'", 'beforeUpdate'), {
    'crm/lead/hooks/b/removed': 'typed clients',
  }),
  edit('the meaning of a code changes', hooked("a: 'A.'", 'beforeUpdate'), hooked("a: 'Other.'", 'beforeUpdate'), {
    'crm/lead/hooks/a/changed': safe,
  }),
  edit('a hook comes without a code', leadsToWin, hooked('', 'beforeCreate'), {}),
];

/** The edits that the verdicts are held against. */
export const edits: readonly Edit[] = [
  ...fields,
  ...types,
  ...presence,
  ...limits,
  ...copies,
  ...references,
  ...resources,
  ...transitions,
  ...parents,
  ...lists,
  ...shared,
  ...hooks,
];

/** The texts as `readService` takes them. */
export const specsOf = (texts: Texts): Map<string, string> =>
  new Map(
    Object.entries({ service: service(''), ...texts }).map(([path, text]) => [
      `spec/${path}.${path.endsWith('.hooks') ? 'ts' : 'yaml'}`,
      text,
    ]),
  );
