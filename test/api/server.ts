import * as support from '../support/server.ts';

/** The service of this project, whose interface these tests are about. */
const own = { project: support.projectRoot };

type Options = Omit<support.ServerOptions, 'project'>;

export const startServer = (options?: Options): Promise<support.TestServer> =>
  support.startServer({ ...options, ...own });

export const sharedServer = (options?: Options): support.TestServer => support.sharedServer({ ...options, ...own });
