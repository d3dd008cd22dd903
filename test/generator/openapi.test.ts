import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generate } from '../../generator/generate.ts';
import { firstService } from '../../generator/model/template.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import { Document, type Schema } from '../document/document.ts';
import { modelled } from '../service/resources.ts';
import { testProject } from '../support/server.ts';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly 'x-transition'?: unknown;
  readonly 'x-filters'?: Readonly<Record<string, readonly string[]>>;
  readonly 'x-sort'?: readonly string[];
}

interface Extended {
  readonly tags: readonly { readonly name: string; readonly 'x-resource'?: { readonly path: string } }[];
  readonly 'x-tagGroups': readonly { readonly name: string; readonly tags: readonly string[] }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<
      Record<string, { readonly properties?: Readonly<Record<string, { readonly examples?: readonly unknown[] }>> }>
    >;
  };
}

const text = readFileSync(join(testProject, 'generated/openapi.json'), 'utf8');
const document = JSON.parse(text) as Extended;
const described = new Document(text);
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));

const resourceOf = (tag: string): unknown => document.tags.find(({ name }) => name === tag)?.['x-resource'];

test('every tag is in one group, and every operation has one of them', () => {
  const tags = document.tags.map(({ name }) => name);
  expect(document['x-tagGroups'].flatMap((group) => group.tags)).toEqual(tags);
  for (const operation of operations) {
    expect(operation.tags).toHaveLength(1);
    expect(tags).toContain(operation.tags[0]);
  }
});

test('a tag tells what its resource is', () => {
  expect(resourceOf('Order')).toEqual({
    path: '/api/sales/order',
    kind: 'record',
    name: 'order',
    plural: 'Orders',
    columns: ['status', 'ordered_on', 'company', 'currency', 'contact', 'due_on'],
  });
  for (const { 'x-resource': resource } of document.tags)
    if (resource) expect(document.paths).toHaveProperty([resource.path]);
});

test('line items name their parent, as far as this service knows it', () => {
  const parents = document.tags.flatMap(({ 'x-resource': resource }) =>
    resource && 'parent' in resource ? [resource.parent] : [],
  );
  expect(parents).toContainEqual({ field: 'order_id', path: '/api/sales/order' });
  expect(parents).toContainEqual({ field: 'parent_id', type_field: 'parent_type' });
});

test('a list tells what it is filtered and sorted by, as its parameters do', () => {
  const lists = operations.filter((operation) => operation['x-filters']);
  expect(lists).toHaveLength(modelled.filter((resource) => resource.operations.includes('list')).length);
  for (const { operationId, 'x-filters': filters = {}, 'x-sort': sort = [] } of lists) {
    const { parameters = [] } = described.operations.find(({ id }) => id === operationId) ?? {};
    const names = Object.entries(filters).flatMap(([name, forms]) =>
      forms.map((form) => (form === 'eq' ? name : `${name}[${form}]`)),
    );
    const own = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    const others = new Set(['limit', 'offset', 'fields', 'expand', 'after', 'parent_id', 'q', 'sort']);
    expect(own.filter((name) => !others.has(name)).toSorted()).toEqual(names.toSorted());
    const sorts = parameters.find(({ name }) => name === 'sort')?.schema.items?.enum;
    expect(sorts).toEqual(sort.flatMap((name) => [name, `-${name}`]));
  }
});

test('a transition tells the states that it leads from and to', () => {
  const transitions = operations.flatMap((operation) => operation['x-transition'] ?? []);
  expect(transitions).toContainEqual({ field: 'status', from: ['draft'], to: 'submitted' });
});

describe('is readable like documentation', () => {
  test('every operation has words of its own, and every body an example', () => {
    for (const operation of described.operations) {
      expect(operation.summary, operation.id).toMatch(/^[A-Z].*[^.]$/);
      expect(operation.description, operation.id).toMatch(/^[A-Z].*\.$/);
      if (operation.bodies.length > 0) expect(operation.example, operation.id).toBeDefined();
    }
  });

  test('every parameter has a description and an example', () => {
    for (const { id, parameters } of described.operations) {
      for (const { name, description, example, schema } of parameters) {
        expect(description, `${name} of ${id}`).toMatch(/^[A-Z1].*\.$/);
        const { examples = [] } = described.resolve(schema.items ?? schema) as Schema;
        expect(example ?? examples[0], `${name} of ${id}`).toBeDefined();
      }
    }
  });

  test('every status has a description, every error an example, and the default is a problem', () => {
    for (const { id, responses } of described.operations) {
      expect(Object.keys(responses), id).toEqual(expect.arrayContaining(['401', '429', '500', '503', 'default']));
      for (const [status, { description, content }] of Object.entries(responses)) {
        expect(description, `${status} of ${id}`).toMatch(/\.$/);
        if (status === '304') continue;
        const isError = !status.startsWith('2');
        expect(Object.keys(content ?? {})).toEqual([isError ? 'application/problem+json' : 'application/json']);
        if (isError) expect(Object.values(content ?? {})[0]?.example, `${status} of ${id}`).toBeDefined();
      }
    }
  });

  test('every field of a record has an example, and answers take more fields as the service grows', () => {
    for (const { id, responses } of described.operations) {
      const { schema = {} } = Object.values(responses['200']?.content ?? responses['201']?.content ?? {})[0] ?? {};
      const answer = described.resolve(schema) as Schema;
      expect(answer.additionalProperties, id).not.toBe(false);
      if (answer.properties?.['created_at'] === undefined) continue;
      for (const [name, field] of Object.entries(answer.properties)) {
        const { anyOf, properties, examples } = described.resolve(field) as Schema;
        if (!anyOf && !properties) expect(examples, `${name} of ${id}`).toHaveLength(1);
      }
    }
  });
});

test('every array tells its items, and every object its members: clients that are made from it need both', () => {
  const isExample = (key: string): boolean => key === 'example' || key === 'examples';
  const silent = (value: unknown, at: string): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const { type, items, properties, additionalProperties } = value as Schema;
    const tells = [type].flat().every((one) => {
      if (one === 'array') return items !== undefined;
      return one !== 'object' || (properties ?? additionalProperties) !== undefined;
    });
    const inner = Object.entries(value).filter(([key]) => !isExample(key));
    return [...(tells ? [] : [at]), ...inner.flatMap(([key, one]) => silent(one, `${at}/${key}`))];
  };
  expect(silent(document, '')).toEqual([]);
});

test('lists and reorders are named by plurals, and all else by one record', () => {
  const ids = operations.map(({ operationId }) => operationId);
  expect(ids).toEqual(expect.arrayContaining(['listOrders', 'createOrder', 'reorderBomItems', 'submitOrder']));
});

/** The document of a service with these resources. */
async function documentOf(resources: Readonly<Record<string, string>>): Promise<string> {
  const specs = Object.entries(resources).map(([key, spec]) => [`spec/${key}.yaml`, spec] as const);
  return (
    (await generate(new Map([['spec/service.yaml', firstService('library')], ...specs]))).files.get('openapi.json') ??
    ''
  );
}

const record = 'doc: One.\nfields: { name }\n';

test('operation ids are unique, even if a resource has the name of a route of the service', async () => {
  const { paths } = JSON.parse(await documentOf({ 'crm/key': `kind: record\n${record}` })) as Extended;
  const ids = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
  expect(ids).toContain('retrieveKey');
  expect(new Set(ids).size).toBe(ids.length);
});

test('a field has the example of its spec, else its default, else one that its type and name suggest', async () => {
  const spec = `kind: record
doc: One.
fields:
  stage: { enum: [open, won], example: won }
  due_on: { format: date, example: 2027-03-01 }
  code: { pattern: '^[A-Z]{2}-\\d+$', min_length: 6 }
  email:
  note: { default: none }
  score: { type: integer, max: 9, example: 3 }
`;
  const { Lead } = (JSON.parse(await documentOf({ 'crm/lead': spec })) as Extended).components.schemas;
  const examples = Object.entries(Lead?.properties ?? {}).map(([name, field]) => [name, field.examples?.[0]]);
  expect(Object.fromEntries(examples)).toMatchObject({
    stage: 'won',
    due_on: '2027-03-01',
    code: 'AA-000',
    email: 'amara.kaya@alder-foods.example',
    note: 'none',
    score: 3,
  });
});

test('the contact of the service and the titles of its areas are in the document', async () => {
  const service = `${firstService('library')}contact: { name: Help, email: help@example.com }\nareas: { shelf: Shelves }\n`;
  const specs = [['spec/shelf/book.yaml', `kind: record\n${record}`]] as const;
  const whole = (await generate(new Map([['spec/service.yaml', service], ...specs]))).files.get('openapi.json') ?? '';
  expect(whole).toContain('"contact": { "name": "Help", "email": "help@example.com" }');
  expect(whole).toContain('Shelves');
});

describe('examples of what no resource owns name the service', () => {
  const book = `kind: record\n${record}`;
  const rules = `kind: singleton\n${record}`;

  test('and a resource that it creates', async () => {
    const whole = await documentOf({ 'desk/rules': rules, 'shelf/book': book });
    expect(whole).toContain('"/api/shelf/book/book_');
    expect(whole).toContain('needs the scope shelf/book:write.');
    expect(whole).toContain('realm=\\"library\\"');
    expect(whole).not.toContain('crm/lead');
  });

  test('and a resource that it has, if it creates none', async () => {
    expect(await documentOf({ 'desk/rules': rules })).toContain('needs the scope desk/rules:read.');
    const deleted = await documentOf({ 'shelf/book': `operations: [delete]\n${book}` });
    expect(deleted).toContain('needs the scope shelf/book:write.');
  });
});

// The examples of a service name the parent with the shortest body: only a new one that is shorter changes them.
test.each([
  ['a record', 'crm/contact', []],
  ['settings', 'billing/billing-settings', []],
  ['a line item whose parent is no resource', 'manufacturing/b-o-m-item', []],
  // The parent's delete and `expand` name it.
  [
    'a line item',
    'register/seat',
    [/"Deletes the record for good/, /"Records that reference it in each/, /"enum": \["loans", "referrer_id"\]/],
  ],
])('the document with %s more has all lines that it had', async (_, key, others) => {
  const specs = new Map(readSpecs(testProject));
  specs.delete(`spec/${key}.yaml`);
  const { files, diagnostics } = await generate(specs);
  expect(diagnostics).toEqual([]);
  const linesOf = (json = ''): string[] => json.split('\n').map((line) => line.replace(/,$/, ''));
  const left = Map.groupBy(linesOf(text), (line) => line);
  const changed = linesOf(files.get('openapi.json')).filter((line) => left.get(line)?.pop() === undefined);
  expect(changed).toEqual(others.map((pattern) => expect.stringMatching(pattern)));
});
