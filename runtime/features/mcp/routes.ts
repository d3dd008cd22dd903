import { ApiError } from '../../kernel/model/errors.ts';
import { maxBatchValues } from '../../kernel/model/limits.ts';
import { readBody } from '../../kernel/api/body.ts';
import { parseJson } from '../../kernel/api/json.ts';
import { largeBytes } from '../../kernel/api/limits.ts';
import { problemResponse } from '../../kernel/api/problem.ts';
import { refuseQuery } from '../../kernel/api/query.ts';
import type { Routes } from '../../kernel/api/service.ts';
import { senderOf } from './inner-request.ts';
import { mcpPath } from './path.ts';
import type { Agent } from './tool.ts';

/** No model writes more at once, and a request that holds no more needs no place among the large ones. */
const rules = { maxBytes: largeBytes, mediaTypes: ['application/json'] };

/** Adds the route of the protocol. Its library is loaded by the first request. */
export const mountMcp: Routes = (app, service, codes) =>
  void app.post(mcpPath, async ({ env, req }) => {
    env.outgoing.pattern = mcpPath;
    refuseQuery(req.url);
    const message = parseJson(await readBody(env, rules), maxBatchValues);
    // An array of messages would be one request of the key's rate.
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      throw new ApiError('bad_request', 'Send one message of the protocol, as a JSON object.');
    // The library would leave such a member out, as if it had not been sent.
    if (hasPrototype(message)) throw new ApiError('malformed_json', 'No member may be called "__proto__".');
    const { answer, descriptionsOf } = await import('./protocol.ts');
    const { principal, outgoing } = env;
    const agent: Agent = {
      tables: service.tables,
      codes,
      descriptions: descriptionsOf(service),
      send: senderOf(app, env),
      problemOf: (error) => problemResponse(error, outgoing).text(),
      may: principal.may.bind(principal),
    };
    return answer(service, agent, req.raw, message);
  });

/** @param below how deep the library reads members: those of the values of an operation of a batch, in the arguments of a call */
const hasPrototype = (value: unknown, below = 6): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') ||
    (below > 0 && Object.values(value).some((one) => hasPrototype(one, below - 1))));
