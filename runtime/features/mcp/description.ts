import { readFileSync } from 'node:fs';
import { basePath, operationsOf, type ResourceOperation } from '../../kernel/model/operations.ts';
import { maxTextLength } from '../../kernel/model/limits.ts';
import type { Table } from '../../kernel/model/table.ts';
import type { Service } from '../../kernel/api/service.ts';

interface Reference {
  readonly $ref: string;
}

/** The parts of a JSON Schema that the generator writes. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly (Schema | Reference)[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema | Reference;
  readonly properties?: Readonly<Record<string, Schema | Reference>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly readOnly?: boolean;
  readonly default?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly 'x-references'?: string | readonly string[];
  readonly 'x-computed'?: string;
  readonly 'x-rules'?: readonly object[];
}

interface Parameter {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema | Reference }>>;
}

interface DocumentedOperation {
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly 'x-count'?: object;
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

/** The parts of an OpenAPI document that descriptions are made from. */
interface OpenApi {
  readonly info: { readonly version: string; readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
}

/** The description of a resource: words about its fields, and how to find and change its records. */
type Description = Readonly<Record<string, unknown>> & {
  /** The tools that its operations are. */
  readonly tools: readonly string[];
  readonly verbs: Readonly<Record<string, object>>;
};

const kindNames = { record: 'records', 'line-item': 'line items', singleton: 'settings' } as const;

/** The parameters of lists that are no filters. */
const controls: ReadonlySet<string> = new Set(['limit', 'offset', 'after', 'sort', 'q', 'fields', 'expand']);

/** Describes the resources of a service, with the words of its OpenAPI document. */
export class Descriptions {
  /** The document, as it is served. */
  readonly text: string;
  readonly info: OpenApi['info'];
  readonly #document: OpenApi;
  readonly #tables: readonly Table[];
  readonly #described = new Map<Table, Description>();

  constructor({ openapi, tables }: Service) {
    this.#document = JSON.parse(readFileSync(openapi, 'utf8')) as OpenApi;
    this.text = JSON.stringify(this.#document);
    this.info = this.#document.info;
    this.#tables = tables;
  }

  /** A resource in the list of all: its path, its doc, its kind, and the resource whose records have it as line items. */
  summaryOf(table: Table) {
    const parent = this.#tables.find(({ name }) => name === table.parent?.table)?.path;
    const doc = this.#record(table)?.description;
    return {
      resource: table.path,
      ...(doc !== undefined && { doc }),
      kind: kindNames[table.kind],
      ...(parent !== undefined && { parent }),
    };
  }

  /** @param may whether its reader may do an operation: the others are left out */
  of(table: Table, may: (operation: ResourceOperation) => boolean): Description {
    const all = this.#described.getOrInsertComputed(table, () => this.#describe(table));
    const allowed = new Set(operationsOf(table).flatMap((operation) => (may(operation) ? [operation.name] : [])));
    const verbs = Object.entries(all.verbs).filter(([name]) => allowed.has(name));
    const tools = all.tools.filter((name) => allowed.has(name)).map((name) => (name === 'retrieve' ? 'get' : name));
    if (verbs.length > 0) tools.push('act');
    return { ...all, tools, verbs: Object.fromEntries(verbs) };
  }

  #describe(table: Table): Description {
    const record = this.#record(table);
    const operations = operationsOf(table);
    const byName = new Map(operations.map((operation) => [operation.name, this.#documented(table, operation)]));
    const created = this.#bodyOf(byName.get('create'));
    const fields = Object.entries(record?.properties ?? {}).map(([name, schema]) => {
      const sent = this.#resolve(created?.properties?.[name] ?? schema);
      const isRequired = created?.required?.includes(name) ?? false;
      const words = this.#words({ ...this.#resolve(schema), ...sent }, isRequired);
      return [name, name === table.parent?.field ? `${words}; the id of the parent` : words] as const;
    });
    const parameters = this.#parametersOf(byName.get('list'));
    const search = parameters.find(({ name }) => name === 'q')?.description;
    const verbs = operations
      .filter(isVerb)
      .map(({ name }) => [name, this.#verb(byName.get(name) as DocumentedOperation)] as const);
    return {
      ...this.summaryOf(table),
      tools: operations.filter((operation) => !isVerb(operation)).map(({ name }) => name),
      fields: Object.fromEntries(fields),
      ...(search !== undefined && { search }),
      filters: filtersOf(parameters),
      ...this.countsOf(table),
      sort: choicesOf(parameters, 'sort').filter((name) => !name.startsWith('-')),
      expand: choicesOf([...parameters, ...this.#parametersOf(byName.get('retrieve'))], 'expand'),
      rules: record?.['x-rules'] ?? [],
      verbs: Object.fromEntries(verbs),
    };
  }

  /** The fields that a list is counted by, and those that are summed, as `counts`; nothing of one that is not counted. */
  countsOf({ path }: Table): { readonly counts?: object } {
    const counts = this.#document.paths[`${basePath}/${path}/count`]?.['get']?.['x-count'];
    return counts ? { counts } : {};
  }

  #verb(operation: DocumentedOperation): object {
    const { properties, required = [] } = this.#bodyOf(operation) ?? {};
    const input = Object.entries(properties ?? {}).map(([name, schema]) => {
      return [name, this.#words(this.#resolve(schema), required.includes(name))] as const;
    });
    // The description has them without the prefix of the document.
    const doc = (operation.description ?? '').replaceAll('`x-rules`', '`rules`');
    return { doc, ...(input.length > 0 && { input: Object.fromEntries(input) }) };
  }

  /** An object in words: `{id: text, idx: integer}`. */
  #members(properties: NonNullable<Schema['properties']>, below: number): string {
    const members = Object.entries(properties).map(
      ([name, schema]) => `${name}: ${this.#type(this.#resolve(schema), below)}`,
    );
    return `{${members.join(', ')}}`;
  }

  #parametersOf(operation: DocumentedOperation | undefined): readonly Parameter[] {
    return (operation?.parameters ?? []).map((parameter) => this.#resolve<Parameter>(parameter));
  }

  /** The schema of the records of a table. */
  #record(table: Table): Schema | undefined {
    const operation = operationsOf(table).find(({ response }) => response === 'record');
    return operation && this.#schemaIn(Object.values(this.#documented(table, operation)?.responses ?? {})[0]);
  }

  #documented({ path }: Table, operation: ResourceOperation): DocumentedOperation | undefined {
    const template = `${basePath}/${path}${operation.path.replace(':id', '{id}')}`;
    return this.#document.paths[template]?.[operation.method.toLowerCase()];
  }

  #bodyOf(operation: DocumentedOperation | undefined): Schema | undefined {
    return this.#schemaIn(operation?.requestBody);
  }

  #schemaIn(part: Content | undefined): Schema | undefined {
    const schema = part?.content?.['application/json']?.schema;
    return schema && this.#resolve(schema);
  }

  #resolve<T = Schema>(part: T | Reference): T {
    if (typeof part !== 'object' || part === null || !('$ref' in part)) return part as T;
    const { $ref: reference, ...own } = part;
    const names = reference.slice('#/'.length).split('/');
    const found = names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], this.#document);
    return { ...this.#resolve(found as T | Reference), ...own };
  }

  /** A field in words: `one of draft, submitted; read-only. The state of the claim.` */
  #words(schema: Schema, isRequired: boolean): string {
    const { readOnly: isReadOnly = false, description, default: byDefault } = schema;
    const parts = [
      this.#type(schema),
      isRequired && 'required',
      isReadOnly && 'read-only',
      ...limitsOf(schema),
      byDefault !== undefined && `by default ${JSON.stringify(byDefault)}`,
      schema['x-references'] && `references ${[schema['x-references']].flat().join(' or ')}`,
      schema['x-computed'] !== undefined && `computed: ${schema['x-computed']}`,
    ];
    const words = parts.filter((part) => typeof part === 'string').join('; ');
    return description === undefined ? words : `${words}. ${description}`;
  }

  /** @param below how deep objects are spelt out: records that show others may lead back to themselves */
  #type(schema: Schema, below = 2): string {
    if (schema.enum) return `one of ${schema.enum.join(', ')}`;
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.anyOf) return schema.anyOf.map((choice) => this.#type(this.#resolve(choice), below)).join(' or ');
    const types = [schema.type ?? 'any JSON'].flat();
    const name = (type: string): string => {
      if (type === 'object' && schema.properties && below > 0) return this.#members(schema.properties, below - 1);
      if (type === 'array')
        return `list of ${schema.items ? this.#type(this.#resolve(schema.items), below - 1) : 'any JSON'}`;
      return type === 'string' ? (schema.format ?? 'text') : type;
    };
    return types.map(name).join(' or ');
  }
}

/** Whether an operation is a verb, which the tool `act` does. */
export const isVerb = ({ action, body }: ResourceOperation): boolean => action === 'transition' || body === 'reorder';

/** The limits of a field that are not those of every field. */
function limitsOf({
  readOnly: isReadOnly = false,
  minLength,
  maxLength,
  minimum,
  maximum,
  maxItems,
  pattern,
  format,
}: Schema): string[] {
  const isBounded = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  const isOwn = pattern !== undefined && format === undefined && !isReadOnly && !pattern.startsWith('^[^\\x00]');
  return [
    minLength !== undefined && `at least ${minLength} characters`,
    maxLength !== undefined && maxLength < maxTextLength && `at most ${maxLength} characters`,
    isBounded(minimum) && `at least ${minimum}`,
    isBounded(maximum) && `at most ${maximum}`,
    maxItems !== undefined && `at most ${maxItems} entries`,
    isOwn && `matches ${pattern}`,
  ].filter((limit) => typeof limit === 'string');
}

/** The operators of each filter of a list: `status: = ne in null`. */
function filtersOf(parameters: readonly Parameter[]): Readonly<Record<string, string>> {
  const operators = new Map<string, string[]>();
  for (const { name, required: isRequired = false } of parameters.filter(
    (parameter) => !controls.has(parameter.name),
  )) {
    const [, field = name, operator] = /^(.+)\[(\w+)\]$/.exec(name) ?? [];
    const known = operators.getOrInsertComputed(field, () => []);
    known.push(operator ?? (isRequired ? '= (required)' : '='));
  }
  return Object.fromEntries([...operators].map(([field, names]) => [field, names.join(' ')]));
}

/** The values that a parameter chooses from. */
function choicesOf(parameters: readonly Parameter[], wanted: string): readonly string[] {
  const { schema } = parameters.find(({ name }) => name === wanted) ?? {};
  return (schema?.items as Schema | undefined)?.enum ?? [];
}
