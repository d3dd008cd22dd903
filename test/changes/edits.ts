import { formats } from '../../runtime/model/formats.ts';

/** An edit of a spec, and the changes that an API designer finds in it. */
export interface Edit {
  readonly edit: string;
  readonly before: Texts;
  readonly after: Texts;
  readonly changes: Changes;
}

/** The id of each change, and what it breaks: empty if it is safe. */
type Changes = Readonly<Record<string, string>>;

/** YAML by path below `spec/`, without its `.yaml`. A spec without `service` gets one. */
export type Texts = Readonly<Record<string, string>>;

/** A service of leads; `more` are other keys of the file. */
const leads = (fields: string, more = ''): Texts => ({
  'crm/lead': `kind: record\ndoc: A lead.\n${more}\nfields: ${fields}`,
});

/** A field of lists. @param of the type of their entries @param more other keys */
const list = (of: string, more = ''): string => `{ type: list, of: ${of}, ${more} }`;

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

const win = 'transitions: { win: { from: new, to: won } }';

const safe = '';
const all = 'readers, creators, updaters';
const writers = 'creators, updaters';

const edit = (name: string, before: Texts, after: Texts, changes: Changes): Edit => ({
  edit: name,
  before,
  after,
  changes,
});

/** An edit of the fields of leads; the ids are below `crm/lead`. */
function lead(name: string, before: string, after: string, changes: Changes, more?: string): Edit {
  const ids = Object.entries(changes).map(([id, breaks]) => [`crm/lead/${id}`, breaks]);
  return edit(name, leads(before, more), leads(after, more), Object.fromEntries(ids));
}

/** Fields that come, go, move and are renamed. */
const fields: readonly Edit[] = [
  lead('an optional field is added', '{ name }', '{ name, website }', { 'website/added': safe }),
  lead('a field is added between two others', '{ name, website }', '{ name, fax, website }', { 'fax/added': safe }),
  lead('an optional field with a default is added', '{ name }', '{ name, status: { default: open } }', {
    'status/added': safe,
  }),
  lead('a read-only field is added', '{ name }', '{ name, score: { type: integer, read_only: true } }', {
    'score/added': safe,
  }),
  lead('a required field is added', '{ name }', '{ name, website: { required: true } }', {
    'website/added': 'creators, readers',
  }),
  lead(
    'a required field that may be null is added',
    '{ name }',
    '{ name, website: { required: true, nullable: true } }',
    { 'website/added': 'creators' },
  ),
  lead(
    'a required field is added where nothing creates',
    '{ name }',
    '{ name, website: { required: true } }',
    { 'website/added': 'readers' },
    'operations: [retrieve, list, update]',
  ),
  edit(
    'a required field is added together with the operation that creates',
    leads('{ name }', 'operations: [retrieve, list]'),
    leads('{ name, website: { required: true } }', 'operations: [retrieve, list, create]'),
    { 'crm/lead/operations/create/added': safe, 'crm/lead/website/added': 'readers' },
  ),
  edit(
    'a required field is added to a singleton, where it is null until it is set',
    settings('{ name }'),
    settings('{ name, website: { required: true } }'),
    { 'crm/settings/website/added': safe },
  ),
  lead('a field is removed', '{ name, website }', '{ name }', { 'website/removed': all }),
  lead(
    'a read-only field is removed: who sends back what he read is refused',
    '{ name, score: { read_only: true } }',
    '{ name }',
    { 'score/removed': 'readers, updaters' },
  ),
  lead(
    'a field is removed where nothing writes',
    '{ name, website }',
    '{ name }',
    { 'website/removed': 'readers' },
    'operations: [retrieve, list]',
  ),
  edit(
    'a field is removed together with the operation that updates',
    leads('{ name, website }', 'operations: [retrieve, create, update]'),
    leads('{ name }', 'operations: [retrieve, create]'),
    { 'crm/lead/operations/update/removed': 'callers', 'crm/lead/website/removed': 'readers, creators' },
  ),
  lead(
    'a field is removed where a transition alone answers with records',
    '{ status: { default: new }, website }',
    '{ status: { default: new } }',
    { 'website/removed': 'readers' },
    `operations: [delete]\n${win}`,
  ),
  lead(
    'a field is removed where records can only be deleted',
    '{ name, website }',
    '{ name }',
    { 'website/removed': safe },
    'operations: [delete]',
  ),
  lead('a field is renamed', '{ name, website }', '{ name, homepage: { renamed_from: website } }', {
    'website/renamed': all,
  }),
  lead(
    'a field is renamed from one of several former names',
    '{ name, url }',
    '{ name, homepage: { renamed_from: [website, url] } }',
    { 'url/renamed': all },
  ),
  lead(
    'a rename of long ago stays in the spec',
    '{ name, homepage: { renamed_from: website } }',
    '{ name, homepage: { renamed_from: website } }',
    {},
  ),
  lead('a rename of long ago is forgotten', '{ name, homepage: { renamed_from: website } }', '{ name, homepage }', {}),
  lead('a field gets a new name without renamed_from', '{ name, website }', '{ name, homepage }', {
    'website/removed': all,
    'homepage/added': safe,
  }),
  lead(
    'a field is renamed to one that is there already: it is removed',
    '{ homepage, website }',
    '{ homepage: { renamed_from: website } }',
    { 'website/removed': all },
  ),
  lead('a field is renamed and limited', '{ website }', '{ homepage: { renamed_from: website, max_length: 100 } }', {
    'website/renamed': all,
    'website/max_length/narrowed': writers,
  }),
  lead('fields are put in another order', '{ name, website, fax }', '{ website, name, fax }', {
    'fields/reordered': safe,
  }),
  lead('a field is renamed and put elsewhere', '{ website, name }', '{ name, homepage: { renamed_from: website } }', {
    'website/renamed': all,
    'fields/reordered': safe,
  }),
  lead('a field between two others is replaced', '{ name, fax, website }', '{ name, pager: integer, website }', {
    'fax/removed': all,
    'pager/added': safe,
  }),
  lead(
    'a field that is called transitions loses its default',
    '{ transitions: { default: none } }',
    '{ transitions }',
    { 'fields/transitions/default/removed': 'creators' },
  ),
];

/** Every format against any string, and against another format. */
const everyFormat: readonly Edit[] = Object.keys(formats).flatMap((format) => [
  lead(`any string gets the format ${format}`, '{ about }', `{ about: { format: ${format} } }`, {
    'about/format/added': writers,
  }),
  lead(`the format ${format} becomes any string`, `{ about: { format: ${format} } }`, '{ about }', {
    'about/format/removed': 'readers',
  }),
  lead(
    `the format ${format} becomes another one`,
    `{ about: { format: ${format} } }`,
    `{ about: { format: ${format === 'uuid' ? 'uri' : 'uuid'} } }`,
    { 'about/format/changed': all },
  ),
  lead(`the format ${format} becomes an integer`, `{ about: { format: ${format} } }`, '{ about: integer }', {
    'about/type/changed': all,
  }),
]);

/** Changes of types and limits. */
const types: readonly Edit[] = [
  ...everyFormat,
  lead('a string becomes a decimal', '{ fine }', '{ fine: { type: decimal, digits: 8, scale: 2 } }', {
    'fine/type/changed': all,
  }),
  lead('a date becomes a decimal', '{ fine: { format: date } }', '{ fine: { type: decimal, digits: 8, scale: 2 } }', {
    'fine/type/changed': all,
  }),
  lead('an integer becomes a decimal', '{ fine: integer }', '{ fine: { type: decimal, digits: 8, scale: 2 } }', {
    'fine/type/changed': all,
  }),
  lead('a decimal becomes a string', '{ fine: { type: decimal, digits: 8, scale: 2 } }', '{ fine }', {
    'fine/type/changed': all,
  }),
  lead('a decimal becomes a number', '{ fine: { type: decimal, digits: 8, scale: 2 } }', '{ fine: number }', {
    'fine/type/changed': all,
  }),
  lead(
    'a decimal has more digits',
    '{ fine: { type: decimal, digits: 8, scale: 2 } }',
    '{ fine: { type: decimal, digits: 10, scale: 2 } }',
    { 'fine/digits/widened': safe },
  ),
  lead(
    'a decimal has fewer digits',
    '{ fine: { type: decimal, digits: 10, scale: 2 } }',
    '{ fine: { type: decimal, digits: 8, scale: 2 } }',
    { 'fine/digits/narrowed': writers },
  ),
  lead(
    'a decimal has a larger scale, and its default more zeros',
    "{ fine: { type: decimal, digits: 8, scale: 2, default: '1.5' } }",
    "{ fine: { type: decimal, digits: 10, scale: 4, default: '1.5' } }",
    { 'fine/scale/widened': safe },
  ),
  lead(
    'a decimal has a smaller scale',
    '{ fine: { type: decimal, digits: 10, scale: 4 } }',
    '{ fine: { type: decimal, digits: 8, scale: 2 } }',
    { 'fine/scale/narrowed': writers },
  ),
  lead(
    'a decimal has a larger scale within the same digits',
    '{ fine: { type: decimal, digits: 8, scale: 2 } }',
    '{ fine: { type: decimal, digits: 8, scale: 4 } }',
    { 'fine/scale/widened': safe, 'fine/digits/narrowed': writers },
  ),
  lead(
    'a decimal has another range',
    "{ fine: { type: decimal, digits: 18, scale: 2, min: '1', max: '9999999999999999.98' } }",
    "{ fine: { type: decimal, digits: 18, scale: 2, min: '0.99', max: '9999999999999999.97' } }",
    { 'fine/min/widened': safe, 'fine/max/narrowed': writers },
  ),
  ...(
    [
      ['a string becomes a list', '{ max_length: 80 }', list('string'), { 'tags/type/changed': all }],
      ['a list becomes a string', list('string'), '{ max_length: 80 }', { 'tags/type/changed': all }],
      ['a list of strings becomes one of integers', list('string'), list('integer'), { 'tags/of/type/changed': all }],
      ['a list of integers becomes one of strings', list('integer'), list('string'), { 'tags/of/type/changed': all }],
      [
        'the entries of a list get a limit',
        list('string'),
        list('{ max_length: 40 }'),
        { 'tags/of/max_length/narrowed': writers },
      ],
      [
        'a list loses an enum value',
        list('{ enum: [a, b] }'),
        list('{ enum: [a] }'),
        { 'tags/of/enum/b/removed': writers },
      ],
      [
        'a list has fewer entries',
        list('string'),
        list('string', 'max_items: 5'),
        { 'tags/max_items/narrowed': writers },
      ],
      [
        'a list has more entries',
        list('string', 'max_items: 5'),
        list('string', 'max_items: 6'),
        { 'tags/max_items/widened': safe },
      ],
      [
        'the entries of a list must differ',
        list('string'),
        list('string', 'unique_items: true'),
        { 'tags/unique_items/added': writers },
      ],
      [
        'the entries of a list may repeat',
        list('string', 'unique_items: true'),
        list('string'),
        { 'tags/unique_items/removed': safe },
      ],
      ['a list gets a default', list('string'), list('string', 'default: [a]'), { 'tags/default/added': safe }],
      [
        'a list is not null',
        list('string'),
        list('string', 'default: [], nullable: false'),
        { 'tags/default/added': safe, 'tags/nullable/removed': writers },
      ],
    ] as const
  ).map(([name, before, after, changes]) => lead(name, `{ tags: ${before} }`, `{ tags: ${after} }`, changes)),
  lead('an integer becomes a number', '{ score: integer }', '{ score: number }', { 'score/type/changed': 'readers' }),
  lead('a number becomes an integer', '{ score: number }', '{ score: integer }', { 'score/type/changed': writers }),
  lead(
    'a number that only the service sets becomes an integer: an update that sends a fraction back is refused',
    '{ score: { type: number, read_only: true } }',
    '{ score: { type: integer, read_only: true } }',
    { 'score/type/changed': 'updaters' },
  ),
  lead(
    'an integer becomes a number that must be smaller',
    '{ score: { type: integer, max: 100 } }',
    '{ score: { type: number, max: 10 } }',
    { 'score/type/changed': all },
    'list: { filter: [score] }',
  ),
  lead('an integer becomes a number that must be larger', '{ score: integer }', '{ score: { type: number, min: 0 } }', {
    'score/type/changed': all,
  }),
  lead(
    'an integer becomes a number within wider limits',
    '{ score: { type: integer, min: 1, max: 10 } }',
    '{ score: { type: number, min: 0 } }',
    { 'score/type/changed': 'readers' },
    'list: { filter: [score] }',
  ),
  lead('a string becomes an integer', '{ score }', '{ score: integer }', { 'score/type/changed': all }),
  lead('a boolean becomes a string', '{ active: boolean }', '{ active }', { 'active/type/changed': all }),
  lead(
    'a type changes, and with it the default and the limits',
    '{ score: { type: integer, default: 1, min: 0, max: 5 } }',
    '{ score: { default: one, max_length: 5 } }',
    { 'score/type/changed': all },
  ),
  lead('a string gets the format date', '{ since }', '{ since: { format: date } }', { 'since/format/added': writers }),
  lead('a date becomes any string', '{ since: { format: date } }', '{ since }', { 'since/format/removed': 'readers' }),
  lead('a date becomes a string of eight characters', '{ since: { format: date } }', '{ since: { max_length: 8 } }', {
    'since/format/removed': all,
  }),
  lead('a date becomes a date with its time', '{ since: { format: date } }', '{ since: { format: date-time } }', {
    'since/format/changed': all,
  }),
  lead('a date becomes an enum', '{ since: { format: date } }', '{ since: { enum: [today, before] } }', {
    'since/format/removed': 'readers',
    'since/enum/added': writers,
  }),
  lead('an enum becomes a date', '{ since: { enum: [today, before] } }', '{ since: { format: date } }', {
    'since/enum/removed': 'readers, typed clients',
    'since/format/added': writers,
  }),
  lead('a string becomes an enum', '{ status }', '{ status: { enum: [open, lost] } }', {
    'status/enum/added': writers,
  }),
  lead('an enum becomes any string', '{ status: { enum: [open, lost] } }', '{ status }', {
    'status/enum/removed': 'readers, typed clients',
  }),
  lead(
    'an enum becomes a string that is too short for one of its values',
    '{ status: { enum: [open, closed] } }',
    '{ status: { max_length: 4 } }',
    { 'status/enum/removed': 'readers, typed clients, creators, updaters' },
  ),
  lead('an enum gets a value', '{ status: { enum: [open, lost] } }', '{ status: { enum: [open, won, lost] } }', {
    'status/enum/won/added': safe,
  }),
  lead('an enum loses a value', '{ status: { enum: [open, won, lost] } }', '{ status: { enum: [open, won] } }', {
    'status/enum/lost/removed': writers,
  }),
  lead(
    'an enum that only the service sets loses a value: an update that sends it back is refused',
    '{ status: { read_only: true, enum: [open, lost] } }',
    '{ status: { read_only: true, enum: [open] } }',
    { 'status/enum/lost/removed': 'updaters' },
  ),
  lead(
    'values of an enum are spelt otherwise',
    '{ status: { enum: [open, "won: all/most"] } }',
    '{ status: { enum: [Open, "won: all/most", größer] } }',
    { 'status/enum/open/removed': writers, 'status/enum/Open/added': safe, 'status/enum/größer/added': safe },
  ),
  lead(
    'a value that no path could hold leaves an enum',
    '{ status: { enum: [open, "won: all/most"] } }',
    '{ status: { enum: [open] } }',
    { 'status/enum/won%3A%20all%2Fmost/removed': writers },
  ),
  lead(
    'the values of an enum are put in another order',
    '{ status: { enum: [open, won, lost] } }',
    '{ status: { enum: [lost, open, won] } }',
    { 'status/enum/reordered': safe },
  ),
];

/** Changes of `required`, `nullable`, `read_only` and defaults. */
const presence: readonly Edit[] = [
  lead('an optional field becomes required', '{ website }', '{ website: { required: true } }', {
    'website/required/added': `${writers}, readers`,
  }),
  lead(
    'an optional field becomes required, and null stays a value',
    '{ website }',
    '{ website: { required: true, nullable: true } }',
    { 'website/required/added': 'creators' },
  ),
  lead(
    'a field becomes required where nothing writes',
    '{ website }',
    '{ website: { required: true } }',
    { 'website/required/added': 'readers' },
    'operations: [list]',
  ),
  lead('a required field becomes optional', '{ website: { required: true } }', '{ website }', {
    'website/required/removed': 'readers',
  }),
  lead(
    'a required field becomes optional, with a default',
    '{ status: { required: true } }',
    '{ status: { default: open } }',
    { 'status/required/removed': 'readers', 'status/default/added': safe },
  ),
  lead(
    'a required field that may be null becomes optional',
    '{ website: { required: true, nullable: true } }',
    '{ website }',
    { 'website/required/removed': safe },
  ),
  lead('a field with a default becomes required', '{ status: { default: open } }', '{ status: { required: true } }', {
    'status/required/added': `${writers}, readers`,
  }),
  lead(
    'a required field may be null',
    '{ website: { required: true } }',
    '{ website: { required: true, nullable: true } }',
    { 'website/nullable/added': 'readers' },
  ),
  lead(
    'a required field may no longer be null',
    '{ website: { required: true, nullable: true } }',
    '{ website: { required: true } }',
    { 'website/nullable/removed': `${writers}, readers` },
  ),
  lead('a default is computed by each create', '{ on: { format: date } }', '{ on: { format: date, default: today } }', {
    'on/default/added': safe,
  }),
  lead(
    'a default is no longer computed',
    '{ at: { format: date-time, default: now } }',
    "{ at: { format: date-time, default: '2026-01-01T00:00:00Z' } }",
    { 'at/default/changed': 'creators' },
  ),
  lead(
    'a field without a value for older records is added',
    '{ name }',
    '{ name, at: { format: date-time, default: now, nullable: false } }',
    { 'at/added': 'readers' },
  ),
  lead('null is no longer taken', '{ size: { default: s } }', '{ size: { default: s, nullable: false } }', {
    'size/nullable/removed': writers,
  }),
  lead('null is taken again', '{ size: { default: s, nullable: false } }', '{ size: { default: s } }', {
    'size/nullable/added': 'readers',
  }),
  lead('a required field gets a default', '{ size: { required: true } }', '{ size: { default: s, nullable: false } }', {
    'size/required/removed': safe,
    'size/default/added': safe,
    'size/backfill/added': safe,
  }),
  lead(
    'a required field that may be null gets a default, and is never null',
    '{ size: { required: true, nullable: true } }',
    '{ size: { default: s, nullable: false } }',
    { 'size/required/removed': safe, 'size/nullable/removed': writers, 'size/default/added': safe },
  ),
  lead(
    'a field that is never null becomes required, and may be null',
    '{ size: { default: s, nullable: false } }',
    '{ size: { required: true, nullable: true } }',
    { 'size/required/added': 'creators', 'size/nullable/added': 'readers' },
  ),
  lead(
    'another default of a field that is never null',
    '{ size: { default: s, nullable: false } }',
    '{ size: { default: m, nullable: false } }',
    { 'size/default/changed': 'creators', 'size/backfill/changed': 'readers' },
  ),
  lead(
    'a required field is added, with a value for older records',
    '{ name }',
    "{ name, website: { required: true, backfill: '' } }",
    { 'website/added': 'creators' },
  ),
  lead(
    'an optional field becomes required, with a value for older records',
    '{ size: integer }',
    '{ size: { type: integer, required: true, backfill: 0 } }',
    { 'size/required/added': writers },
  ),
  lead(
    'older records get a value',
    '{ website: { required: true } }',
    '{ website: { required: true, backfill: none } }',
    { 'website/backfill/added': safe },
  ),
  lead(
    'older records get another value',
    '{ website: { required: true, backfill: none } }',
    '{ website: { required: true, backfill: unknown } }',
    { 'website/backfill/changed': 'readers' },
  ),
  lead(
    'older records lose their value',
    '{ website: { required: true, backfill: none } }',
    '{ website: { required: true } }',
    { 'website/backfill/removed': 'readers' },
  ),
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
  lead('a field becomes read-only', '{ score: integer }', '{ score: { type: integer, read_only: true } }', {
    'score/read_only/added': writers,
  }),
  lead(
    'a field becomes read-only where nothing writes',
    '{ score: integer }',
    '{ score: { type: integer, read_only: true } }',
    { 'score/read_only/added': safe },
    'operations: [list]',
  ),
  lead(
    'a required field becomes read-only, with a default',
    '{ status: { required: true } }',
    '{ status: { read_only: true, default: open } }',
    { 'status/required/removed': 'readers', 'status/read_only/added': writers, 'status/default/added': safe },
  ),
  lead('a field becomes immutable', '{ site }', '{ site: { immutable: true } }', {
    'site/immutable/added': 'updaters',
  }),
  lead('a field can be set once', '{ site }', '{ site: { immutable: once_set } }', {
    'site/immutable/added': 'updaters',
  }),
  lead(
    'a field that could be set once is immutable',
    '{ site: { immutable: once_set } }',
    '{ site: { immutable: true } }',
    { 'site/immutable/changed': 'updaters' },
  ),
  lead('an immutable field can be set once', '{ site: { immutable: true } }', '{ site: { immutable: once_set } }', {
    'site/immutable/changed': safe,
  }),
  lead('a field is no longer immutable', '{ site: { immutable: true } }', '{ site }', {
    'site/immutable/removed': safe,
  }),
  lead('a read-only field can be set', '{ score: { type: integer, read_only: true } }', '{ score: integer }', {
    'score/read_only/removed': safe,
  }),
  lead('a field gets a default', '{ status }', '{ status: { default: open } }', { 'status/default/added': safe }),
  lead('a field gets another default', '{ status: { default: open } }', '{ status: { default: new } }', {
    'status/default/changed': 'creators',
  }),
  lead('a field loses its default', '{ status: { default: open } }', '{ status }', {
    'status/default/removed': 'creators',
  }),
  lead(
    'a default that is false is no missing one',
    '{ active: { type: boolean, default: false } }',
    '{ active: { type: boolean, default: true } }',
    { 'active/default/changed': 'creators' },
  ),
  lead(
    'a default changes where nothing creates',
    '{ status: { default: open } }',
    '{ status: { default: new } }',
    { 'status/default/changed': safe },
    'operations: [list, update]',
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
  lead('max_length is added', '{ website }', '{ website: { max_length: 200 } }', {
    'website/max_length/narrowed': writers,
  }),
  lead('max_length is lowered', '{ website: { max_length: 200 } }', '{ website: { max_length: 100 } }', {
    'website/max_length/narrowed': writers,
  }),
  lead('max_length is raised', '{ website: { max_length: 200 } }', '{ website: { max_length: 300 } }', {
    'website/max_length/widened': safe,
  }),
  lead('max_length is removed', '{ website: { max_length: 200 } }', '{ website }', {
    'website/max_length/widened': safe,
  }),
  lead(
    'max_length is added, beyond what every string may have',
    '{ website }',
    '{ website: { max_length: 1000000 } }',
    { 'website/max_length/widened': safe },
  ),
  lead(
    'max_length is stated as what it is for every string',
    '{ website }',
    '{ website: { max_length: 65536, min_length: 0 } }',
    {},
  ),
  lead(
    'max_length of a field that only the service sets is lowered',
    '{ website: { read_only: true, max_length: 200 } }',
    '{ website: { read_only: true, max_length: 100 } }',
    { 'website/max_length/narrowed': 'updaters' },
  ),
  lead(
    'max_length of a field that only the service sets is lowered where nothing updates',
    '{ website: { read_only: true, max_length: 200 } }',
    '{ website: { read_only: true, max_length: 100 } }',
    { 'website/max_length/narrowed': safe },
    'operations: [create, list]',
  ),
  lead(
    'a field that only the service sets gets a pattern',
    '{ website: { read_only: true } }',
    '{ website: { read_only: true, pattern: ^https } }',
    { 'website/pattern/added': 'updaters' },
  ),
  lead(
    'max_length is lowered where records can be created and not updated',
    '{ website }',
    '{ website: { max_length: 100 } }',
    { 'website/max_length/narrowed': 'creators' },
    'operations: [create, list]',
  ),
  lead(
    'min_length is raised, max_length too',
    '{ website: { min_length: 1, max_length: 200 } }',
    '{ website: { min_length: 5, max_length: 300 } }',
    { 'website/min_length/narrowed': writers, 'website/max_length/widened': safe },
  ),
  lead('min_length is removed', '{ website: { min_length: 1 } }', '{ website }', {
    'website/min_length/widened': safe,
  }),
  lead('a number gets a smallest value', '{ score: number }', '{ score: { type: number, min: 0 } }', {
    'score/min/narrowed': writers,
  }),
  lead('an integer may be smaller', '{ score: { type: integer, min: 0 } }', '{ score: { type: integer, min: -10 } }', {
    'score/min/widened': safe,
  }),
  lead('a number must be smaller', '{ score: { type: number, max: 10 } }', '{ score: { type: number, max: 5 } }', {
    'score/max/narrowed': writers,
  }),
  lead('an integer loses its largest value', '{ score: { type: integer, max: 5 } }', '{ score: integer }', {
    'score/max/widened': safe,
  }),
  lead(
    'an integer gets the limits that every integer has',
    '{ score: integer }',
    '{ score: { type: integer, min: -9007199254740991, max: 9007199254740991 } }',
    {},
  ),
  lead('a pattern is added', '{ website }', '{ website: { pattern: ^https } }', { 'website/pattern/added': writers }),
  lead('a pattern is another', '{ website: { pattern: ^https } }', '{ website: { pattern: ^http } }', {
    'website/pattern/changed': writers,
  }),
  lead('a pattern is removed', '{ website: { pattern: ^https } }', '{ website }', { 'website/pattern/removed': safe }),
];

const client = { 'crm/client': 'kind: record\ndoc: A client.\nfields: { name }' };

/** Leads that may reference clients, and other leads. */
const referring = (reference: string, more: Texts = client): Texts => ({ ...leads(reference), ...more });

/** The filter that every list has by a reference. */
const filterOfFormer = (what: string): string => `list/filter/former_id/${what}`;

/** Changes of references. */
const references: readonly Edit[] = [
  lead('a reference is added', '{ name }', '{ name, former_id: { references: crm/lead } }', {
    'former_id/added': safe,
    [filterOfFormer('added')]: safe,
  }),
  lead('a required reference is added', '{ name }', '{ name, former_id: { references: crm/lead, required: true } }', {
    'former_id/added': 'creators, readers',
    [filterOfFormer('added')]: safe,
  }),
  lead('a text becomes a reference', '{ name, former_id }', '{ name, former_id: { references: crm/lead } }', {
    'former_id/references/added': writers,
    [filterOfFormer('added')]: safe,
  }),
  lead(
    'a text becomes a reference, or null where it names nothing',
    '{ name, former_id }',
    '{ name, former_id: { references: crm/lead, on_missing: set_null } }',
    { 'former_id/references/added': writers, [filterOfFormer('added')]: safe },
  ),
  lead(
    'a short text becomes a reference under another name',
    '{ name, former: { max_length: 50 } }',
    '{ name, former_id: { references: crm/lead, renamed_from: former } }',
    { 'former/renamed': all, 'former/references/added': writers, [filterOfFormer('added')]: safe },
  ),
  lead('a reference becomes a text', '{ name, former_id: { references: crm/lead } }', '{ name, former_id }', {
    'former_id/references/removed': safe,
    [filterOfFormer('removed')]: 'callers',
  }),
  lead(
    'a reference becomes an integer',
    '{ name, former_id: { references: crm/lead } }',
    '{ name, former_id: integer }',
    { 'former_id/type/changed': all, 'former_id/references/removed': safe, [filterOfFormer('removed')]: 'callers' },
  ),
  lead('a reference is removed', '{ name, former_id: { references: crm/lead } }', '{ name }', {
    'former_id/removed': all,
    [filterOfFormer('removed')]: 'callers',
  }),
  edit(
    'a reference names other records',
    referring('{ name, of_id: { references: crm/lead } }'),
    referring('{ name, of_id: { references: crm/client } }'),
    { 'crm/lead/of_id/references/changed': writers },
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
  ...(['set_null', 'cascade'] as const).flatMap((rule) => {
    const [plain, ruled] = ['', `, on_delete: ${rule}`].map((more) => `{ of_id: { references: crm/lead${more} } }`);
    const changes = { 'of_id/on_delete/changed': 'callers' };
    return [
      lead(`a delete has the effect ${rule}`, plain as string, ruled as string, changes),
      lead(`a delete no longer has the effect ${rule}`, ruled as string, plain as string, changes),
    ];
  }),
  lead(
    'a reference says too late what becomes of values that name nothing',
    '{ of_id: { references: crm/lead } }',
    '{ of_id: { references: crm/lead, on_missing: set_null } }',
    { 'of_id/on_missing/changed': safe },
  ),
];

/** Resources as a whole. */
const resources: readonly Edit[] = [
  edit('a field becomes unique', leads('{ size: integer }'), leads('{ size: { type: integer, unique: true } }'), {
    'crm/lead/unique/size/added': writers,
  }),
  edit('a field is no longer unique', leads('{ size: { type: integer, unique: true } }'), leads('{ size: integer }'), {
    'crm/lead/unique/size/removed': safe,
  }),
  edit(
    'fields become unique together, under another name',
    leads('{ name: { max_length: 9 }, size: integer }', 'unique: [[size, name]]'),
    leads('{ name: { max_length: 9 }, length: { type: integer, renamed_from: size } }', 'unique: [[length, name]]'),
    { 'crm/lead/size/renamed': 'readers, creators, updaters' },
  ),
  edit(
    'case is no longer compared',
    leads('{ name: { max_length: 9 } }', 'unique: [[name]]'),
    leads('{ name: { max_length: 9 } }', 'unique: [{ fields: [name], ignore_case: true }]'),
    { 'crm/lead/unique/name/narrowed': writers },
  ),
  edit(
    'case is compared again',
    leads('{ name: { max_length: 9 } }', 'unique: [{ fields: [name], ignore_case: true }]'),
    leads('{ name: { max_length: 9 } }', 'unique: [[name]]'),
    { 'crm/lead/unique/name/widened': safe },
  ),
  edit(
    'a field becomes unique whatever its case, and is new',
    leads('{ name }'),
    leads('{ name, mail: { max_length: 9 } }', 'unique: [{ fields: [mail], ignore_case: true }]'),
    { 'crm/lead/mail/added': safe, 'crm/lead/unique/mail/added': writers },
  ),
  edit(
    'fields that are unique together stand in another order',
    leads('{ name: { max_length: 9 }, size: integer }', 'unique: [[size, name]]'),
    leads('{ name: { max_length: 9 }, size: integer }', 'unique: [[name, size]]'),
    {},
  ),
  edit(
    'of fields that are unique together, one is left out',
    leads('{ name: { max_length: 9 }, size: integer }', 'unique: [[size, name]]'),
    leads('{ name: { max_length: 9 }, size: integer }', 'unique: [[name]]'),
    { 'crm/lead/unique/name/added': writers, 'crm/lead/unique/name+size/removed': safe },
  ),
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
    'a resource is renamed at its path',
    leads('{ name }'),
    leads('{ name }', 'name: prospect\nrenamed_from: [suspect, lead]\ntitle: lead'),
    { 'crm/lead/renamed': 'typed clients' },
  ),
  edit(
    'a resource gets another name at its path, without renamed_from',
    leads('{ name, fax }'),
    leads('{ name }', 'name: prospect\ntitle: lead'),
    { 'crm/lead/replaced': 'readers, links, typed clients', 'crm/lead/fax/removed': all },
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
    'title and plural change',
    leads('{ name }'),
    leads('{ name }', 'title: prospective customer\nplural: prospects'),
    { 'crm/lead/title/changed': safe, 'crm/lead/plural/changed': safe },
  ),
  edit(
    'the plural changes, and the operation ids with it',
    leads('{ name }'),
    leads('{ name }', 'plural: leading companies'),
    { 'crm/lead/plural/changed': 'typed clients' },
  ),
  edit(
    'the plural changes, and is that of a title in other words',
    leads('{ name }', 'title: customer'),
    leads('{ name }', 'title: customer\nplural: clientele'),
    { 'crm/lead/plural/changed': safe },
  ),
  edit(
    'the plural stays, and is no longer that of the name: the title is in other words',
    leads('{ name }', 'plural: prospects'),
    leads('{ name }', 'plural: prospects\ntitle: customer'),
    { 'crm/lead/title/changed': safe, 'crm/lead/plural/changed': 'typed clients' },
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
  lead(
    'an example is given, and another one taken away',
    '{ name: { example: Ann }, fax }',
    '{ name, fax: { example: "1234" }, score: integer }',
    { 'name/example/changed': safe, 'fax/example/changed': safe, 'score/added': safe },
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
  edit('max_body is lowered', leads('{ name }', 'max_body: 16 MiB'), leads('{ name }'), {
    'crm/lead/max_body/narrowed': writers,
  }),
  edit('max_body is raised', leads('{ name }'), leads('{ name }', 'max_body: 2 MiB'), {
    'crm/lead/max_body/widened': safe,
  }),
  edit(
    'max_body is lowered where no operation has a body',
    leads('{ name }', 'operations: [list]'),
    leads('{ name }', 'operations: [list]\nmax_body: 10 KiB'),
    { 'crm/lead/max_body/narrowed': safe },
  ),
  edit(
    'an operation is added',
    leads('{ name }', 'operations: [list]'),
    leads('{ name }', 'operations: [retrieve, list]'),
    { 'crm/lead/operations/retrieve/added': safe },
  ),
  edit('operations are removed', leads('{ name }'), leads('{ name }', 'operations: [create, retrieve, list]'), {
    'crm/lead/operations/update/removed': 'callers',
    'crm/lead/operations/delete/removed': 'callers',
  }),
];

/** Moves between states. */
const states = (transitions: string): Texts => leads('{ status: { default: draft }, phase }', transitions);

const transitions: readonly Edit[] = [
  edit('a transition is added', states(''), states('transitions: { submit: { from: draft, to: submitted } }'), {
    'crm/lead/transitions/submit/added': safe,
  }),
  edit(
    'a transition is removed',
    states('transitions: { submit: { from: draft, to: submitted }, cancel: { from: submitted, to: cancelled } }'),
    states('transitions: { submit: { from: draft, to: submitted } }'),
    { 'crm/lead/transitions/cancel/removed': 'callers' },
  ),
  edit(
    'a transition gets another name',
    states('transitions: { submit: { from: draft, to: submitted } }'),
    states('transitions: { send-off: { from: draft, to: submitted } }'),
    { 'crm/lead/transitions/submit/removed': 'callers', 'crm/lead/transitions/send-off/added': safe },
  ),
  edit(
    'a transition is possible from one state more',
    states('transitions: { cancel: { from: draft, to: cancelled } }'),
    states('transitions: { cancel: { from: [draft, sent off], to: cancelled } }'),
    { 'crm/lead/transitions/cancel/from/sent%20off/added': safe },
  ),
  edit(
    'a transition is no longer possible from a state',
    states('transitions: { cancel: { from: [draft, submitted], to: cancelled } }'),
    states('transitions: { cancel: { from: submitted, to: cancelled } }'),
    { 'crm/lead/transitions/cancel/from/draft/removed': 'callers' },
  ),
  edit(
    'the states that a transition is possible from are put in another order',
    states('transitions: { cancel: { from: [draft, submitted], to: cancelled } }'),
    states('transitions: { cancel: { from: [submitted, draft], to: cancelled } }'),
    {},
  ),
  edit(
    'a transition leads to another state',
    states('transitions: { submit: { from: draft, to: submitted } }'),
    states('transitions: { submit: { from: draft, to: sent } }'),
    { 'crm/lead/transitions/submit/to/changed': 'callers, readers' },
  ),
  edit(
    'a transition moves another field',
    states('transitions: { submit: { from: draft, to: submitted } }'),
    states('transitions: { submit: { field: phase, from: draft, to: submitted } }'),
    { 'crm/lead/transitions/submit/field/changed': 'callers, readers' },
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
  edit('an enum of the service takes the place of values', sized('s, m', 'enum: [s, m]'), sized('s, m'), {}),
  edit('an enum of the service has a value more', sized('s, m'), sized('s, m, l'), {
    'crm/lead/size/enum/l/added': safe,
  }),
  edit('an enum of the service has a value less', sized('s, m'), sized('s'), {
    'crm/lead/size/enum/m/removed': writers,
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
      'crm/lead/name/max_length/narrowed': writers,
      'crm/settings/name/default/added': safe,
    },
  ),
];

/** Changes of filters, sort orders, searched fields and columns. */
const lists: readonly Edit[] = [
  edit('a list gets columns', leads('{ name, status }'), leads('{ name, status }', 'list: { columns: [name] }'), {
    'crm/lead/list/columns/changed': safe,
  }),
  edit(
    'a list gets other columns',
    leads('{ name, status }', 'list: { columns: [name, status] }'),
    leads('{ name, status }', 'list: { columns: [status, name] }'),
    { 'crm/lead/list/columns/changed': safe },
  ),
  edit(
    'a column is renamed',
    leads('{ name }', 'list: { columns: [name] }'),
    leads('{ title: { renamed_from: name } }', 'list: { columns: [title] }'),
    { 'crm/lead/name/renamed': all },
  ),
  lead(
    'the backfill of a searched field changes',
    '{ website: { required: true, backfill: none } }',
    '{ website: { required: true, backfill: unknown } }',
    { 'website/backfill/changed': 'readers' },
    'list: { search: [website] }',
  ),
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
  edit(
    'a list loses a filter, an order and a search',
    leads('{ name, status }', 'list: { filter: [status, name], sort: [name, status], search: [name] }'),
    leads('{ name, status }', 'list: { filter: [name], sort: [status] }'),
    {
      'crm/lead/list/filter/status/removed': 'callers',
      'crm/lead/list/sort/name/removed': 'callers',
      'crm/lead/list/search/name/removed': 'callers',
    },
  ),
  edit(
    'a list is filtered, sorted and searched in another order',
    leads('{ name, status }', 'list: { filter: [status, name], sort: [status, name], search: [name, status] }'),
    leads('{ name, status }', 'list: { filter: [name, status], sort: [name, status], search: [status, name] }'),
    {},
  ),
  edit(
    'a field that a list is filtered, sorted and searched by is renamed',
    leads('{ name }', 'list: { filter: [name], sort: [name], search: [name] }'),
    leads('{ title: { renamed_from: name } }', 'list: { filter: [title], sort: [title], search: [title] }'),
    {
      'crm/lead/name/renamed': all,
      'crm/lead/list/filter/name/renamed': 'callers',
      'crm/lead/list/sort/name/renamed': 'callers',
    },
  ),
  edit(
    'a field goes together with its filter',
    leads('{ name, status }', 'list: { filter: [status, name] }'),
    leads('{ name }', 'list: { filter: [name] }'),
    { 'crm/lead/status/removed': all, 'crm/lead/list/filter/status/removed': 'callers' },
  ),
  edit(
    'a list goes together with its filters',
    leads('{ name }', 'list: { filter: [name] }'),
    leads('{ name }', 'operations: [create, retrieve, update, delete]'),
    { 'crm/lead/operations/list/removed': 'callers' },
  ),
  lead(
    'a filtered field becomes a date: its values have no prefix any more',
    '{ name }',
    '{ name: { format: date } }',
    { 'name/format/added': writers, 'list/filter/name/changed': 'callers' },
    'list: { filter: [name] }',
  ),
  lead(
    'a filtered field takes fewer values: its filter still finds the others',
    '{ name: { enum: [a, b] } }',
    '{ name: { enum: [a] } }',
    { 'name/enum/b/removed': writers },
    'list: { filter: [name] }',
  ),
  lead(
    'a filtered field that only the service sets takes fewer values',
    '{ status: { read_only: true, enum: [open, lost] } }',
    '{ status: { read_only: true, enum: [open] } }',
    { 'status/enum/lost/removed': 'updaters' },
    'list: { filter: [status] }',
  ),
];

/** The edits that the verdicts are held against. */
export const edits: readonly Edit[] = [
  ...fields,
  ...types,
  ...presence,
  ...limits,
  ...references,
  ...resources,
  ...transitions,
  ...parents,
  ...lists,
  ...shared,
];

/** The texts as `readService` takes them. */
export const specsOf = (texts: Texts): Map<string, string> =>
  new Map(Object.entries({ service: service(''), ...texts }).map(([path, text]) => [`spec/${path}.yaml`, text]));
