// A server for leads as a careful engineer writes it by hand: Fastify on node:sqlite. Its answers are those of the measured
// server, with which it shares no code.
import { timingSafeEqual } from 'node:crypto';

import Fastify, { type FastifyReply } from 'fastify';

import { leadPath } from '../leads.ts';
import { columns } from './columns.ts';
import { findingOf, findingProperties, type FindingQuery } from './finding.ts';
import { type Fields, Leads } from './leads.ts';

const readOnly = new Set(['id', 'created_at', 'updated_at']);
const schemas = { text: { type: 'string', maxLength: 65_536 }, boolean: { type: 'boolean' } } as const;
const body = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    columns
      .filter(({ name }) => !readOnly.has(name))
      .map(({ name, type }) => [
        name,
        { ...(type === 'text' || type === 'boolean' ? schemas[type] : { type: 'number' }), nullable: true },
      ]),
  ),
};
const querystring = {
  type: 'object',
  additionalProperties: false,
  properties: {
    limit: { type: 'string', pattern: '^([1-9][0-9]{0,2}|1000)$' },
    offset: { type: 'string', pattern: '^[0-9]{1,15}$' },
    after: { type: 'string', pattern: '^lead_[0-9A-Z]{26}$' },
    ...findingProperties,
  },
  not: { required: ['offset', 'after'] },
};

interface PageQuery extends FindingQuery {
  readonly limit?: string;
  readonly offset?: string;
}

const { DATABASE_URL = '', API_KEYS = '', PEER_JSON } = process.env;
const leads = new Leads(DATABASE_URL.slice('sqlite:'.length), PEER_JSON !== undefined);
const authorization = Buffer.from(`Bearer ${API_KEYS}`);

const app = Fastify({
  bodyLimit: 1_048_576,
  ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
});

const json = (reply: FastifyReply, text: string): FastifyReply => reply.type('application/json').send(text);
const problem = (reply: FastifyReply, status: number, code: string, detail: string): FastifyReply =>
  reply.code(status).type('application/problem+json').send(JSON.stringify({ status, code, detail }));
const notFound = (reply: FastifyReply, id: string): FastifyReply =>
  problem(reply, 404, 'not_found', `No lead has the id ${id}.`);

app.addHook('onRequest', (request, reply, done) => {
  const sent = Buffer.from(request.headers.authorization ?? '');
  if (sent.length === authorization.length && timingSafeEqual(sent, authorization)) done();
  else problem(reply, 401, 'unauthorized', 'The API key is not valid.');
});

app.setErrorHandler((error: Error & { validationContext?: string; statusCode?: number }, _, reply) => {
  const status = error.validationContext === 'body' ? 422 : (error.statusCode ?? 500);
  return problem(reply, status, 'error', error.message);
});

app.get<{ Querystring: PageQuery }>(leadPath, { schema: { querystring } }, ({ query }, reply) => {
  const { limit = '20', offset = '0', after } = query;
  const finding = findingOf(query);
  if (finding) return json(reply, leads.found(Number(limit), Number(offset), finding));
  return json(reply, leads.page(Number(limit), after === undefined ? { offset: Number(offset) } : { after }));
});

app.get<{ Params: { id: string } }>(`${leadPath}/:id`, ({ params: { id } }, reply) => {
  const text = leads.get(id);
  return text === undefined ? notFound(reply, id) : json(reply, text);
});

app.post<{ Body: Fields }>(leadPath, { schema: { body } }, (request, reply) => {
  const { id, text } = leads.create(request.body);
  return json(reply.code(201).header('Location', `${leadPath}/${id}`), text);
});

const patchBody = { schema: { body } };
app.patch<{ Params: { id: string }; Body: Fields }>(`${leadPath}/:id`, patchBody, (request, reply) => {
  const { id } = request.params;
  const text = leads.update(id, request.body);
  return text === undefined ? notFound(reply, id) : json(reply, text);
});

app.addHook('onClose', () => leads.close());
process.once('SIGTERM', () => void app.close());
console.log(`The peer is on ${await app.listen({ host: '127.0.0.1', port: 0 })}`);
