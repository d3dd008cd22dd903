import { formats } from '../../runtime/model/formats.ts';

/** An edit of a spec, and the changes that an API designer finds in it. */
export interface Edit {
  readonly edit: string;
  readonly before: Texts;
  readonly after: Texts;
  /** The id of each change, and what it breaks: empty if it is safe. */
  readonly changes: readonly (readonly [id: string, breaks: string])[];
}

/** YAML by path below `spec/`, without its `.yaml`. A spec without `service` gets one. */
export type Texts = Readonly<Record<string, string>>;

/** A service of leads; `more` are other keys of the file. */
const lead = (fields: string, more = ''): Texts => ({
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

const win = 'transitions: { win: { from: new, to: won } }';

const safe = '';
const all = 'readers, creators, updaters';
const writers = 'creators, updaters';

/** Fields that come, go, move and are renamed. */
const fields: readonly Edit[] = [
  {
    edit: 'an optional field is added',
    before: lead('{ name }'),
    after: lead('{ name, website }'),
    changes: [['crm/lead/website/added', safe]],
  },
  {
    edit: 'a field is added between two others',
    before: lead('{ name, website }'),
    after: lead('{ name, fax, website }'),
    changes: [['crm/lead/fax/added', safe]],
  },
  {
    edit: 'an optional field with a default is added',
    before: lead('{ name }'),
    after: lead('{ name, status: { default: open } }'),
    changes: [['crm/lead/status/added', safe]],
  },
  {
    edit: 'a read-only field is added',
    before: lead('{ name }'),
    after: lead('{ name, score: { type: integer, read_only: true } }'),
    changes: [['crm/lead/score/added', safe]],
  },
  {
    edit: 'a required field is added',
    before: lead('{ name }'),
    after: lead('{ name, website: { required: true } }'),
    changes: [['crm/lead/website/added', 'creators, readers']],
  },
  {
    edit: 'a required field that may be null is added',
    before: lead('{ name }'),
    after: lead('{ name, website: { required: true, nullable: true } }'),
    changes: [['crm/lead/website/added', 'creators']],
  },
  {
    edit: 'a required field is added where nothing creates',
    before: lead('{ name }', 'operations: [retrieve, list, update]'),
    after: lead('{ name, website: { required: true } }', 'operations: [retrieve, list, update]'),
    changes: [['crm/lead/website/added', 'readers']],
  },
  {
    edit: 'a required field is added together with the operation that creates',
    before: lead('{ name }', 'operations: [retrieve, list]'),
    after: lead('{ name, website: { required: true } }', 'operations: [retrieve, list, create]'),
    changes: [
      ['crm/lead/operations/create/added', safe],
      ['crm/lead/website/added', 'readers'],
    ],
  },
  {
    edit: 'a required field is added to a singleton, where it is null until it is set',
    before: settings('{ name }'),
    after: settings('{ name, website: { required: true } }'),
    changes: [['crm/settings/website/added', safe]],
  },
  {
    edit: 'a field is removed',
    before: lead('{ name, website }'),
    after: lead('{ name }'),
    changes: [['crm/lead/website/removed', all]],
  },
  {
    edit: 'a read-only field is removed: who sends back what he read is refused',
    before: lead('{ name, score: { read_only: true } }'),
    after: lead('{ name }'),
    changes: [['crm/lead/score/removed', 'readers, updaters']],
  },
  {
    edit: 'a field is removed where nothing writes',
    before: lead('{ name, website }', 'operations: [retrieve, list]'),
    after: lead('{ name }', 'operations: [retrieve, list]'),
    changes: [['crm/lead/website/removed', 'readers']],
  },
  {
    edit: 'a field is removed together with the operation that updates',
    before: lead('{ name, website }', 'operations: [retrieve, create, update]'),
    after: lead('{ name }', 'operations: [retrieve, create]'),
    changes: [
      ['crm/lead/operations/update/removed', 'callers'],
      ['crm/lead/website/removed', 'readers, creators'],
    ],
  },
  {
    edit: 'a field is removed where a transition alone answers with records',
    before: lead('{ status: { default: new }, website }', `operations: [delete]\n${win}`),
    after: lead('{ status: { default: new } }', `operations: [delete]\n${win}`),
    changes: [['crm/lead/website/removed', 'readers']],
  },
  {
    edit: 'a field is removed where records can only be deleted',
    before: lead('{ name, website }', 'operations: [delete]'),
    after: lead('{ name }', 'operations: [delete]'),
    changes: [['crm/lead/website/removed', safe]],
  },
  {
    edit: 'a field is renamed',
    before: lead('{ name, website }'),
    after: lead('{ name, homepage: { renamed_from: website } }'),
    changes: [['crm/lead/website/renamed', all]],
  },
  {
    edit: 'a field is renamed from one of several former names',
    before: lead('{ name, url }'),
    after: lead('{ name, homepage: { renamed_from: [website, url] } }'),
    changes: [['crm/lead/url/renamed', all]],
  },
  {
    edit: 'a rename of long ago stays in the spec',
    before: lead('{ name, homepage: { renamed_from: website } }'),
    after: lead('{ name, homepage: { renamed_from: website } }'),
    changes: [],
  },
  {
    edit: 'a rename of long ago is forgotten',
    before: lead('{ name, homepage: { renamed_from: website } }'),
    after: lead('{ name, homepage }'),
    changes: [],
  },
  {
    edit: 'a field gets a new name without renamed_from',
    before: lead('{ name, website }'),
    after: lead('{ name, homepage }'),
    changes: [
      ['crm/lead/website/removed', all],
      ['crm/lead/homepage/added', safe],
    ],
  },
  {
    edit: 'a field is renamed to one that is there already: it is removed',
    before: lead('{ homepage, website }'),
    after: lead('{ homepage: { renamed_from: website } }'),
    changes: [['crm/lead/website/removed', all]],
  },
  {
    edit: 'a field is renamed and limited',
    before: lead('{ website }'),
    after: lead('{ homepage: { renamed_from: website, max_length: 100 } }'),
    changes: [
      ['crm/lead/website/renamed', all],
      ['crm/lead/website/max_length/narrowed', writers],
    ],
  },
  {
    edit: 'fields are put in another order',
    before: lead('{ name, website, fax }'),
    after: lead('{ website, name, fax }'),
    changes: [['crm/lead/fields/reordered', safe]],
  },
  {
    edit: 'a field is renamed and put elsewhere',
    before: lead('{ website, name }'),
    after: lead('{ name, homepage: { renamed_from: website } }'),
    changes: [
      ['crm/lead/website/renamed', all],
      ['crm/lead/fields/reordered', safe],
    ],
  },
  {
    edit: 'a field between two others is replaced',
    before: lead('{ name, fax, website }'),
    after: lead('{ name, pager: integer, website }'),
    changes: [
      ['crm/lead/fax/removed', all],
      ['crm/lead/pager/added', safe],
    ],
  },
  {
    edit: 'a field that is called transitions loses its default',
    before: lead('{ transitions: { default: none } }'),
    after: lead('{ transitions }'),
    changes: [['crm/lead/fields/transitions/default/removed', 'creators']],
  },
];

/** Every format against any string, and against another format. */
const everyFormat: readonly Edit[] = Object.keys(formats).flatMap((format) => [
  {
    edit: `any string gets the format ${format}`,
    before: lead('{ about }'),
    after: lead(`{ about: { format: ${format} } }`),
    changes: [['crm/lead/about/format/added', writers]],
  },
  {
    edit: `the format ${format} becomes any string`,
    before: lead(`{ about: { format: ${format} } }`),
    after: lead('{ about }'),
    changes: [['crm/lead/about/format/removed', 'readers']],
  },
  {
    edit: `the format ${format} becomes another one`,
    before: lead(`{ about: { format: ${format} } }`),
    after: lead(`{ about: { format: ${format === 'uuid' ? 'uri' : 'uuid'} } }`),
    changes: [['crm/lead/about/format/changed', all]],
  },
  {
    edit: `the format ${format} becomes an integer`,
    before: lead(`{ about: { format: ${format} } }`),
    after: lead('{ about: integer }'),
    changes: [['crm/lead/about/type/changed', all]],
  },
]);

/** Changes of types and limits. */
const types: readonly Edit[] = [
  ...everyFormat,
  {
    edit: 'an integer becomes a number',
    before: lead('{ score: integer }'),
    after: lead('{ score: number }'),
    changes: [['crm/lead/score/type/changed', 'readers']],
  },
  {
    edit: 'a number becomes an integer',
    before: lead('{ score: number }'),
    after: lead('{ score: integer }'),
    changes: [['crm/lead/score/type/changed', writers]],
  },
  {
    edit: 'a number that only the service sets becomes an integer: an update that sends a fraction back is refused',
    before: lead('{ score: { type: number, read_only: true } }'),
    after: lead('{ score: { type: integer, read_only: true } }'),
    changes: [['crm/lead/score/type/changed', 'updaters']],
  },
  {
    edit: 'an integer becomes a number that must be smaller',
    before: lead('{ score: { type: integer, max: 100 } }', 'list: { filter: [score] }'),
    after: lead('{ score: { type: number, max: 10 } }', 'list: { filter: [score] }'),
    changes: [['crm/lead/score/type/changed', all]],
  },
  {
    edit: 'an integer becomes a number that must be larger',
    before: lead('{ score: integer }'),
    after: lead('{ score: { type: number, min: 0 } }'),
    changes: [['crm/lead/score/type/changed', all]],
  },
  {
    edit: 'an integer becomes a number within wider limits',
    before: lead('{ score: { type: integer, min: 1, max: 10 } }', 'list: { filter: [score] }'),
    after: lead('{ score: { type: number, min: 0 } }', 'list: { filter: [score] }'),
    changes: [['crm/lead/score/type/changed', 'readers']],
  },
  {
    edit: 'a string becomes an integer',
    before: lead('{ score }'),
    after: lead('{ score: integer }'),
    changes: [['crm/lead/score/type/changed', all]],
  },
  {
    edit: 'a boolean becomes a string',
    before: lead('{ active: boolean }'),
    after: lead('{ active }'),
    changes: [['crm/lead/active/type/changed', all]],
  },
  {
    edit: 'a type changes, and with it the default and the limits',
    before: lead('{ score: { type: integer, default: 1, min: 0, max: 5 } }'),
    after: lead('{ score: { default: one, max_length: 5 } }'),
    changes: [['crm/lead/score/type/changed', all]],
  },
  {
    edit: 'a string gets the format date',
    before: lead('{ since }'),
    after: lead('{ since: { format: date } }'),
    changes: [['crm/lead/since/format/added', writers]],
  },
  {
    edit: 'a date becomes any string',
    before: lead('{ since: { format: date } }'),
    after: lead('{ since }'),
    changes: [['crm/lead/since/format/removed', 'readers']],
  },
  {
    edit: 'a date becomes a string of eight characters',
    before: lead('{ since: { format: date } }'),
    after: lead('{ since: { max_length: 8 } }'),
    changes: [['crm/lead/since/format/removed', all]],
  },
  {
    edit: 'a date becomes a date with its time',
    before: lead('{ since: { format: date } }'),
    after: lead('{ since: { format: date-time } }'),
    changes: [['crm/lead/since/format/changed', all]],
  },
  {
    edit: 'a date becomes an enum',
    before: lead('{ since: { format: date } }'),
    after: lead('{ since: { enum: [today, before] } }'),
    changes: [
      ['crm/lead/since/format/removed', 'readers'],
      ['crm/lead/since/enum/added', writers],
    ],
  },
  {
    edit: 'an enum becomes a date',
    before: lead('{ since: { enum: [today, before] } }'),
    after: lead('{ since: { format: date } }'),
    changes: [
      ['crm/lead/since/enum/removed', 'readers, typed clients'],
      ['crm/lead/since/format/added', writers],
    ],
  },
  {
    edit: 'a string becomes an enum',
    before: lead('{ status }'),
    after: lead('{ status: { enum: [open, lost] } }'),
    changes: [['crm/lead/status/enum/added', writers]],
  },
  {
    edit: 'an enum becomes any string',
    before: lead('{ status: { enum: [open, lost] } }'),
    after: lead('{ status }'),
    changes: [['crm/lead/status/enum/removed', 'readers, typed clients']],
  },
  {
    edit: 'an enum becomes a string that is too short for one of its values',
    before: lead('{ status: { enum: [open, closed] } }'),
    after: lead('{ status: { max_length: 4 } }'),
    changes: [['crm/lead/status/enum/removed', 'readers, typed clients, creators, updaters']],
  },
  {
    edit: 'an enum gets a value',
    before: lead('{ status: { enum: [open, lost] } }'),
    after: lead('{ status: { enum: [open, won, lost] } }'),
    changes: [['crm/lead/status/enum/won/added', safe]],
  },
  {
    edit: 'an enum loses a value',
    before: lead('{ status: { enum: [open, won, lost] } }'),
    after: lead('{ status: { enum: [open, won] } }'),
    changes: [['crm/lead/status/enum/lost/removed', writers]],
  },
  {
    edit: 'an enum that only the service sets loses a value: an update that sends it back is refused',
    before: lead('{ status: { read_only: true, enum: [open, lost] } }'),
    after: lead('{ status: { read_only: true, enum: [open] } }'),
    changes: [['crm/lead/status/enum/lost/removed', 'updaters']],
  },
  {
    edit: 'values of an enum are spelt otherwise',
    before: lead('{ status: { enum: [open, "won: all/most"] } }'),
    after: lead('{ status: { enum: [Open, "won: all/most", größer] } }'),
    changes: [
      ['crm/lead/status/enum/open/removed', writers],
      ['crm/lead/status/enum/Open/added', safe],
      ['crm/lead/status/enum/größer/added', safe],
    ],
  },
  {
    edit: 'a value that no path could hold leaves an enum',
    before: lead('{ status: { enum: [open, "won: all/most"] } }'),
    after: lead('{ status: { enum: [open] } }'),
    changes: [['crm/lead/status/enum/won%3A%20all%2Fmost/removed', writers]],
  },
  {
    edit: 'the values of an enum are put in another order',
    before: lead('{ status: { enum: [open, won, lost] } }'),
    after: lead('{ status: { enum: [lost, open, won] } }'),
    changes: [['crm/lead/status/enum/reordered', safe]],
  },
];

/** Changes of `required`, `nullable`, `read_only` and defaults. */
const presence: readonly Edit[] = [
  {
    edit: 'an optional field becomes required',
    before: lead('{ website }'),
    after: lead('{ website: { required: true } }'),
    changes: [['crm/lead/website/required/added', `${writers}, readers`]],
  },
  {
    edit: 'an optional field becomes required, and null stays a value',
    before: lead('{ website }'),
    after: lead('{ website: { required: true, nullable: true } }'),
    changes: [['crm/lead/website/required/added', 'creators']],
  },
  {
    edit: 'a field becomes required where nothing writes',
    before: lead('{ website }', 'operations: [list]'),
    after: lead('{ website: { required: true } }', 'operations: [list]'),
    changes: [['crm/lead/website/required/added', 'readers']],
  },
  {
    edit: 'a required field becomes optional',
    before: lead('{ website: { required: true } }'),
    after: lead('{ website }'),
    changes: [['crm/lead/website/required/removed', 'readers']],
  },
  {
    edit: 'a required field becomes optional, with a default',
    before: lead('{ status: { required: true } }'),
    after: lead('{ status: { default: open } }'),
    changes: [
      ['crm/lead/status/required/removed', 'readers'],
      ['crm/lead/status/default/added', safe],
    ],
  },
  {
    edit: 'a required field that may be null becomes optional',
    before: lead('{ website: { required: true, nullable: true } }'),
    after: lead('{ website }'),
    changes: [['crm/lead/website/required/removed', safe]],
  },
  {
    edit: 'a field with a default becomes required',
    before: lead('{ status: { default: open } }'),
    after: lead('{ status: { required: true } }'),
    changes: [['crm/lead/status/required/added', `${writers}, readers`]],
  },
  {
    edit: 'a required field may be null',
    before: lead('{ website: { required: true } }'),
    after: lead('{ website: { required: true, nullable: true } }'),
    changes: [['crm/lead/website/nullable/added', 'readers']],
  },
  {
    edit: 'a required field may no longer be null',
    before: lead('{ website: { required: true, nullable: true } }'),
    after: lead('{ website: { required: true } }'),
    changes: [['crm/lead/website/nullable/removed', `${writers}, readers`]],
  },
  {
    edit: 'a required field is added, with a value for older records',
    before: lead('{ name }'),
    after: lead("{ name, website: { required: true, backfill: '' } }"),
    changes: [['crm/lead/website/added', 'creators']],
  },
  {
    edit: 'an optional field becomes required, with a value for older records',
    before: lead('{ size: integer }'),
    after: lead('{ size: { type: integer, required: true, backfill: 0 } }'),
    changes: [['crm/lead/size/required/added', writers]],
  },
  {
    edit: 'older records get a value',
    before: lead('{ website: { required: true } }'),
    after: lead('{ website: { required: true, backfill: none } }'),
    changes: [['crm/lead/website/backfill/added', safe]],
  },
  {
    edit: 'older records get another value',
    before: lead('{ website: { required: true, backfill: none } }'),
    after: lead('{ website: { required: true, backfill: unknown } }'),
    changes: [['crm/lead/website/backfill/changed', 'readers']],
  },
  {
    edit: 'older records lose their value',
    before: lead('{ website: { required: true, backfill: none } }'),
    after: lead('{ website: { required: true } }'),
    changes: [['crm/lead/website/backfill/removed', 'readers']],
  },
  {
    edit: 'a setting becomes required',
    before: settings('{ website }'),
    after: settings('{ website: { required: true } }'),
    changes: [['crm/settings/website/required/added', 'updaters']],
  },
  {
    edit: 'a setting becomes optional: it was null before it was set',
    before: settings('{ website: { required: true } }'),
    after: settings('{ website }'),
    changes: [['crm/settings/website/required/removed', safe]],
  },
  {
    edit: 'a required setting may be null: it was null before it was set',
    before: settings('{ website: { required: true } }'),
    after: settings('{ website: { required: true, nullable: true } }'),
    changes: [['crm/settings/website/nullable/added', safe]],
  },
  {
    edit: 'a field becomes read-only',
    before: lead('{ score: integer }'),
    after: lead('{ score: { type: integer, read_only: true } }'),
    changes: [['crm/lead/score/read_only/added', writers]],
  },
  {
    edit: 'a field becomes read-only where nothing writes',
    before: lead('{ score: integer }', 'operations: [list]'),
    after: lead('{ score: { type: integer, read_only: true } }', 'operations: [list]'),
    changes: [['crm/lead/score/read_only/added', safe]],
  },
  {
    edit: 'a required field becomes read-only, with a default',
    before: lead('{ status: { required: true } }'),
    after: lead('{ status: { read_only: true, default: open } }'),
    changes: [
      ['crm/lead/status/required/removed', 'readers'],
      ['crm/lead/status/read_only/added', writers],
      ['crm/lead/status/default/added', safe],
    ],
  },
  {
    edit: 'a read-only field can be set',
    before: lead('{ score: { type: integer, read_only: true } }'),
    after: lead('{ score: integer }'),
    changes: [['crm/lead/score/read_only/removed', safe]],
  },
  {
    edit: 'a field gets a default',
    before: lead('{ status }'),
    after: lead('{ status: { default: open } }'),
    changes: [['crm/lead/status/default/added', safe]],
  },
  {
    edit: 'a field gets another default',
    before: lead('{ status: { default: open } }'),
    after: lead('{ status: { default: new } }'),
    changes: [['crm/lead/status/default/changed', 'creators']],
  },
  {
    edit: 'a field loses its default',
    before: lead('{ status: { default: open } }'),
    after: lead('{ status }'),
    changes: [['crm/lead/status/default/removed', 'creators']],
  },
  {
    edit: 'a default that is false is no missing one',
    before: lead('{ active: { type: boolean, default: false } }'),
    after: lead('{ active: { type: boolean, default: true } }'),
    changes: [['crm/lead/active/default/changed', 'creators']],
  },
  {
    edit: 'a default changes where nothing creates',
    before: lead('{ status: { default: open } }', 'operations: [list, update]'),
    after: lead('{ status: { default: new } }', 'operations: [list, update]'),
    changes: [['crm/lead/status/default/changed', safe]],
  },
  {
    edit: 'the default of a setting changes: there is one record, and it stays',
    before: settings('{ status: { default: open } }'),
    after: settings('{ status: { default: new } }'),
    changes: [['crm/settings/status/default/changed', safe]],
  },
  {
    edit: 'a constant that two defaults name changes',
    before: {
      service: service('constants: { storage: s3, unused: 1 }'),
      ...lead('{ a: { default: { constant: storage } }, b: { default: { constant: storage } }, c: { default: s3 } }'),
    },
    after: {
      service: service('constants: { storage: minio, unused: 2 }'),
      ...lead('{ a: { default: { constant: storage } }, b: { default: { constant: storage } }, c: { default: s3 } }'),
    },
    changes: [
      ['crm/lead/a/default/changed', 'creators'],
      ['crm/lead/b/default/changed', 'creators'],
    ],
  },
  {
    edit: 'a default becomes a constant of the same value',
    before: { service: service('constants: { storage: s3 }'), ...lead('{ a: { default: s3 } }') },
    after: { service: service('constants: { storage: s3 }'), ...lead('{ a: { default: { constant: storage } } }') },
    changes: [],
  },
];

/** How long, how large and of what form. */
const limits: readonly Edit[] = [
  {
    edit: 'max_length is added',
    before: lead('{ website }'),
    after: lead('{ website: { max_length: 200 } }'),
    changes: [['crm/lead/website/max_length/narrowed', writers]],
  },
  {
    edit: 'max_length is lowered',
    before: lead('{ website: { max_length: 200 } }'),
    after: lead('{ website: { max_length: 100 } }'),
    changes: [['crm/lead/website/max_length/narrowed', writers]],
  },
  {
    edit: 'max_length is raised',
    before: lead('{ website: { max_length: 200 } }'),
    after: lead('{ website: { max_length: 300 } }'),
    changes: [['crm/lead/website/max_length/widened', safe]],
  },
  {
    edit: 'max_length is removed',
    before: lead('{ website: { max_length: 200 } }'),
    after: lead('{ website }'),
    changes: [['crm/lead/website/max_length/widened', safe]],
  },
  {
    edit: 'max_length is added, beyond what every string may have',
    before: lead('{ website }'),
    after: lead('{ website: { max_length: 1000000 } }'),
    changes: [['crm/lead/website/max_length/widened', safe]],
  },
  {
    edit: 'max_length is stated as what it is for every string',
    before: lead('{ website }'),
    after: lead('{ website: { max_length: 65536, min_length: 0 } }'),
    changes: [],
  },
  {
    edit: 'max_length of a field that only the service sets is lowered',
    before: lead('{ website: { read_only: true, max_length: 200 } }'),
    after: lead('{ website: { read_only: true, max_length: 100 } }'),
    changes: [['crm/lead/website/max_length/narrowed', 'updaters']],
  },
  {
    edit: 'max_length of a field that only the service sets is lowered where nothing updates',
    before: lead('{ website: { read_only: true, max_length: 200 } }', 'operations: [create, list]'),
    after: lead('{ website: { read_only: true, max_length: 100 } }', 'operations: [create, list]'),
    changes: [['crm/lead/website/max_length/narrowed', safe]],
  },
  {
    edit: 'a field that only the service sets gets a pattern',
    before: lead('{ website: { read_only: true } }'),
    after: lead('{ website: { read_only: true, pattern: ^https } }'),
    changes: [['crm/lead/website/pattern/added', 'updaters']],
  },
  {
    edit: 'max_length is lowered where records can be created and not updated',
    before: lead('{ website }', 'operations: [create, list]'),
    after: lead('{ website: { max_length: 100 } }', 'operations: [create, list]'),
    changes: [['crm/lead/website/max_length/narrowed', 'creators']],
  },
  {
    edit: 'min_length is raised, max_length too',
    before: lead('{ website: { min_length: 1, max_length: 200 } }'),
    after: lead('{ website: { min_length: 5, max_length: 300 } }'),
    changes: [
      ['crm/lead/website/min_length/narrowed', writers],
      ['crm/lead/website/max_length/widened', safe],
    ],
  },
  {
    edit: 'min_length is removed',
    before: lead('{ website: { min_length: 1 } }'),
    after: lead('{ website }'),
    changes: [['crm/lead/website/min_length/widened', safe]],
  },
  {
    edit: 'a number gets a smallest value',
    before: lead('{ score: number }'),
    after: lead('{ score: { type: number, min: 0 } }'),
    changes: [['crm/lead/score/min/narrowed', writers]],
  },
  {
    edit: 'an integer may be smaller',
    before: lead('{ score: { type: integer, min: 0 } }'),
    after: lead('{ score: { type: integer, min: -10 } }'),
    changes: [['crm/lead/score/min/widened', safe]],
  },
  {
    edit: 'a number must be smaller',
    before: lead('{ score: { type: number, max: 10 } }'),
    after: lead('{ score: { type: number, max: 5 } }'),
    changes: [['crm/lead/score/max/narrowed', writers]],
  },
  {
    edit: 'an integer loses its largest value',
    before: lead('{ score: { type: integer, max: 5 } }'),
    after: lead('{ score: integer }'),
    changes: [['crm/lead/score/max/widened', safe]],
  },
  {
    edit: 'an integer gets the limits that every integer has',
    before: lead('{ score: integer }'),
    after: lead('{ score: { type: integer, min: -9007199254740991, max: 9007199254740991 } }'),
    changes: [],
  },
  {
    edit: 'a pattern is added',
    before: lead('{ website }'),
    after: lead('{ website: { pattern: ^https } }'),
    changes: [['crm/lead/website/pattern/added', writers]],
  },
  {
    edit: 'a pattern is another',
    before: lead('{ website: { pattern: ^https } }'),
    after: lead('{ website: { pattern: ^http } }'),
    changes: [['crm/lead/website/pattern/changed', writers]],
  },
  {
    edit: 'a pattern is removed',
    before: lead('{ website: { pattern: ^https } }'),
    after: lead('{ website }'),
    changes: [['crm/lead/website/pattern/removed', safe]],
  },
];

/** Resources as a whole. */
const resources: readonly Edit[] = [
  {
    edit: 'a resource is added',
    before: lead('{ name }'),
    after: { ...lead('{ name }'), 'crm/deal': 'kind: record\ndoc: A deal.\nfields: { name: { required: true } }' },
    changes: [['crm/deal/added', safe]],
  },
  {
    edit: 'a resource is removed',
    before: { ...lead('{ name }'), ...settings('{ name }') },
    after: lead('{ name }'),
    changes: [['crm/settings/removed', 'callers, links']],
  },
  {
    edit: 'a resource is moved to another area',
    before: lead('{ name }'),
    after: { 'sales/lead': 'kind: record\ndoc: A lead.\nfields: { name }' },
    changes: [['crm/lead/moved', 'callers, links']],
  },
  {
    edit: 'a resource is moved and changed',
    before: lead('{ name, website }'),
    after: { 'sales/lead': 'kind: record\ndoc: A lead.\nfields: { name, fax }' },
    changes: [
      ['crm/lead/moved', 'callers, links'],
      ['crm/lead/website/removed', all],
      ['crm/lead/fax/added', safe],
    ],
  },
  {
    edit: 'a resource is moved, and another takes its path',
    before: lead('{ name }'),
    after: {
      'sales/lead': 'kind: record\ndoc: A lead.\nfields: { name }',
      'crm/lead': 'kind: record\nname: prospect\ndoc: A prospect.\nfields: { mail }',
    },
    changes: [
      ['crm/lead/moved', 'callers, links'],
      ['crm/lead/added', safe],
    ],
  },
  {
    edit: 'a resource is removed, and another is moved to its path',
    before: { ...lead('{ name }'), 'crm/deal': 'kind: record\ndoc: A deal.\nfields: { name }' },
    after: { 'crm/lead': 'kind: record\nname: deal\ndoc: A deal.\nfields: { name }' },
    changes: [
      ['crm/lead/removed', 'callers, links'],
      ['crm/deal/moved', 'callers, links'],
    ],
  },
  {
    edit: 'a file gets another name, and the resource with it',
    before: lead('{ name }'),
    after: { 'crm/prospect': 'kind: record\nrenamed_from: lead\ndoc: A lead.\nfields: { name }' },
    changes: [
      ['crm/lead/moved', 'callers, links'],
      ['crm/lead/renamed', 'typed clients'],
      ['crm/lead/title/changed', safe],
      ['crm/lead/plural/changed', safe],
    ],
  },
  {
    edit: 'a file gets another name, and the resource keeps its own',
    before: lead('{ name }'),
    after: { 'crm/prospect': 'kind: record\nname: lead\ndoc: A lead.\nfields: { name }' },
    changes: [['crm/lead/moved', 'callers, links']],
  },
  {
    edit: 'a resource is renamed at its path',
    before: lead('{ name }'),
    after: lead('{ name }', 'name: prospect\nrenamed_from: [suspect, lead]\ntitle: lead'),
    changes: [['crm/lead/renamed', 'typed clients']],
  },
  {
    edit: 'a resource gets another name at its path, without renamed_from',
    before: lead('{ name, fax }'),
    after: lead('{ name }', 'name: prospect\ntitle: lead'),
    changes: [
      ['crm/lead/replaced', 'readers, links, typed clients'],
      ['crm/lead/fax/removed', all],
    ],
  },
  {
    edit: 'a file gets another name, and nothing says that it is the same resource',
    before: lead('{ name }'),
    after: { 'crm/prospect': 'kind: record\ndoc: A lead.\nfields: { name }' },
    changes: [
      ['crm/lead/removed', 'callers, links'],
      ['crm/prospect/added', safe],
    ],
  },
  {
    edit: 'a record becomes a singleton',
    before: lead('{ name }'),
    after: { 'crm/lead': 'kind: singleton\ndoc: A lead.\nfields: { name }' },
    changes: [['crm/lead/kind/changed', 'readers, callers, links, typed clients']],
  },
  {
    edit: 'the documentation changes',
    before: lead('{ name, fax: { doc: A number. } }'),
    after: {
      'crm/lead': 'kind: record\ndoc: A company.\nfields: { name: { doc: Its name. }, fax }',
    },
    changes: [
      ['crm/lead/doc/changed', safe],
      ['crm/lead/name/doc/changed', safe],
      ['crm/lead/fax/doc/changed', safe],
    ],
  },
  {
    edit: 'title and plural change',
    before: lead('{ name }'),
    after: lead('{ name }', 'title: prospective customer\nplural: prospects'),
    changes: [
      ['crm/lead/title/changed', safe],
      ['crm/lead/plural/changed', safe],
    ],
  },
  {
    edit: 'the plural changes, and the operation ids with it',
    before: lead('{ name }'),
    after: lead('{ name }', 'plural: leading companies'),
    changes: [['crm/lead/plural/changed', 'typed clients']],
  },
  {
    edit: 'the plural changes, and is that of a title in other words',
    before: lead('{ name }', 'title: customer'),
    after: lead('{ name }', 'title: customer\nplural: clientele'),
    changes: [['crm/lead/plural/changed', safe]],
  },
  {
    edit: 'the plural stays, and is no longer that of the name: the title is in other words',
    before: lead('{ name }', 'plural: prospects'),
    after: lead('{ name }', 'plural: prospects\ntitle: customer'),
    changes: [
      ['crm/lead/title/changed', safe],
      ['crm/lead/plural/changed', 'typed clients'],
    ],
  },
  {
    edit: 'the plural stays, and another resource takes it',
    before: lead('{ name }'),
    after: { ...lead('{ name }'), 'crm/leads': 'kind: record\ndoc: Leads.\nfields: { name }' },
    changes: [
      ['crm/leads/added', safe],
      ['crm/lead/plural/changed', 'typed clients'],
    ],
  },
  {
    edit: 'another resource takes the plural of one without a list',
    before: lead('{ name }', 'operations: [create]'),
    after: { ...lead('{ name }', 'operations: [create]'), 'crm/leads': 'kind: record\ndoc: Leads.\nfields: { name }' },
    changes: [['crm/leads/added', safe]],
  },
  {
    edit: 'an example is given, and another one taken away',
    before: lead('{ name: { example: Ann }, fax }'),
    after: lead('{ name, fax: { example: "1234" }, score: integer }'),
    changes: [
      ['crm/lead/name/example/changed', safe],
      ['crm/lead/fax/example/changed', safe],
      ['crm/lead/score/added', safe],
    ],
  },
  {
    edit: 'what goes without saying is said',
    before: lead('{ name }'),
    after: lead(
      '{ name: {} }',
      'name: lead\ntitle: lead\nplural: leads\nmax_body: 1 MiB\noperations: [delete, update, retrieve, create, list]',
    ),
    changes: [],
  },
  {
    edit: 'comments, quotes and layout change',
    before: lead('{ name: { max_length: 5 }, fax }'),
    after: {
      'crm/lead': '# Leads\nkind: "record"\ndoc: >-\n  A lead.\nfields:\n  name:\n    max_length: 5 # short\n  fax:\n',
    },
    changes: [],
  },
  {
    edit: 'max_body is lowered',
    before: lead('{ name }', 'max_body: 16 MiB'),
    after: lead('{ name }'),
    changes: [['crm/lead/max_body/narrowed', writers]],
  },
  {
    edit: 'max_body is raised',
    before: lead('{ name }'),
    after: lead('{ name }', 'max_body: 2 MiB'),
    changes: [['crm/lead/max_body/widened', safe]],
  },
  {
    edit: 'max_body is lowered where no operation has a body',
    before: lead('{ name }', 'operations: [list]'),
    after: lead('{ name }', 'operations: [list]\nmax_body: 10 KiB'),
    changes: [['crm/lead/max_body/narrowed', safe]],
  },
  {
    edit: 'an operation is added',
    before: lead('{ name }', 'operations: [list]'),
    after: lead('{ name }', 'operations: [retrieve, list]'),
    changes: [['crm/lead/operations/retrieve/added', safe]],
  },
  {
    edit: 'operations are removed',
    before: lead('{ name }'),
    after: lead('{ name }', 'operations: [create, retrieve, list]'),
    changes: [
      ['crm/lead/operations/update/removed', 'callers'],
      ['crm/lead/operations/delete/removed', 'callers'],
    ],
  },
];

/** Moves between states. */
const states = (transitions: string): Texts => lead('{ status: { default: draft }, phase }', transitions);

const transitions: readonly Edit[] = [
  {
    edit: 'a transition is added',
    before: states(''),
    after: states('transitions: { submit: { from: draft, to: submitted } }'),
    changes: [['crm/lead/transitions/submit/added', safe]],
  },
  {
    edit: 'a transition is removed',
    before: states(
      'transitions: { submit: { from: draft, to: submitted }, cancel: { from: submitted, to: cancelled } }',
    ),
    after: states('transitions: { submit: { from: draft, to: submitted } }'),
    changes: [['crm/lead/transitions/cancel/removed', 'callers']],
  },
  {
    edit: 'a transition gets another name',
    before: states('transitions: { submit: { from: draft, to: submitted } }'),
    after: states('transitions: { send-off: { from: draft, to: submitted } }'),
    changes: [
      ['crm/lead/transitions/submit/removed', 'callers'],
      ['crm/lead/transitions/send-off/added', safe],
    ],
  },
  {
    edit: 'a transition is possible from one state more',
    before: states('transitions: { cancel: { from: draft, to: cancelled } }'),
    after: states('transitions: { cancel: { from: [draft, sent off], to: cancelled } }'),
    changes: [['crm/lead/transitions/cancel/from/sent%20off/added', safe]],
  },
  {
    edit: 'a transition is no longer possible from a state',
    before: states('transitions: { cancel: { from: [draft, submitted], to: cancelled } }'),
    after: states('transitions: { cancel: { from: submitted, to: cancelled } }'),
    changes: [['crm/lead/transitions/cancel/from/draft/removed', 'callers']],
  },
  {
    edit: 'the states that a transition is possible from are put in another order',
    before: states('transitions: { cancel: { from: [draft, submitted], to: cancelled } }'),
    after: states('transitions: { cancel: { from: [submitted, draft], to: cancelled } }'),
    changes: [],
  },
  {
    edit: 'a transition leads to another state',
    before: states('transitions: { submit: { from: draft, to: submitted } }'),
    after: states('transitions: { submit: { from: draft, to: sent } }'),
    changes: [['crm/lead/transitions/submit/to/changed', 'callers, readers']],
  },
  {
    edit: 'a transition moves another field',
    before: states('transitions: { submit: { from: draft, to: submitted } }'),
    after: states('transitions: { submit: { field: phase, from: draft, to: submitted } }'),
    changes: [['crm/lead/transitions/submit/field/changed', 'callers, readers']],
  },
  {
    edit: 'the field that a transition moves is renamed',
    before: states('transitions: { submit: { from: draft, to: submitted } }'),
    after: lead(
      '{ state: { default: draft, renamed_from: status }, phase }',
      'transitions: { submit: { field: state, from: draft, to: submitted } }',
    ),
    changes: [['crm/lead/status/renamed', all]],
  },
];

/** Line items and their parents. */
const parents: readonly Edit[] = [
  {
    edit: 'another field names the parent',
    before: brands('{ field: rule_id }', '{ rule_id: { required: true }, other_id: { required: true } }'),
    after: brands('{ field: other_id }', '{ rule_id: { required: true }, other_id: { required: true } }'),
    changes: [['crm/brand/parent/field/changed', 'creators, callers']],
  },
  {
    edit: 'the field that names the parent is renamed',
    before: brands('{ field: rule_id }', '{ rule_id: { required: true } }'),
    after: brands('{ field: parent_id }', '{ parent_id: { required: true, renamed_from: rule_id } }'),
    changes: [['crm/brand/rule_id/renamed', all]],
  },
  {
    edit: 'the parent must be there',
    before: brands('{ field: rule_id }'),
    after: brands('{ field: rule_id, resource: crm/rule }'),
    changes: [['crm/brand/parent/resource/added', writers]],
  },
  {
    edit: 'the parent need no longer be there',
    before: brands('{ field: rule_id, resource: crm/rule }'),
    after: brands('{ field: rule_id }'),
    changes: [['crm/brand/parent/resource/removed', 'readers, callers']],
  },
  {
    edit: 'the parent is of another resource',
    before: brands('{ field: rule_id, resource: crm/rule }'),
    after: brands('{ field: rule_id, resource: crm/offer }'),
    changes: [['crm/brand/parent/resource/changed', `${writers}, callers`]],
  },
  {
    edit: 'the parent is of another resource where nothing writes: who expands the former one is refused',
    before: listedBrands('crm/rule'),
    after: listedBrands('crm/offer'),
    changes: [['crm/brand/parent/resource/changed', 'callers']],
  },
  {
    edit: 'the parent is moved',
    before: brands('{ field: rule_id, resource: crm/rule }'),
    after: {
      'sales/rule': 'kind: record\ndoc: A rule.\nfields: { name }',
      'crm/offer': 'kind: record\ndoc: An offer.\nfields: { name }',
      'crm/brand': brands('{ field: rule_id, resource: sales/rule }')['crm/brand'] ?? '',
    },
    changes: [['crm/rule/moved', 'callers, links']],
  },
  {
    edit: 'the parent becomes a pair',
    before: brands('{ field: rule_id }'),
    after: brands('{ field: rule_id, type_field: sort }'),
    changes: [['crm/brand/parent/type_field/added', 'callers']],
  },
  {
    edit: 'the parent is no longer a pair',
    before: brands('{ field: rule_id, type_field: sort }'),
    after: brands('{ field: rule_id }'),
    changes: [['crm/brand/parent/type_field/removed', safe]],
  },
  {
    edit: 'line items can no longer be put in order',
    before: brands('{ field: rule_id }'),
    after: {
      ...brands('{ field: rule_id }'),
      'crm/brand': `operations: [list, create]\n${brands('{ field: rule_id }')['crm/brand']}`,
    },
    changes: [
      ['crm/brand/operations/update/removed', 'callers'],
      ['crm/brand/operations/delete/removed', 'callers'],
      ['crm/brand/operations/reorder/removed', 'callers'],
    ],
  },
];

/** Changes that touch all resources. */
const shared: readonly Edit[] = [
  {
    edit: 'what the service says of itself changes',
    before: { service: service(''), ...lead('{ name }') },
    after: {
      service:
        'name: sales\ntitle: Sales\ndoc: Keeps sales.\nversion: 2.0.0\nlicense: Apache-2.0\n' +
        'contact: { email: api@example.com }\nareas: { crm: CRM }',
      ...lead('{ name }'),
    },
    changes: [
      ['service/name/changed', safe],
      ['service/title/changed', safe],
      ['service/doc/changed', safe],
      ['service/version/changed', safe],
      ['service/license/changed', safe],
      ['service/contact/changed', safe],
      ['service/areas/changed', safe],
    ],
  },
  {
    edit: 'a break is accepted that is none',
    before: lead('{ name }'),
    after: { service: service('accepted_breaks: { crm/lead/fax/removed: Nobody has one. }'), ...lead('{ name }') },
    changes: [],
  },
  {
    edit: 'several resources change at once',
    before: {
      ...lead('{ name }'),
      ...settings('{ name }'),
      'crm/deal': 'kind: record\ndoc: A deal.\nfields: { name }',
    },
    after: { ...lead('{ name: { max_length: 9 } }'), ...settings('{ name: { default: x } }') },
    changes: [
      ['crm/deal/removed', 'callers, links'],
      ['crm/lead/name/max_length/narrowed', writers],
      ['crm/settings/name/default/added', safe],
    ],
  },
];

/** Changes of filters, sort orders, searched fields and columns. */
const lists: readonly Edit[] = [
  {
    edit: 'a list gets columns',
    before: lead('{ name, status }'),
    after: lead('{ name, status }', 'list: { columns: [name] }'),
    changes: [['crm/lead/list/columns/changed', safe]],
  },
  {
    edit: 'a list gets other columns',
    before: lead('{ name, status }', 'list: { columns: [name, status] }'),
    after: lead('{ name, status }', 'list: { columns: [status, name] }'),
    changes: [['crm/lead/list/columns/changed', safe]],
  },
  {
    edit: 'a column is renamed',
    before: lead('{ name }', 'list: { columns: [name] }'),
    after: lead('{ title: { renamed_from: name } }', 'list: { columns: [title] }'),
    changes: [['crm/lead/name/renamed', all]],
  },
  {
    edit: 'the backfill of a searched field changes',
    before: lead('{ website: { required: true, backfill: none } }', 'list: { search: [website] }'),
    after: lead('{ website: { required: true, backfill: unknown } }', 'list: { search: [website] }'),
    changes: [['crm/lead/website/backfill/changed', 'readers']],
  },
  {
    edit: 'a list gets filters, an order and a search',
    before: lead('{ name, status }'),
    after: lead('{ name, status }', 'list: { filter: [status, updated_at], sort: [name], search: [name, status] }'),
    changes: [
      ['crm/lead/list/filter/status/added', safe],
      ['crm/lead/list/filter/updated_at/added', safe],
      ['crm/lead/list/sort/name/added', safe],
      ['crm/lead/list/search/name/added', safe],
      ['crm/lead/list/search/status/added', safe],
    ],
  },
  {
    edit: 'a list loses a filter, an order and a search',
    before: lead('{ name, status }', 'list: { filter: [status, name], sort: [name, status], search: [name] }'),
    after: lead('{ name, status }', 'list: { filter: [name], sort: [status] }'),
    changes: [
      ['crm/lead/list/filter/status/removed', 'callers'],
      ['crm/lead/list/sort/name/removed', 'callers'],
      ['crm/lead/list/search/name/removed', 'callers'],
    ],
  },
  {
    edit: 'a list is filtered, sorted and searched in another order',
    before: lead('{ name, status }', 'list: { filter: [status, name], sort: [status, name], search: [name, status] }'),
    after: lead('{ name, status }', 'list: { filter: [name, status], sort: [name, status], search: [status, name] }'),
    changes: [],
  },
  {
    edit: 'a field that a list is filtered, sorted and searched by is renamed',
    before: lead('{ name }', 'list: { filter: [name], sort: [name], search: [name] }'),
    after: lead('{ title: { renamed_from: name } }', 'list: { filter: [title], sort: [title], search: [title] }'),
    changes: [
      ['crm/lead/name/renamed', all],
      ['crm/lead/list/filter/name/renamed', 'callers'],
      ['crm/lead/list/sort/name/renamed', 'callers'],
    ],
  },
  {
    edit: 'a field goes together with its filter',
    before: lead('{ name, status }', 'list: { filter: [status, name] }'),
    after: lead('{ name }', 'list: { filter: [name] }'),
    changes: [
      ['crm/lead/status/removed', all],
      ['crm/lead/list/filter/status/removed', 'callers'],
    ],
  },
  {
    edit: 'a list goes together with its filters',
    before: lead('{ name }', 'list: { filter: [name] }'),
    after: lead('{ name }', 'operations: [create, retrieve, update, delete]'),
    changes: [['crm/lead/operations/list/removed', 'callers']],
  },
  {
    edit: 'a filtered field becomes a date: its values have no prefix any more',
    before: lead('{ name }', 'list: { filter: [name] }'),
    after: lead('{ name: { format: date } }', 'list: { filter: [name] }'),
    changes: [
      ['crm/lead/name/format/added', writers],
      ['crm/lead/list/filter/name/changed', 'callers'],
    ],
  },
  {
    edit: 'a filtered field takes fewer values: its filter still finds the others',
    before: lead('{ name: { enum: [a, b] } }', 'list: { filter: [name] }'),
    after: lead('{ name: { enum: [a] } }', 'list: { filter: [name] }'),
    changes: [['crm/lead/name/enum/b/removed', writers]],
  },
  {
    edit: 'a filtered field that only the service sets takes fewer values',
    before: lead('{ status: { read_only: true, enum: [open, lost] } }', 'list: { filter: [status] }'),
    after: lead('{ status: { read_only: true, enum: [open] } }', 'list: { filter: [status] }'),
    changes: [['crm/lead/status/enum/lost/removed', 'updaters']],
  },
];

/** The edits that the verdicts are held against. */
export const edits: readonly Edit[] = [
  ...fields,
  ...types,
  ...presence,
  ...limits,
  ...resources,
  ...transitions,
  ...parents,
  ...lists,
  ...shared,
];

/** The texts as `readService` takes them. */
export const specsOf = (texts: Texts): Map<string, string> =>
  new Map(Object.entries({ service: service(''), ...texts }).map(([path, text]) => [`spec/${path}.yaml`, text]));
