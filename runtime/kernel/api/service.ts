import type { IncomingMessage } from 'node:http';
import type { Hono } from 'hono';
import type { RequestKey, TracedResponse } from '../../observability/response.ts';
import type { FeatureCode } from '../model/error-codes.ts';
import type { ApiError } from '../model/errors.ts';
import type { Action } from '../model/operations.ts';
import type { Table } from '../model/table.ts';
import type { Parameters } from './parameters.ts';
import type { Page, Projection } from '../records/page.ts';
import type { Records } from '../records/store.ts';
import type { WritePipeline } from '../records/write-pipeline.ts';
import type { Capacity } from './capacity.ts';

/** The sender of a request. */
export interface Principal extends RequestKey {
  /** Tells it from the others, and is no secret. */
  readonly name: string;
  /** The records of its organization. */
  readonly records: Records;
  /** Whether it may do something with the records at a path, like `crm/lead`. */
  may(action: Action, path: string): boolean;
  /** The error of an action that it may not do. */
  refusal(action: Action, path: string): ApiError;
  /** Takes a request from its rate. @returns the error if none is left */
  takeRequest(): ApiError | undefined;
}

/** Tells who sends a request. */
export interface Access {
  /**
   * The sender, by an Authorization header, or the error for the response.
   *
   * @param address of the connection, for the log
   */
  check(authorization?: string, address?: string): Principal | ApiError | Promise<Principal | ApiError>;
}

/** The state of a request. */
export interface RequestEnv {
  readonly service: Service;
  readonly incoming: IncomingMessage;
  readonly outgoing: TracedResponse;
  readonly principal: Principal;
  /** The check that accepted the sender. A key may be revoked while a body is read. */
  readonly access: Access;
  readonly capacity: Capacity;
  /** The parameters of reads that features add. */
  readonly parameters: readonly ReadParameters[];
  readonly pipeline: WritePipeline;
  /** Whether the server stops: it sends nothing that goes on. */
  readonly isStopping: () => boolean;
  /** The prefix that a proxy puts before all paths. */
  readonly pathPrefix: string;
  /** Makes it no large one any more; undefined if it is none. See `enter`. */
  leave?: (() => void) | undefined;
}

/** The query parameters that a feature adds to reads. */
export interface ReadParameters {
  /** The names of those that a table has. */
  readonly namesOf: (table: Table) => readonly string[];
  /**
   * Reads the part of a page that they ask for, if a request has one of them; undefined if there is none. Its conditions are added to
   * those of the request.
   */
  readonly read: (parameters: Parameters, table: Table) => Partial<Page> | undefined;
  /** Whether lists without any of them have a part by it, too. */
  readonly isAlwaysRead?: true;
  /** Restricts a projection to the part that its sender may see. @throws ApiError `insufficient_scope` (403) */
  readonly permit?: (env: RequestEnv, table: Table, projection: Projection) => Projection;
  /** Whether the read of one record has them, too. */
  readonly isOfRecords?: true;
}

/** The environment of every route. */
export interface Env {
  Bindings: RequestEnv;
}

/** A path whose requests need a key. */
export interface KeyedPath {
  readonly path: string;
  /** The headers that scripts of other origins may send to it, beside the usual ones. */
  readonly headers: readonly string[];
}

/** Adds routes to an application. @param codes those of all problems */
export type Routes = (app: Hono<Env>, service: Service, codes: readonly FeatureCode[]) => void;

/** A generated service, as it is handed to the runtime. */
export interface Service {
  /** Identifies the service to databases and clients, in kebab-case. */
  readonly name: string;
  readonly title: string;
  // The routes' types serve a typed client; the runtime mounts any app.
  // oxlint-disable-next-line no-explicit-any
  readonly app: Hono<Env, any>;
  readonly tables: readonly Table[];
  /** The names of features whose routes the spec leaves out. */
  readonly off?: readonly string[];
  /** The URL of the OpenAPI document's file. */
  readonly openapi: URL;
}
