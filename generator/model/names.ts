/** The name of a type for `bank_guarantee`: `BankGuarantee`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|[_-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The type of the records of a resource. A name like `price_list` gets another one than the list of a resource `price`. */
export const typeName = (name: string): string =>
  pascalCase(name) + (/_(?:list|create|update|filter|sort|expand|input)$/.test(name) ? 'Record' : '');

/** The type of the input of a transition of a resource. */
export const inputName = (resource: { readonly name: string }, { name }: { readonly name: string }): string =>
  `${pascalCase(resource.name)}${pascalCase(name)}Input`;

/** The name of a variable for `bank_guarantee`: `bankGuarantee`. */
export const camelCase = (name: string): string => {
  const pascal = pascalCase(name);
  return pascal.charAt(0).toLowerCase() + pascal.slice(1);
};

/** A name in kebab-case for a title: `bob-s-shop` for `Bob's Shop`. Empty where the title has no Latin letter. */
export const kebabCaseOf = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 63)
    .replace(/-$/, '');

/** A name in camelCase with hyphens between its words: `HTTP-Status` for `HTTPStatus`. */
export const separated = (name: string): string =>
  name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '-');

/** The beginning of a sentence or a heading: the first letter as a capital, the rest as it is. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The schemas of the OpenAPI document that belong to no resource. */
export const sharedSchemaNames = [
  'Problem',
  'FieldError',
  'Deleted',
  'Reorder',
  'BatchOperations',
  'BatchResults',
  'CurrentKey',
  'Event',
  'EventList',
] as const;

/** The types that clients export besides those of resources, and that the OpenAPI document does not have. */
export const clientTypeNames = ['ApiFailure', 'ClientOptions'] as const;

/** The id of the operation that tells what the API key of a request is. */
export const keyOperationId = 'retrieveCurrentKey';

/** The operation ids of events, which no resource has. */
export const eventOperationIds = ['listEvents', 'undoEvent'] as const;

/** The section of the OpenAPI document for what belongs to no resource. */
export const sharedTag = 'General';

/** The chapters of the OpenAPI document about what all resources have in common, in their order. */
export const guideTopics = [
  'authentication',
  'scopes',
  'records',
  'versions',
  'new fields',
  'errors',
  'batches',
  'events',
  'lists',
  'pages',
  'filters',
  'search',
  'parts of records',
  'values',
  'limits',
] as const;

export type GuideTopic = (typeof guideTopics)[number];

/** The section of the OpenAPI document for a chapter. */
export const guideTagOf = (topic: GuideTopic): string => `About ${topic}`;

/** The plural of a regular English noun; one that ends in a single s is taken for a plural. */
export function pluralOf(noun: string): string {
  if (/(ss|x|z|ch|sh)$/i.test(noun)) return `${noun}es`;
  if (/s$/i.test(noun)) return noun;
  if (/[^aeiou]y$/i.test(noun)) return `${noun.slice(0, -1)}ies`;
  return `${noun}s`;
}

/** `a`, `a and b`, `a, b and c`. */
export const listed = (words: readonly string[]): string => new Intl.ListFormat('en-GB').format(words);

/** `a`, `a or b`, `a, b or c`. */
export const either = (words: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(words);

/** The noun with its indefinite article. */
export function withArticle(noun: string): string {
  return `${/^(?:[aeio]|u(?!n[ei]|s))/i.test(noun) ? 'an' : 'a'} ${noun}`;
}
