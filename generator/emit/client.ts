import { basePath } from '../../runtime/kernel/model/operations.ts';
import { ownCodes } from '../model/hooks.ts';
import { areaOf, expandable, shownReferences, type Resource, type Service, targetsOf } from '../model/model.ts';
import { camelCase } from '../model/names.ts';
import { folders } from '../read/paths.ts';
import { operationsFunction } from './client/operations.ts';
import { bodyTypes, inputTypes, queryTypes, recordType } from './client/types.ts';
import { docComment, importAll, importOf, type TypeScriptFile } from './file.ts';
import { ownUnion, print, string } from './expression.ts';
import { clientAt, clientBeside, identifiers, moduleOf, rulesAt } from './identifiers.ts';
import { hasLogic } from './rules.ts';

/** Under one name, so that no type of a resource hides one of the client's. */
const importClient = (depth: number) => importAll(clientAt(depth), 'client');

/** `<area>/<resource>.client.ts`: the record as plain types, and what a client can do with it. */
export function emitResourceClient(resource: Resource): TypeScriptFile {
  const expanded = [
    ...expandable(resource),
    ...shownReferences(resource)
      .flatMap(targetsOf)
      .map(({ resource: key, table }) => ({ key, name: table })),
  ].filter(({ key }) => key !== resource.key);
  const items = [...new Map(expanded.map((other) => [other.key, other])).values()].map((other) =>
    importOf(clientBeside(resource, other), [identifiers(other).type], { types: true }),
  );
  const bodies = bodyTypes(resource);
  return {
    source: resource.source,
    imports: [importClient(1), ...items],
    groups: [
      [recordType(resource)],
      ...(bodies.length > 0 ? [bodies] : []),
      ...[...inputTypes(resource), ...queryTypes(resource)].map((type) => [type]),
      [operationsFunction(resource)],
    ],
  };
}

/** Exports of the rules, and of the function that tells which of them a record would break. */
function exportedRules(resources: readonly Resource[]): string[][] {
  const rules = resources
    .filter(hasLogic)
    .map((resource) => `export { ${identifiers(resource).logic} } from '${moduleOf(resource, 'rules')}';`);
  return rules.length === 0 ? [] : [[`export { violationsOf } from '${rulesAt(0)}';`, ...rules]];
}

/** The failures of the client: with the codes of hooks, if there are any. */
function exportedFailures(resources: readonly Resource[]): string[][] {
  const codes = ownCodes(resources);
  const types = ['ClientOptions', ...(codes.length === 0 ? ['Problem'] : [])].map((name) => `type ${name}`);
  const exported = [...(codes.length === 0 ? ['ApiFailure'] : []), ...types].join(', ');
  const codeTypes = [
    [
      docComment('The codes that hooks refuse writes with.'),
      print(['type OwnCode =', ownUnion(codes.map(string)), ';']),
    ],
    [
      'export type Problem = client.Problem<OwnCode>;',
      'export type ApiFailure = client.FailureOf<OwnCode>;',
      'export const ApiFailure: client.FailureClass<OwnCode> = client.ApiFailure;',
    ],
  ];
  return [
    ...(codes.length === 0 ? [] : codeTypes),
    [
      `export { ${exported} } from '${clientAt(0)}';`,
      ...resources.map((resource) => `export type * from '${moduleOf(resource, 'client')}';`),
    ],
  ];
}

/** `client.ts`: the operations of every resource, by area. */
export function emitClient({ title, resources }: Service): TypeScriptFile {
  const areas = Map.groupBy(resources, (resource) => camelCase(areaOf(resource)));
  const properties = [...areas].flatMap(([area, members]) => [
    `  ${area}: {`,
    ...members.map(
      (resource) => `    ${camelCase(resource.name)}: ${identifiers(resource).client.operations}(requests),`,
    ),
    '  },',
  ]);
  return {
    source: `${folders.spec}/`,
    imports: [
      importClient(0),
      ...resources.map((resource) => importOf(moduleOf(resource, 'client'), [identifiers(resource).client.operations])),
    ],
    groups: [
      ['const resources = (requests: client.Requests) => ({', ...properties, '});'],
      [
        docComment(`Makes a client of ${title}.`),
        `export const createClient = (options: client.ClientOptions) => client.connect(options, '${basePath}', resources);`,
      ],
      ...exportedFailures(resources),
      ...exportedRules(resources),
    ],
  };
}
