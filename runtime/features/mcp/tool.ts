import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { FeatureCode } from '../../kernel/model/error-codes.ts';
import type { Action, ResourceOperation } from '../../kernel/model/operations.ts';
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

/** Whether an operation is a verb, which the tool `act` does. */
export const isVerb = ({ action, body }: ResourceOperation): boolean => action === 'transition' || body === 'reorder';

/** The error of a name that is none. */
export const noSuch = (kind: string, name: string, names: readonly string[]): CallToolResult =>
  failure({
    code: 'not_found',
    detail: `There is no ${kind} ${JSON.stringify(name)}${didYouMean(name, names) || `: there are ${names.join(', ')}.`}`,
  });

/** The id of a record. */
export const id = z.string().min(1);

/** The id of a record in a path. A reference to a result of a batch stays as it is. */
export const inPath = (text: string): string => (/^\{result:\d+\}$/.test(text) ? text : encodeURIComponent(text));
