import { type Argument, type Call, Constant } from '../model/calls.ts';
import { listKeys } from '../model/language.ts';
import { hookOperations } from '../model/hooks.ts';
import { type Hooks, referencesOf, type Resource, segmentOf } from '../model/model.ts';
import { inputName } from '../model/names.ts';
import { isListed, takes } from '../model/operations.ts';
import { serviceFile } from '../read/paths.ts';
import { inputShapeOf, shapeOf, tableFunction, tableOptions, traitsOf } from './shape.ts';
import {
  aligned,
  array,
  call,
  type Expression,
  literal,
  mapValues,
  object,
  print,
  string,
  typeAlias,
  typeArguments,
  union,
} from './expression.ts';
import { docComment, importOf, type TypeScriptFile } from './file.ts';
import { hasLogic } from './rules.ts';
import { bodyFunctions, identifiers, runtimeAt } from './identifiers.ts';

function fieldLines({ name, call: made, field }: ReturnType<typeof shapeOf>[number]): string {
  const line = print(aligned(2, [name, ': ', literal(made), ',']));
  const constant = field?.constant && `The default is the constant ${field.constant} of ${serviceFile()}.`;
  const type = field?.type === 'list' ? field.of : field;
  const values = type?.type === 'enum' && type.from && `The values are the enum ${type.from} of ${serviceFile()}.`;
  const doc = [field?.doc, values, constant].filter(Boolean).join(' ');
  return doc === '' ? line : `${docComment(doc, '  ')}\n${line}`;
}

/** A schema of an object: every field once, on its line. */
const objectLines = (doc: string, name: string, shape: ReturnType<typeof shapeOf>): string =>
  [docComment(doc), `export const ${name} = z.strictObject({`, ...shape.map(fieldLines), '});'].join('\n');

/** `16 * 1024 * 1024` reads better than 16777216. */
const bytes = (size: number): string => {
  const power = size % 1024 ** 2 === 0 ? 2 : size % 1024 === 0 ? 1 : 0;
  return String(size / 1024 ** power) + ' * 1024'.repeat(power);
};

/** The helpers that a file imports by name. */
const namedHelpers = (made: Call): string[] => [
  ...(made.isNamed ? [made.helper] : []),
  ...(made.wrapped ? namedHelpers(made.wrapped) : []),
];

/** The call that makes the query of a list; each kind of fields is on its line. */
function queryCall(resource: Resource): Expression {
  const { type } = identifiers(resource);
  // Each list can be filtered by references.
  const references = new Set(referencesOf(resource).map(({ name }) => name));
  const list = { ...resource.list, filter: resource.list.filter.filter((name) => !references.has(name)) };
  const declared = ([...listKeys, 'ignoreCase'] as const).filter((key) => list[key]?.length);
  if (declared.length === 0) return call('query', [type]);
  const fields = Object.fromEntries(declared.map((key) => [key, literal(list[key] ?? [])]));
  return call('query', [type, object(fields, { open: true })], { hugLast: true });
}

/**
 * `<area>/<resource>.schema.ts`: every field once, on its line; the shapes of create and update, and the table, are
 * derived from it.
 */
export function emitSchema(resource: Resource): TypeScriptFile {
  const makeTable = tableFunction(resource.kind);
  const names = identifiers(resource);
  const shape = shapeOf(resource);
  const inputs = resource.transitions.filter(({ input }) => input);
  const bodies = (Object.keys(bodyFunctions) as (keyof typeof bodyFunctions)[]).flatMap((body) => {
    const make = takes(resource, body) ? bodyFunctions[body] : undefined;
    return make === undefined ? [] : [{ name: names.bodies[body], make }];
  });
  const isInList = isListed(resource);
  const written: Readonly<Record<string, Argument>> = tableOptions(resource);
  const options = mapValues(written, (value) => (typeof value === 'number' ? bytes(value) : literal(value)));
  const isChecked = hasLogic(resource);
  const traits = traitsOf(resource, (move) => new Constant(inputName(resource, move)));
  const allTraits = [
    ...(isInList ? [call('listed', [names.query])] : []),
    ...(isChecked ? [call('ruled', [names.logic])] : []),
    ...traits.map(literal),
  ];
  const args = [
    string(resource.name),
    names.type,
    object(options),
    ...(allTraits.length > 0 ? [array(allTraits)] : []),
  ];
  const table = call(makeTable, args, { hugLast: true });
  const constants = [
    ...bodies.map(({ name, make }) => [name, call(make, [names.type])] as const),
    ...(isInList ? [[names.query, queryCall(resource)] as const] : []),
    [names.table, table] as const,
  ];
  const hooks = resource.hooks && [hooksType(resource, resource.hooks)];
  return {
    source: resource.source,
    imports: [
      importOf('zod', ['z']),
      importOf(
        runtimeAt(1),
        new Set([
          'field',
          makeTable,
          ...[...shape, ...inputs.flatMap(inputShapeOf)].flatMap((entry) => namedHelpers(entry.call)),
          ...traits.flatMap(namedHelpers),
          ...bodies.map(({ make }) => make),
          ...(isInList ? ['query', 'listed'] : []),
          ...(isChecked ? ['ruled'] : []),
          ...(hooks ? ['type Hooks'] : []),
        ]),
      ),
      ...(isChecked ? [importOf(`./${segmentOf(resource)}.rules.ts`, [names.logic])] : []),
      ...(hooks ? [importOf('../resources.ts', ['Resources'], { types: true })] : []),
    ],
    groups: [
      [
        objectLines(resource.doc, names.type, shape),
        print([`export type ${names.type} = `, typeArguments('z.infer', `typeof ${names.type}`), ';']),
      ],
      ...inputs.map((transition) => [
        objectLines(`The input of ${transition.name}.`, inputName(resource, transition), inputShapeOf(transition)),
      ]),
      constants.map(([name, expression]) => print([`export const ${name} = `, expression, ';'])),
      ...(hooks ? [hooks] : []),
    ],
  };
}

/** The type of the module of a resource's hooks. */
function hooksType(resource: Resource, { codes }: Hooks): string {
  const unionOf = (texts: readonly string[]): Expression => union(texts.map(string));
  const codeNames = Object.keys(codes);
  const operations = unionOf(hookOperations(resource));
  const args = [string(resource.key), operations, ...(codeNames.length > 0 ? [unionOf(codeNames)] : [])];
  return print(typeAlias(identifiers(resource).hooks, typeArguments('Hooks', 'Resources', ...args)));
}
