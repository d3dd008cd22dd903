/** The names that other languages have for types and formats, with the type or format of a spec. */
const types: Readonly<Record<string, readonly string[]>> = {
  integer: ['int', 'int32', 'int64', 'bigint', 'smallint', 'long', 'short', 'whole'],
  decimal: ['numeric', 'money', 'currency', 'bigdecimal'],
  number: ['float', 'float32', 'float64', 'double', 'real'],
  boolean: ['bool', 'flag', 'bit', 'checkbox'],
  string: ['text', 'str', 'varchar', 'char', 'longtext', 'clob'],
  'date-time': ['datetime', 'timestamp', 'timestamptz', 'instant', 'date_time'],
  uuid: ['guid'],
  uri: ['url', 'href'],
  email: ['mail', 'e-mail'],
  json: ['jsonb', 'object', 'map', 'mapping', 'dict', 'dictionary', 'hash', 'struct', 'any', 'jsonobject', 'variant'],
};

/** The words of other languages for what a spec cannot say, by what to write instead. */
const hints: readonly (readonly [words: string, hint: string])[] = [
  [
    'references reference link ref foreignkey fk belongsto hasone manytoone onetoone relation relationship',
    'a field with the id of another record is written { references: <area>/<resource> }, with on_delete: restrict, set_null ' +
      'or cascade; the parent of a line item is kind: line-item, with parent: { field, resource }',
  ],
  [
    'polymorphic genericforeignkey genericrelation genericrelations morphto morphs morphmany morphone dynamiclink polymorphicassociation as',
    'a field that names a record of one of several resources is written { references: [crm/lead, crm/customer] }: the prefix of ' +
      'the id says which',
  ],
  [
    'rollup summary aggregate aggregation',
    'a total over line items or an inverse is written { type: integer, computed: count(orders) }, with sum, min and max of a field',
  ],
  [
    'hasmany onetomany reverse inverse backref relatedname mappedby children',
    'the records that reference this one are named at their reference: { references: <area>/<resource>, inverse: orders }; ' +
      'expand=orders then shows them, as it does line items under the name of their resource',
  ],
  [
    'manytomany hasandbelongstomany belongstomany through jointable',
    'many to many is a resource of its own with two references, each with an inverse: { references: crm/tag, inverse: taggings }',
  ],
  [
    'uniquetogether uniquekey uniqueindex uniqueconstraint isunique distinct',
    'write unique: true at a field, or unique: [[company, code]] at the resource for several together',
  ],
  [
    'immutable writeonce createonly final frozen editable updatable',
    'write immutable: true at a field that no update changes, immutable: once_set if it is null until it is set, and ' +
      'read_only: true if no client sets it',
  ],
  [
    'computed calculated formula expression virtual generated',
    'a field that follows from others is written { type: number, computed: price * quantity }, in CEL',
  ],
  [
    'lookup defaultfrom copyfrom copiedfrom copy fetchfrom inheritfrom inherit inherits prefill prefilled snapshot',
    'a value that a create copies from another record is written { default_from: customer.currency }, by the name that expand ' +
      'uses for the reference, or { default_from: setup/rental-settings.tax_rate } from settings',
  ],
  [
    'validate validates validation validations validator check checks constraint constraints assert invariant invariants',
    'a condition on several fields is written rules: [{ that: "ends_on >= starts_on", message: … }], at the resource',
  ],
  [
    'actions action verbs verb commands command methods procedures',
    'an operation of its own is a transition; without `to` it keeps the state: ' +
      'transitions: { extend: { from: open, input: { until: { format: date } }, set: { ends_on: input.until } } }',
  ],
  [
    'softdelete softdeletes softdeletable deletedat isdeleted paranoid archivable isarchived archivedat trash archive unarchive',
    'write archive: true at the resource: it gives records archived_at and the operations archive and unarchive, and lists ' +
      'leave archived ones out',
  ],
  [
    'locked lock locks lockedwhen readonlyin frozenin closedin',
    'write locked_in: [submitted] at the resource: in these states, only transitions and the fields of except change a record',
  ],
  [
    'hooks hook trigger triggers callbacks beforecreate beforeupdate beforesave aftercreate aftersave ' +
      'exclude exclusion overlap overlaps nooverlap',
    'a condition on other records, and what a write does to them, is code beside the spec: spec/<area>/<resource>.hooks.ts, ' +
      'in which a hook lists them, refuses the write or moves them',
  ],
  ['permissions permission roles acl access', 'leave this out: each API key has scopes, which `npm run keys` gives it'],
  [
    'index indexes indices indexed dbindex',
    'name the field in list: { filter: [] } or list: { sort: [] }, which have an index',
  ],
  ['primarykey pk identity', 'leave this out: every record has an id, which the service sets'],
  [
    'sequence autoincrement serial bigserial autonumber counter numbering naming namingseries nextnumber',
    'every record has an id, which the service sets; a number for people is written { sequence: "INV-{yyyy}-{0000}" }',
  ],
  [
    'numeric money currency precision decimalplaces scale digits',
    'an exact number is written { type: decimal, digits: 12, scale: 2 }, with 2 of its 12 digits behind the point',
  ],
  [
    'array set list items elements multiple multi many repeated multiselect',
    'several strings or integers are written { type: list, of: string }; line items are a resource of kind line-item',
  ],
  [
    'dict object json jsonb map mapping struct properties schema additionalproperties',
    'an object or an array of any form is written { type: json }; what filters, rules and totals read are fields of their own, ' +
      'and line items are a resource of kind line-item',
  ],
  [
    'notnull nonnull nonnullable null allownull blank optional',
    'write required: true, or nullable: false with a default; every other field may be null',
  ],
  [
    'choices options oneof allowedvalues picklist',
    'write enum: [a, b], or enum: <name> for a list of the enums of spec/service.yaml',
  ],
  [
    'now now() autonow autonowadd onupdate oncreate today today() currenttimestamp currentdate',
    'write default: now for the time of the create, which a date-time holds, and default: today for its day, a date; always: ' +
      'now is the time of the last change',
  ],
  [
    'guard guards condition conditions precondition preconditions onlyif',
    'a condition of a transition is written that: total > 0, within it; one of a record stands in rules, at the resource',
  ],
  [
    'startat startsat startwith startswith initialvalue firstnumber padding',
    'a sequence begins with 1, with as many digits as it has zeros; an import may bring a number, and it goes on behind that',
  ],
  [
    'displayname displayfield displaytitle titlefield namefield labelfield recordname',
    'what the console calls a record is written record_title: name, record_title: [first_name, last_name] or ' +
      'record_title: copy_id.book_id.title, at the resource',
  ],
  [
    'sections fieldsets fieldset tabs panels',
    'groups of fields in the console are written form: [{ title: Address, fields: [street, city] }], at the resource',
  ],
  [
    'visibleif visible visibility dependson displaydependson hidden hideif hiddenif',
    'a group of fields is shown under a condition by form: [{ title: …, fields: […], show_if: kind == "company" }], at the resource',
  ],
  [
    'color colour colors colours badge badges statecolors statuscolors',
    'the colors of states are written colors: { lost: red, won: green }, at the field that has them',
  ],
  [
    'createdby updatedby modifiedby changedby lastmodifiedby createdat updatedat modifiedat timestamps userstamps audited auditable actor user currentuser',
    'every record has created_at and updated_at; a field for who made it is written { default: actor }, for who changed it ' +
      'last { always: actor }, and for the time of that { format: date-time, always: now }',
  ],
];

/** A word without capitals and separators. */
export const plain = (word: string): string => word.toLowerCase().replaceAll(/[-_ $]/g, '');

/** The type or format that a name of another language means. */
export const typeMeant = (name: string): string | undefined =>
  Object.keys(types).find((type) => types[type]?.includes(name.toLowerCase()));

/** A suggestion for a key, type or default of another language, to follow it; undefined for other words. */
export function foreignWordHint(word: string): string | undefined {
  const hint = hints.find(([words]) => words.split(' ').includes(plain(word)))?.[1];
  return hint && `; ${hint}`;
}
