import { citus } from '../support/databases.ts';
import * as support from '../support/server.ts';

/** A database of a Citus cluster with the tables of this project's service. */
const citusDatabase = async (): ReturnType<typeof citus.create> =>
  citus.create(Object.values(await import('../../generated/tables.ts')));

/** The service of this project, whose interface these tests are about. On SQLite, or on the cluster of TEST_CITUS_URL. */
const own = {
  project: support.projectRoot,
  ...(citus.missing === undefined && { database: citusDatabase }),
};

type Options = Omit<support.ServerOptions, 'project'>;

export const startServer = (options?: Options): Promise<support.TestServer> =>
  support.startServer({ ...options, ...own });

export const sharedServer = (options?: Options): support.TestServer => support.sharedServer({ ...options, ...own });
