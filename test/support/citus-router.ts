/** The rules of Citus' router for statements, checked on a plain PostgreSQL. */
import { Client } from 'pg';

/** A node of a query tree as PostgreSQL prints it, `{NAME :key value …}`, or a part of one. */
interface Node {
  readonly name: string;
  readonly fields: ReadonlyMap<string, Tree[]>;
}
type Tree = string | Node | readonly Tree[];

const isNode = (tree: Tree): tree is Node => typeof tree === 'object' && 'fields' in tree;

function parse(text: string): Tree {
  const tokens = text.matchAll(/[(){}]|(?:\\.|[^\s(){}\\])+/g);
  const next = (): string => tokens.next().value?.[0] ?? ')';
  const read = (token: string): Tree => {
    if (token === '(') {
      const list: Tree[] = [];
      for (let item = next(); item !== ')'; item = next()) list.push(read(item));
      return list;
    }
    if (token !== '{') return token;
    const name = next();
    const fields = new Map<string, Tree[]>();
    let key = '';
    for (let item = next(); item !== '}'; item = next()) {
      if (item.startsWith(':')) fields.set((key = item.slice(1)), []);
      else fields.get(key)?.push(read(item));
    }
    return { name, fields };
  };
  return read(next());
}

const partsOf = (tree: Tree): readonly Tree[] => {
  if (typeof tree === 'string') return [];
  return isNode(tree) ? [...tree.fields.values()].flat() : tree;
};

/** All nodes of a tree; those of subqueries only if they are wanted. */
function* nodesOf(tree: Tree, withSubqueries: boolean): Generator<Node> {
  if (isNode(tree)) {
    if (tree.name === 'SUBLINK' && !withSubqueries) return;
    yield tree;
  }
  for (const part of partsOf(tree)) yield* nodesOf(part, withSubqueries);
}

const field = (node: Node, name: string): Tree => node.fields.get(name)?.[0] ?? '';

const typeFields = ['vartype', 'paramtype', 'consttype', 'funcresulttype', 'opresulttype', 'resulttype', 'casetype'];

/** The functions and types of a plain PostgreSQL, by their oids. */
interface Catalog {
  /** Name and volatility (`i`, `s` or `v`) of each function. */
  readonly functions: ReadonlyMap<string, readonly [name: string, volatility: string]>;
  /** The functions that read a value of a type, and print it. */
  readonly conversions: ReadonlyMap<string, readonly [input: string, output: string]>;
}

async function readCatalog(client: Client): Promise<Catalog> {
  const functions = await client.query<string[]>({
    text: 'select oid::text, proname, provolatile from pg_proc',
    rowMode: 'array',
  });
  const types = await client.query<string[]>({
    text: 'select oid::text, typinput::oid::text, typoutput::oid::text from pg_type',
    rowMode: 'array',
  });
  return {
    functions: new Map(functions.rows.map(([oid = '', name = '', volatility = '']) => [oid, [name, volatility]])),
    conversions: new Map(types.rows.map(([oid = '', input = '', output = '']) => [oid, [input, output]])),
  };
}

/** The functions that a node calls itself. */
function functionsOf(node: Node, { functions, conversions }: Catalog): (readonly [name: string, volatility: string])[] {
  if (node.name === 'SQLVALUEFUNCTION') return [['current_…', 's']];
  const called = ['funcid', 'opfuncid', 'aggfnoid', 'winfnoid'].map((name) => field(node, name));
  if (node.name === 'COERCEVIAIO') {
    const argument = field(node, 'arg');
    const type = isNode(argument) ? typeFields.map((name) => field(argument, name)).find((one) => one !== '') : '';
    called.push(
      conversions.get(String(field(node, 'resulttype')))?.[0] ?? '',
      conversions.get(String(type))?.[1] ?? '',
    );
  }
  return called.flatMap((oid) => {
    const found = functions.get(String(oid));
    return found ? [found] : [];
  });
}

const update = '2';
const insert = '3';
const remove = '4';

/** Why the router refuses a query, or one of its CTEs. */
function refusalsOf(query: Node, catalog: Catalog): string[] {
  const command = field(query, 'commandType');
  const ctes = [...nodesOf(field(query, 'cteList'), false)].filter(({ name }) => name === 'COMMONTABLEEXPR');
  const refusals = ctes.flatMap((cte) => {
    const inner = field(cte, 'ctequery') as Node;
    return [...(field(inner, 'commandType') === insert ? ['an insert in a CTE'] : []), ...refusalsOf(inner, catalog)];
  });
  if (![update, insert, remove].includes(String(command))) return refusals;
  const named = (nodes: Iterable<Node>, volatilities: string): string[] =>
    [...nodes]
      .flatMap((node) => functionsOf(node, catalog))
      .flatMap(([name, volatility]) => (volatilities.includes(volatility) ? [name] : []));
  // Expressions over the columns of the table that is written to; a subquery is evaluated where the rows are.
  const own = ['targetList', 'jointree', 'onConflict', 'returningList'].flatMap((name) => [
    ...nodesOf(field(query, name), false),
  ]);
  // The calls in an insert are evaluated before it is sent on.
  const changing = command === insert ? [] : own;
  const mutable = named(changing, 's').map((name) => `the STABLE function ${name} outside a subquery of a write`);
  // Citus evaluates what names no column before it sends a write on, and takes the value of the CASE for null there.
  const cases = own.filter(({ name }) => name === 'CASETESTEXPR').map(() => 'a CASE of a value in a write');
  const volatile = named(command === insert ? [] : nodesOf(query, true), 'v').map(
    (name) => `the VOLATILE function ${name} in a write`,
  );
  const hasSubquery = field(query, 'hasSubLinks') === 'true' || ctes.length > 0;
  const nested = command === insert && hasSubquery ? ['a subquery or a CTE in an insert'] : [];
  return [...refusals, ...mutable, ...cases, ...volatile, ...nested];
}

/** Its form without names and numbers: statements that differ in them alone are one. */
const shapeOf = (text: string): string => text.replaceAll(/"[^"]*"|'[^']*'|[\d$]+/g, '').replaceAll(/(, )+/g, ', ');

/** Why Citus plans a query at each execution; undefined if it is fast path: it keeps the plan then. */
function slownessOf(query: Node): string | undefined {
  const isEmpty = (name: string): boolean => nodesOf(field(query, name), false).next().done === true;
  if (!isEmpty('cteList')) return 'a CTE';
  if (field(query, 'hasSubLinks') === 'true') return 'a subquery in an expression';
  if (!isEmpty('setOperations')) return 'a union';
  if (field(query, 'hasTargetSRFs') === 'true') return 'an expression of several rows';
  // PostgreSQL 15 prints the long name.
  const relations = [...nodesOf(field(query, 'rtable'), false)].filter(({ name }) =>
    /^RTE$|^RANGETBLENTRY$/.test(name),
  );
  if (relations.some((one) => field(one, 'rtekind') === '1')) return 'a subquery instead of a table';
  if (field(query, 'commandType') === insert) return undefined;
  if (relations.length !== 1) return 'several tables';
  const organizations = [...nodesOf(field(query, 'jointree'), false)].filter(
    (one) => one.name === 'VAR' && field(one, 'varattno') === '1',
  );
  return organizations.length === 1 ? undefined : `${organizations.length} conditions on the organization`;
}

/** The trees of statements; of those that differ only in names, of one. */
async function* treesOf(url: string, statements: Iterable<string>): AsyncGenerator<readonly [text: string, Node]> {
  await using client = Object.assign(new Client(url), { [Symbol.asyncDispose]: () => client.end() });
  await client.connect();
  // Never committed.
  await client.query('begin');
  for (const text of new Map([...statements].map((one) => [shapeOf(one), one])).values()) {
    await client.query(`prepare _one as ${text}`);
    const prepared = await client.query<{ types: string[] }>(
      `select parameter_types::text[] as types from pg_prepared_statements where name = '_one'`,
    );
    await client.query('deallocate _one');
    // The server keeps the tree of a function's statement, and shows it. A function has at most 100 parameters.
    const types = prepared.rows[0]?.types ?? [];
    const statement = text.replace(/\$(\d+)/g, (_, n: string) => `cast(null as ${types[Number(n) - 1]})`);
    await client.query(`create function pg_temp._one() returns void language sql begin atomic ${statement}; end`);
    const { rows } = await client.query<{ tree: string }>(
      `select prosqlbody::text as tree from pg_proc where proname = '_one' and pronamespace = pg_my_temp_schema()`,
    );
    await client.query('drop function pg_temp._one');
    const query = nodesOf(parse(rows[0]?.tree ?? ''), false).find(({ name }) => name === 'QUERY');
    if (!query) throw new Error(`No query was found in the tree of: ${text}`);
    yield [text, query];
  }
}

/**
 * The statements that Citus' router refuses, and why; of those that differ only in names, one. That each is about one
 * organization is another check.
 */
export async function refusedByRouter(url: string, statements: Iterable<string>): Promise<string[]> {
  await using client = Object.assign(new Client(url), { [Symbol.asyncDispose]: () => client.end() });
  await client.connect();
  const catalog = await readCatalog(client);
  const refused: string[] = [];
  for await (const [text, query] of treesOf(url, statements)) {
    refused.push(...refusalsOf(query, catalog).map((reason) => `${reason}: ${text}`));
  }
  return refused;
}

/** The statements that Citus plans at each execution, and why; of those that differ only in names, one. */
export async function plannedByCitus(
  url: string,
  statements: Iterable<string>,
): Promise<{ readonly text: string; readonly reason: string }[]> {
  const planned: { text: string; reason: string }[] = [];
  for await (const [text, query] of treesOf(url, statements)) {
    const reason = slownessOf(query);
    if (reason !== undefined) planned.push({ text, reason });
  }
  return planned;
}

/** The statements on records that are sent to PostgreSQL until its scope ends. */
export function recordStatements(): Disposable & { readonly texts: ReadonlySet<string> } {
  const texts = new Set<string>();
  const { query } = Client.prototype;
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const [first] = args as [string | { readonly text?: string }];
    const text = typeof first === 'string' ? first : (first.text ?? '');
    if (/^(?:select|insert|update|delete|with) .*"_organization"/s.test(text)) texts.add(text);
    return query.apply(this, args as never);
  } as typeof query;
  return {
    texts,
    [Symbol.dispose]() {
      Client.prototype.query = query;
    },
  };
}
