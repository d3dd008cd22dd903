import { ApiError } from '../../kernel/model/errors.ts';
import { maxBatchValues, maxBodyBytes } from '../../kernel/model/limits.ts';
import { readBody } from '../../kernel/api/body.ts';
import { parseJson } from '../../kernel/api/json.ts';
import { refuseQuery } from '../../kernel/api/query.ts';
import type { Routes } from '../../kernel/api/service.ts';
import { senderOf } from './inner-request.ts';
import { mcpPath } from './path.ts';

const rules = { maxBytes: maxBodyBytes, mediaTypes: ['application/json'] };

/** Adds the route of the protocol, unless the spec leaves it out. Its library is loaded by the first request. */
export const mountMcp: Routes = (app, service, codes) => {
  if (service.off?.includes('mcp')) return;
  app.post(mcpPath, async ({ env, req }) => {
    env.outgoing.pattern = mcpPath;
    refuseQuery(req.url);
    const bytes = await readBody(env, rules);
    const message = parseJson(bytes, maxBatchValues);
    // An array of messages would be one request of the key's rate.
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      throw new ApiError('bad_request', 'Send one message of the protocol, as a JSON object.');
    // The requests of a tool wait for room of their own.
    env.leave?.();
    const { answer, descriptionsOf } = await import('./protocol.ts');
    const { principal } = env;
    const agent = {
      tables: service.tables,
      codes,
      descriptions: descriptionsOf(service),
      send: senderOf(app, env),
      may: principal.may.bind(principal),
    };
    return answer(service, agent, req.raw, message);
  });
};
