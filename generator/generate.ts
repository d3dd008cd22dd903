import { Reader, readService } from './check/service.ts';
import type { Diagnostic } from './read/diagnostic.ts';
import { emitApp, emitResources, emitRoutesList, emitServer, emitTables } from './emit/app.ts';
import { emitClient, emitResourceClient } from './emit/client.ts';
import { printFiles, type TypeScriptFile } from './emit/file.ts';
import { emitOpenApi } from './emit/openapi.ts';
import { emitRoutes } from './emit/routes.ts';
import { emitRules } from './emit/rules.ts';
import { emitSchema } from './emit/schema.ts';
import { emitSql } from './emit/sql.ts';
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
}

/**
 * Generates all files of a service. It reads and writes nothing, and the same specs always give the same files.
 *
 * @param specs contents by path, like `spec/crm/lead.yaml`
 */
export const generate = (specs: ReadonlyMap<string, string>): Generated => new Generator().generate(specs);

/** A generator for several runs: a later one reads and prints again only what an edit touches. */
export class Generator {
  readonly #reader = new Reader();
  /** The last service without errors. */
  service: Service | undefined;
  /** The resources of the last run, each with its JSON, and the files. */
  #resources: ReadonlyMap<string, { readonly resource: Resource; readonly json: string }> = new Map();
  #files: ReadonlyMap<string, string> = new Map();

  /** Does the same as the function `generate`. */
  generate(specs: ReadonlyMap<string, string>): Generated {
    const { service, diagnostics } = readService(specs, this.#reader);
    this.service = service ?? this.service;
    return { files: service ? this.#emit(service) : new Map(), diagnostics };
  }

  #emit(service: Service): ReadonlyMap<string, string> {
    const last = this.#resources;
    // A resource that has not changed is the same object as in the last run: emitters keep what they make of one.
    this.#resources = new Map(
      service.resources.map((resource) => {
        const json = JSON.stringify(resource);
        const before = last.get(resource.key);
        return [resource.key, before?.json === json ? before : { resource, json }];
      }),
    );
    const emitted = new Map<string, Emitted>();
    for (const [key, entry] of this.#resources) {
      for (const [suffix, emit] of Object.entries(perResource)) {
        const printed = entry === last.get(key) ? this.#files.get(key + suffix) : undefined;
        const file = printed ?? emit(entry.resource);
        if (file !== undefined) emitted.set(key + suffix, file);
      }
    }
    const resources = [...this.#resources.values()].map(({ resource }) => resource);
    for (const [path, emit] of Object.entries(perService)) {
      const file = emit({ ...service, resources });
      if (file !== undefined) emitted.set(path, file);
    }
    this.#files = printAll(emitted);
    return this.#files;
  }
}

function printAll(emitted: ReadonlyMap<string, Emitted>): Map<string, string> {
  const unprinted = [...emitted].filter((entry): entry is [string, TypeScriptFile] => typeof entry[1] !== 'string');
  const printed = printFiles(unprinted.map(([, file]) => file));
  const contents = new Map(unprinted.map(([path], index) => [path, printed[index] ?? '']));
  return new Map(
    [...emitted].map(([path, file]) => [path, typeof file === 'string' ? file : (contents.get(path) ?? '')]),
  );
}
