import type { IncomingMessage } from 'node:http';
import type { Hono } from 'hono';
import type { TracedResponse } from '../observability/response.ts';
import type { KeyCheck, Principal } from '../auth/keys.ts';
import type { Table } from '../model/table.ts';
import type { Capacity } from './capacity.ts';
import type { EventStreams } from './event-streams.ts';

/** The state of a request. */
export interface RequestEnv {
  readonly service: Service;
  readonly incoming: IncomingMessage;
  readonly outgoing: TracedResponse;
  readonly principal: Principal;
  /** The check that accepted the key. A key may be revoked while a body is read. */
  readonly keys: KeyCheck;
  readonly capacity: Capacity;
  readonly streams: EventStreams;
  /** Whether the server stops: it sends nothing that goes on. */
  readonly isStopping: () => boolean;
  /** The prefix that a proxy puts before all paths. */
  readonly pathPrefix: string;
  /** Bytes of memory that are counted for it. */
  held?: number;
}

/** The environment of every route. */
export interface Env {
  Bindings: RequestEnv;
}

/** A generated service, as it is handed to the runtime. */
export interface Service {
  /** Identifies the service to databases and clients, in kebab-case. */
  readonly name: string;
  readonly title: string;
  // The routes' types serve a typed client; the runtime mounts any app.
  // oxlint-disable-next-line no-explicit-any
  readonly app: Hono<Env, any>;
  readonly tables: readonly Table[];
  /** The URL of the OpenAPI document's file. */
  readonly openapi: URL;
}
