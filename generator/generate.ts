import { readService } from './check/service.ts';
import { emitApp, emitRoutesList, emitServer, emitTables } from './emit/app.ts';
import { emitOpenApi } from './emit/openapi.ts';
import { emitRoutes } from './emit/routes.ts';
import { emitSchema } from './emit/schema.ts';
import { emitSql } from './emit/sql.ts';
import type { Problem } from './problem.ts';

/** What a spec generates: the files, or why there are none. */
export interface Generated {
  /** Texts by path inside of `generated/`, like `crm/lead.schema.ts`; empty where there are problems. */
  readonly files: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
}

/**
 * Generates all files of a service. It reads and writes nothing, and the same specs always give the same files.
 *
 * @param specs texts by path, like `spec/crm/lead.yaml`
 */
export function generate(specs: ReadonlyMap<string, string>): Generated {
  const { service, problems } = readService(specs);
  const files = new Map<string, string>();
  if (!service) return { files, problems };
  const tables = new Map(service.resources.map(({ key, name }) => [key, name]));
  for (const resource of service.resources) {
    files.set(`${resource.key}.schema.ts`, emitSchema(resource, tables));
    files.set(`${resource.key}.routes.ts`, emitRoutes(resource));
  }
  files.set('routes.ts', emitRoutesList(service));
  files.set('tables.ts', emitTables(service));
  files.set('app.ts', emitApp(service));
  files.set('server.ts', emitServer());
  files.set('openapi.json', emitOpenApi(service));
  files.set('schema.sql', emitSql(service, tables));
  return { files, problems };
}
