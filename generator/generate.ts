import { readService } from './check/service.ts';
import type { Diagnostic } from './diagnostic.ts';
import { emitApp, emitRoutesList, emitServer, emitTables } from './emit/app.ts';
import { emitOpenApi } from './emit/openapi.ts';
import { emitRoutes } from './emit/routes.ts';
import { emitSchema } from './emit/schema.ts';
import { emitSql } from './emit/sql.ts';
import type { Resource, Service } from './model.ts';

/** The emitters of a resource's files, by the suffix that its key, like `crm/lead`, gets. */
const perResource: Readonly<Record<string, (resource: Resource) => string>> = {
  '.schema.ts': emitSchema,
  '.routes.ts': emitRoutes,
};

/** The emitters of the service's files, by path. */
const perService: Readonly<Record<string, (service: Service) => string>> = {
  'routes.ts': emitRoutesList,
  'tables.ts': emitTables,
  'app.ts': emitApp,
  'server.ts': emitServer,
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

/** A generator that caches the files of resources: a later run prints only those that an edit touches. */
export class Generator {
  readonly #printed = new Map<string, { readonly from: string; readonly content: string }>();

  /** Does the same as the function `generate`. */
  generate(specs: ReadonlyMap<string, string>): Generated {
    const { service, diagnostics } = readService(specs);
    return { files: service ? this.#emit(service) : new Map(), diagnostics };
  }

  #emit(service: Service): Map<string, string> {
    const files = new Map<string, string>();
    for (const resource of service.resources) {
      const from = JSON.stringify(resource);
      for (const [suffix, emit] of Object.entries(perResource)) {
        const path = resource.key + suffix;
        const last = this.#printed.get(path);
        const content = last?.from === from ? last.content : emit(resource);
        this.#printed.set(path, { from, content });
        files.set(path, content);
      }
    }
    for (const [path, emit] of Object.entries(perService)) files.set(path, emit(service));
    return files;
  }
}
