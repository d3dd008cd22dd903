import { z } from 'zod';
import { maxTextLength } from '../../runtime/kernel/model/limits.ts';
import { type Format, formats } from '../../runtime/kernel/model/formats.ts';
import { type Kind, type OperationName, defaultOperations, kinds } from '../../runtime/kernel/model/operations.ts';
import { fieldTypeRow } from '../model/field-types.ts';
import { isMapping, type Json, printJson } from '../emit/json.ts';
import {
  actorLength,
  actorWords,
  fieldRules,
  type FieldTypeName,
  fieldTypeNames,
  fieldTypes,
  impossible,
  itemTypes,
  type KeyRule,
  kindFields,
  listKeys,
  listParameters,
  maxFields,
  maxNameLength,
  maxTransitions,
  reservedTransitionNames,
  parentRules,
  recordRules,
  reservedFieldNames,
  reservedResourceNames,
  resourceKinds,
  serviceFields,
  serviceSchema,
  shortTypes,
  storedKeys,
  uniqueRules,
} from '../model/language.ts';
import { capitalize } from '../model/names.ts';
import { whyList } from '../model/operations.ts';
import { schemaFiles } from '../read/paths.ts';
import {
  butNot,
  decimalRule,
  numberRule,
  patternRule,
  type Schema,
  sequenceRule,
  sizeRule,
  textRule,
} from './value-rules.ts';

const head: Schema = {
  // The newest draft that every version of the YAML language server knows.
  $schema: 'http://json-schema.org/draft-07/schema#',
  $comment: 'Written by `npm run editor` from generator/model/language.ts.',
};

/** The JSON Schemas of the spec files, for editors: contents by path, made from `language.ts`. */
export function editorSchemas(): Map<string, string> {
  const service = { title: 'Service', description: 'The properties that all resources of the service share.' };
  return new Map([
    [schemaFiles.resource, printSchema({ ...head, ...resource() })],
    [schemaFiles.service, printSchema({ ...head, ...service, ...convert(serviceSchema) })],
  ]);
}

const printSchema = (schema: Schema): string => `${printJson(schema as Json)}\n`;

const byKind = resourceKinds(z.unknown());
const kind = choice('The kind of the resource.', kinds, (name) => byKind[name].shape.kind);
/** The types that a spec names: string is the default. */
const namedTypes = fieldTypeNames.filter((name) => name !== 'string');
const type = choice('The type of the values.', namedTypes, (name) => fieldTypes[name].shape.type);

// `if` distinguishes the cases, not `anyOf`, so that an editor reports the errors of the case in use.
const resource = (): Schema => ({
  title: 'Resource',
  description: 'A resource. The path of the file gives its URL: spec/crm/lead.yaml is served at /api/crm/lead.',
  type: 'object',
  properties: { kind: { title: 'Kind', ...kind } },
  required: ['kind'],
  allOf: [
    ...kinds.map((name) => when(has('kind', name), refTo(name))),
    // A kind that is wrong hides nothing else.
    when(
      { not: { required: ['kind'], properties: { kind: { enum: kinds } } } },
      { ...when({ required: ['parent'] }, refTo('line-item')), else: refTo('record') },
    ),
  ],
  definitions: {
    ...Object.fromEntries(kinds.map((name) => [name, ofKind(name)])),
    field: {
      title: 'Field',
      description: 'Empty for an optional string, the name of a type, or a mapping like { type: integer, min: 0 }.',
      // The branches only tell the forms apart. The rules of a mapping come after, so that an editor reports each error.
      anyOf: [
        {
          title: 'A type',
          ...choice(
            'The short form of a field that only has a type.',
            namedTypes.filter((name) => shortTypes.includes(name)),
            (name) => fieldTypes[name].shape.type,
          ),
        },
        { title: 'A mapping', type: 'object' },
        { title: 'An optional string', type: 'null' },
      ],
      ...when({ type: 'object' }, refTo('mapping')),
    },
    mapping: {
      properties: { type: { title: 'Type', ...type } },
      allOf: fieldTypeNames.map((name) =>
        when(name === 'string' ? { not: { required: ['type'] } } : has('type', name), refTo(name)),
      ),
    },
    ...Object.fromEntries(fieldTypeNames.map((name) => [name, ofType(name)])),
    items: {
      title: 'Of',
      description: 'The type of the values of a list: string, integer, or a mapping like { max_length: 40 }.',
      anyOf: [
        { title: 'A type', enum: Object.keys(itemTypes) },
        { title: 'A mapping', type: 'object' },
      ],
      ...when({ type: 'object' }, { ...when(has('type', 'integer'), itemsOf('integer')), else: itemsOf('string') }),
    },
  },
});

/** The schema of a kind: that of zod, and the rules of the check that zod cannot express. Its kind is the caller's. */
const ofKind = (name: Kind): Schema => ({
  ...(name === 'record' && { allOf: recordRules.map(condition) }),
  ...withMore(convert(byKind[name].extend({ kind: z.unknown().meta({ description: 'The kind of the resource.' }) })), {
    name: { maxLength: maxNameLength, allOf: reservedResourceNames.map(({ names, why }) => butNot(names, why)) },
    max_body: sizeRule,
    operations: { uniqueItems: true, ...needRules(defaultOperations(name)) },
    parent: { allOf: parentRules.map(condition) },
    list: { minProperties: 1, properties: listRules(name) },
    fields: {
      minProperties: 1,
      maxProperties: maxFields,
      propertyNames: {
        allOf: [
          butNot(kindFields[name].join('|'), `is a built-in field of a ${name} and cannot be declared`),
          butNot(serviceFields.join('|'), 'is set by the service and cannot be declared'),
          ...reservedFieldNames.map(({ names, why }) => butNot(names, why)),
        ],
      },
      additionalProperties: name === 'singleton' ? { allOf: [refTo('field'), ...singletonRules()] } : refTo('field'),
    },
    unique: { items: when({ type: 'array' }, namedOnce(name)) },
    transitions: {
      maxProperties: maxTransitions,
      propertyNames: {
        allOf: [butNot(reservedTransitionNames.join('|'), 'a transition cannot be called like an operation')],
      },
      additionalProperties: {
        properties: {
          from: { uniqueItems: true },
          input: { minProperties: 1, additionalProperties: { allOf: [refTo('field'), inputRule] } },
        },
      },
    },
    locked_in: { uniqueItems: true },
    except: { uniqueItems: true },
    form: { items: { properties: { fields: { uniqueItems: true } } } },
    record_title: { uniqueItems: true },
  }),
});

const inputRule: Schema = {
  properties: Object.fromEntries(storedKeys.map((key) => [key, false])),
  errorMessage: 'is a key of the field that the input sets',
};

/** The rules of a list of fields that are unique together. */
const namedOnce = (name: Kind): Schema => ({
  uniqueItems: true,
  items: butNot(kindFields[name].join('|'), 'is set by the service and cannot be named here'),
});

/** The rules of the fields of a singleton: nothing else is compared with it, and nothing deletes it. */
const singletonRules = (): Schema[] => [
  refuse({ required: ['unique'] }, 'unique', impossible.uniqueInSingleton),
  refuse({ required: ['sequence'] }, 'sequence', impossible.sequenceInSingleton),
  refuse(has('on_delete', 'cascade'), 'on_delete', impossible.cascadeInSingleton),
  refuse({ required: ['inverse'] }, 'inverse', impossible.inverseInSingleton),
  refuse({ required: ['default_from'] }, 'default_from', impossible.defaultFromInSingleton),
];

function listRules(name: Kind): Schema {
  const known = kindFields[name].filter((field) => field !== 'updated_at');
  const builtIn = (names: readonly string[]): Schema =>
    butNot(names.join('|'), 'is a built-in field and is not named here');
  const taken = butNot(listParameters.join('|'), 'every list has another parameter of that name');
  const rules = listKeys.map((key) => {
    const builtInRule = builtIn(key === 'search' ? kindFields[name] : known);
    const named = { allOf: key === 'filter' ? [builtInRule, taken] : [builtInRule] };
    // A sort names a field, or is a mapping that does.
    const items = key === 'sort' ? { allOf: [anyOf([{ type: 'object' }, named])] } : named;
    return [key, { uniqueItems: true, items }] as const;
  });
  const isNumber = butNot('count', 'is the name of the number of records in responses');
  const counted = { uniqueItems: true, items: { allOf: [builtIn(kindFields[name]), isNumber] } };
  return { ...Object.fromEntries(rules), count: counted, sum: counted, columns: { uniqueItems: true } };
}

/** The rules of operations that need another: without it, only the others are allowed. */
function needRules(names: readonly OperationName[]): Schema {
  const rules = names.flatMap((name) => {
    const why = whyList(name);
    if (why === undefined) return [];
    const allowed = { items: { enum: names.filter((other) => other !== name), errorMessage: why } };
    return [when({ not: { contains: { const: 'list' } } }, allowed)];
  });
  return rules.length > 0 ? { allOf: rules } : {};
}

const formatDescriptions = (Object.keys(formats) as Format[]).map((format) => {
  const field = { type: format };
  return `${capitalize(formats[format].words)}. Like \`${String(fieldTypeRow(field).example(field))}\`.`;
});

/** The rules about who and when: the string that an actor needs, and the moments of a date and of a date-time. */
function momentRules(): Schema[] {
  const isActor = anyOf([has('always', 'actor'), { ...has('default', 'actor'), not: { required: ['enum'] } }]);
  const isShort = { required: ['max_length'], properties: { max_length: { maximum: actorLength - 1 } } };
  const both = (format: string, moment: string): Schema => ({ allOf: [has('format', format), has('always', moment)] });
  return [
    refuse({ allOf: [isActor, isShort] }, 'max_length', actorWords),
    refuse({ allOf: [isActor, { required: ['pattern'] }] }, 'pattern', actorWords),
    refuse(both('date', 'now'), 'always', 'always: now needs format: date-time'),
    refuse(both('date-time', 'today'), 'always', 'always: today needs format: date'),
  ];
}

/** A min_length over the default max_length, where the field has none of its own. */
const lengthRule = (): Schema =>
  when(
    {
      not: { required: ['max_length'] },
      required: ['min_length'],
      properties: { min_length: { minimum: maxTextLength + 1 } },
    },
    {
      properties: { min_length: false },
      errorMessage: `min_length is larger than ${maxTextLength}, the default max_length`,
    },
  );

const valueRules: { readonly [T in FieldTypeName]?: Schema } = {
  string: textRule,
  number: numberRule,
  decimal: decimalRule,
};

/** The mapping of a field. String is not named: an editor would suggest it, and the check refuses it. */
const ofType = (name: FieldTypeName): Schema =>
  mappingOf(name, name === 'string' ? fieldTypes.string.omit({ type: true }) : fieldTypes[name]);

/** The mapping of the values of a list that are of one type. */
const itemsOf = (name: keyof typeof itemTypes): Schema => mappingOf(name, itemTypes[name]);

function mappingOf(name: FieldTypeName, keys: z.ZodObject): Schema {
  const value = valueRules[name] ?? {};
  const schema = withMore(convert(keys), {
    min: value,
    max: value,
    default: value,
    backfill: value,
    example: value,
    pattern: patternRule,
    sequence: sequenceRule,
    enum: { uniqueItems: true, items: textRule },
    references: { uniqueItems: true },
    format: { markdownEnumDescriptions: formatDescriptions },
    of: refTo('items'),
    inverse: { allOf: reservedFieldNames.map(({ names, why }) => butNot(names, why)) },
  });
  const rules = [...fieldRules, ...uniqueRules].filter(({ key }) => key in keys.shape).map(condition);
  if (name === 'string') rules.push(lengthRule(), ...('always' in keys.shape ? momentRules() : []));
  if (name === 'boolean') rules.push(refuse({ required: ['unique'] }, 'unique', impossible.uniqueBoolean));
  if (name === 'list') rules.push(refuse({ required: ['unique'] }, 'unique', impossible.uniqueList));
  return { ...schema, ...(rules.length > 0 && { allOf: rules }) };
}

/** The JSON Schema of a zod schema, with a title for each key. */
function convert(schema: z.ZodType): Schema {
  const { $schema: _, ...converted } = z.toJSONSchema(schema, { target: 'draft-07', io: 'input' });
  return reword(converted);
}

function reword({ anyOf, properties, ...rest }: Schema): Schema {
  const schema = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, isMapping(value) ? reword(value) : value]),
  );
  if (isMapping(properties)) {
    const entries = Object.entries(properties) as [string, Schema][];
    schema.properties = Object.fromEntries(
      entries.map(([key, property]) => [key, { title: titleOf(key), ...reword(property) }]),
    );
  }
  if (!Array.isArray(anyOf)) return schema;
  const branches = anyOf.map(reword);
  // A mapping as a branch of its own: an editor that completes the key does not start one.
  if (branches.some((branch) => branch.type === 'object')) return { ...schema, anyOf: branches };
  // Each keyword applies to one type, so one schema can hold all, and an editor reports the errors of the type in use.
  return Object.assign(schema, ...branches, { type: branches.map((branch) => branch.type) }) as Schema;
}

const titleOf = (key: string): string => capitalize(key.replaceAll('_', ' '));

/** A choice of names, each explained by the description of its schema. */
function choice<N extends string>(description: string, names: readonly N[], of: (name: N) => z.ZodType): Schema {
  return { description, enum: names, markdownEnumDescriptions: names.map((name) => of(name).description) };
}

const refTo = (definition: string): Schema => ({ $ref: `#/definitions/${definition}` });

const when = (test: Schema, then: Schema): Schema => ({
  if: test,
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then,
});

const has = (key: string, value: string): Schema => ({ required: [key], properties: { [key]: { const: value } } });

function condition({ key, is, not, needs = [], words }: KeyRule): Schema {
  const value = is === undefined ? {} : { properties: { [key]: { const: is } } };
  const neighbours =
    not === undefined ? { not: anyOf(needs.map((neededKey) => ({ required: [neededKey] }))) } : { required: [not] };
  return refuse({ ...value, ...neighbours }, key, words);
}

/** A rule that rejects a key, which gets the schema `false`, so that editors underline it. */
const refuse = (test: Schema, key: string, errorMessage: string): Schema =>
  when(test, { properties: { [key]: false }, errorMessage });

const anyOf = (all: readonly Schema[]): Schema => (all.length === 1 ? (all[0] as Schema) : { anyOf: all });

/** Adds keywords to those properties that a schema has. */
function withMore(schema: Schema, more: Readonly<Record<string, Schema>>): Schema {
  const properties = Object.entries(schema.properties as Schema);
  return { ...schema, properties: Object.fromEntries(properties.map(([key, it]) => [key, merge(it, more[key])])) };
}

function merge(value: unknown, more: unknown): unknown {
  if (more === undefined) return value;
  if (!isMapping(value) || !isMapping(more)) return more;
  const added = Object.entries(more).map(([key, item]) => [key, merge(value[key], item)]);
  return { ...value, ...Object.fromEntries(added) };
}
