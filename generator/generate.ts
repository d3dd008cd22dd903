import { readService } from './check/service.ts';
import type { Diagnostic } from './read/diagnostic.ts';
import { emitApp, emitResources, emitRoutesList, emitServer, emitTables } from './emit/app.ts';
import { emitClient, emitResourceClient } from './emit/client.ts';
import { printFiles, type TypeScriptFile } from './emit/file.ts';
import { emitOpenApi } from './emit/openapi.ts';
import { emitRoutes } from './emit/routes.ts';
import { emitRules } from './emit/rules.ts';
import { emitSchema } from './emit/schema.ts';
import { emitSql } from './emit/sql.ts';
import { keepEqual, memoize } from './model/memory.ts';
import type { Resource, Service } from './model/model.ts';

/** The content of a file, or a TypeScript file that is still to be printed, together with others. */
type Emitted = string | TypeScriptFile;

/** The emitters of a resource's files, by the suffix that its key, like `crm/lead`, gets; undefined for no file. */
const perResource: Readonly<Record<string, (resource: Resource) => Emitted | undefined>> = {
  '.schema.ts': emitSchema,
  '.rules.ts': emitRules,
  '.routes.ts': emitRoutes,
  '.client.ts': emitResourceClient,
};

/** The emitters of the service's files, by path. They give none if the service does not need it. */
const perService: Readonly<Record<string, (service: Service) => Emitted | undefined>> = {
  'resources.ts': emitResources,
  'routes.ts': emitRoutesList,
  'tables.ts': emitTables,
  'app.ts': emitApp,
  'server.ts': emitServer,
  'client.ts': emitClient,
  'openapi.json': emitOpenApi,
  'schema.sql': emitSql,
};

/** The generated files, and the diagnostics of the spec. */
export interface Generated {
  /** Contents by path inside of `generated/`, like `crm/lead.schema.ts`; empty where there are errors. */
  readonly files: ReadonlyMap<string, string>;
  /** Errors and warnings, in order. */
  readonly diagnostics: readonly Diagnostic[];
  /** The model that the files are made from; undefined where there are errors. */
  readonly service: Service | undefined;
}

/**
 * Generates all files of a service. It reads and writes nothing, and the same specs always give the same files; again in the same
 * process, it makes only those of the resources that have changed.
 *
 * @param specs contents by path, like `spec/crm/lead.yaml`
 */
export async function generate(specs: ReadonlyMap<string, string>): Promise<Generated> {
  const { service: read, diagnostics } = readService(specs);
  if (!read) return { files: new Map(), diagnostics, service: undefined };
  const service = { ...read, resources: read.resources.map(keepResource) };
  return { files: await printAll(emit(service)), diagnostics, service };
}

const keepResource = keepEqual<Resource>(({ key }) => key);

/** The files of a resource, by path. */
const emitResource = memoize((resource: Resource) =>
  Object.entries(perResource).map(([suffix, emitFile]) => [resource.key + suffix, emitFile(resource)] as const),
);

function emit(service: Service): Map<string, Emitted> {
  const emitted = new Map<string, Emitted>();
  const add = (path: string, file: Emitted | undefined): void => {
    if (file !== undefined) emitted.set(path, file);
  };
  for (const resource of service.resources) for (const [path, file] of emitResource(resource)) add(path, file);
  for (const [path, emitFile] of Object.entries(perService)) add(path, emitFile(service));
  return emitted;
}

async function printAll(emitted: ReadonlyMap<string, Emitted>): Promise<Map<string, string>> {
  const files = [...emitted.values()].flatMap((file) => (typeof file === 'string' || printed.has(file) ? [] : [file]));
  for (const [index, text] of (await printFiles(files)).entries()) printed.set(files[index]!, text);
  return new Map(
    [...emitted].map(([path, file]) => [path, typeof file === 'string' ? file : (printed.get(file) ?? '')]),
  );
}

/** The texts of files that are printed. */
const printed = new WeakMap<TypeScriptFile, string>();
