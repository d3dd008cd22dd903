import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { FeatureCode } from '../../kernel/model/error-codes.ts';
import { ApiError } from '../../kernel/model/errors.ts';
import type { Action } from '../../kernel/model/operations.ts';
import { didYouMean } from '../../kernel/model/suggest.ts';
import type { Table } from '../../kernel/model/table.ts';
import type { Descriptions } from './description.ts';
import type { Send } from './inner-request.ts';
import { failure } from './results.ts';

/** An agent, as its key lets it use the service. */
export interface Agent {
  readonly tables: readonly Table[];
  readonly codes: readonly FeatureCode[];
  readonly descriptions: Descriptions;
  readonly send: Send;
  /** The problem of an error, which is logged if it is the server's. */
  problemOf(error: unknown): Promise<string>;
  may(action: Action, path: string): boolean;
}

/** A tool that an agent may use. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: z.ZodObject;
  readonly annotations: ToolAnnotations;
  run(args: never): Promise<CallToolResult>;
}

/** The paths of the resources that a tool takes. */
type Paths = z.ZodEnum<Readonly<Record<string, string>>>;

/** Makes a tool for an agent. */
export type Make = (agent: Agent, resource: Paths) => Tool;

/** Names the types of a tool's arguments, which its schema has checked. */
export const toolOf = <S extends z.ZodRawShape>(
  name: string,
  title: string,
  description: string,
  annotations: ToolAnnotations,
  shape: S,
  run: (args: z.infer<z.ZodObject<S, z.core.$strict>>) => Promise<CallToolResult>,
): Tool => ({ name, title, description, annotations, inputSchema: z.strictObject(shape), run });

/** The error of arguments that do not belong together. */
export const wrongArguments = (detail: string): CallToolResult => failure({ code: 'invalid_arguments', detail });

/** The error of a missing id. */
export const missingId = (): CallToolResult => wrongArguments('"id" is missing: it names the record.');

/** The error of a name that is none. */
export const noSuch = (kind: string, name: string, names: readonly string[]): CallToolResult =>
  failure({
    code: 'not_found',
    detail: `There is no ${kind} ${JSON.stringify(name)}${didYouMean(name, names) || `: there are ${names.join(', ') || 'none'}.`}`,
  });

/** The id of a record. */
export const id = z.string().min(1);

/** The table of a resource that a schema has checked. */
export const tableOf = ({ tables }: Agent, resource: string): Table =>
  tables.find(({ path }) => path === resource) as Table;

/** The id of a record in a path. A reference to a result of a batch stays as it is. */
export function inPath(text: string): string {
  if (/^\{result:\d+\}$/.test(text)) return text;
  // A URL resolves these, however they are written.
  if (/^\.{1,2}$/.test(text)) throw new ApiError('not_found', `There is no record with the id "${text}".`);
  return encodeURIComponent(text.toWellFormed());
}
