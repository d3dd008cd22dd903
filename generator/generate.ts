import { readService } from './check/service.ts';
import { emitApp, emitRoutesList, emitServer, emitTables } from './emit/app.ts';
import { emitOpenApi } from './emit/openapi.ts';
import { emitRoutes } from './emit/routes.ts';
import { emitSchema } from './emit/schema.ts';
import { emitSql } from './emit/sql.ts';
import type { Service } from './model.ts';
import type { Problem } from './problem.ts';

/** What a spec generates: the files, or why there are none. */
export interface Generated {
  /** Texts by path inside of `generated/`, like `crm/lead.schema.ts`; empty where there are errors. */
  readonly files: ReadonlyMap<string, string>;
  /** Errors and warnings, in order. */
  readonly problems: readonly Problem[];
}

/**
 * Generates all files of a service. It reads and writes nothing, and the same specs always give the same files.
 *
 * @param specs texts by path, like `spec/crm/lead.yaml`
 */
export const generate = (specs: ReadonlyMap<string, string>): Generated => new Generator().generate(specs);

/** Generates again and again, and prints only what an edit touches: the files of other resources are remembered. */
export class Generator {
  readonly #printed = new Map<string, { readonly from: string; readonly text: string }>();

  /** As `generate` does. */
  generate(specs: ReadonlyMap<string, string>): Generated {
    const { service, problems } = readService(specs);
    return { files: service ? this.#emit(service) : new Map(), problems };
  }

  #emit(service: Service): Map<string, string> {
    const files = new Map<string, string>();
    const tables = new Map(service.resources.map(({ key, name }) => [key, name]));
    for (const resource of service.resources) {
      const from = JSON.stringify([resource, tables.get(resource.parent?.resource ?? '')]);
      const schema = `${resource.key}.schema.ts`;
      const routes = `${resource.key}.routes.ts`;
      files.set(
        schema,
        this.#print(schema, from, () => emitSchema(resource, tables)),
      );
      files.set(
        routes,
        this.#print(routes, from, () => emitRoutes(resource)),
      );
    }
    files.set('routes.ts', emitRoutesList(service));
    files.set('tables.ts', emitTables(service));
    files.set('app.ts', emitApp(service));
    files.set('server.ts', emitServer());
    files.set('openapi.json', emitOpenApi(service));
    files.set('schema.sql', emitSql(service, tables));
    return files;
  }

  /** The text of a file, printed only where it is not the same as the last time. */
  #print(path: string, from: string, emit: () => string): string {
    const last = this.#printed.get(path);
    if (last?.from === from) return last.text;
    const text = emit();
    this.#printed.set(path, { from, text });
    return text;
  }
}
