import { z } from 'zod';
import { operationsOf, type ResourceOperation } from '../../kernel/model/operations.ts';
import { isVerb } from './description.ts';
import { count, describe, get, history, list } from './read-tools.ts';
import type { Agent, Make, Tool } from './tool.ts';
import { act, batch, create, remove, undo, update } from './write-tools.ts';

/** A tool, and the operations of resources that it does. */
interface Row {
  readonly make: Make;
  readonly isFor: (operation: ResourceOperation) => boolean;
  readonly needsEvents?: true;
  readonly needsCounts?: true;
}

const isRead = ({ action }: ResourceOperation): boolean => action === 'read';
const isWrite = ({ action }: ResourceOperation): boolean => action !== 'read';

const rows: Readonly<Record<string, Row>> = {
  list: { make: list, isFor: ({ name }) => name === 'list' },
  count: { make: count, isFor: ({ name }) => name === 'list', needsCounts: true },
  get: { make: get, isFor: ({ name }) => name === 'retrieve' },
  create: { make: create, isFor: ({ name }) => name === 'create' },
  update: { make: update, isFor: ({ name }) => name === 'update' },
  delete: { make: remove, isFor: ({ name }) => name === 'delete' },
  act: { make: act, isFor: isVerb },
  batch: { make: batch, isFor: isWrite },
  history: { make: history, isFor: isRead, needsEvents: true },
  undo: { make: undo, isFor: isWrite, needsEvents: true },
};

/**
 * The tools that an agent may use: those without a resource that its key allows are left out.
 *
 * @param called makes this one alone, if there is one of that name
 */
export function toolsOf(agent: Agent, called?: string): Tool[] {
  const wanted = called !== undefined && Object.hasOwn(rows, called) ? [rows[called] as Row] : Object.values(rows);
  const tools = wanted.flatMap(({ make, isFor, needsEvents = false, needsCounts = false }) => {
    if (needsEvents && !agent.may('read', 'events')) return [];
    const usable = agent.tables.filter(
      (table) =>
        operationsOf(table).some((operation) => isFor(operation) && agent.may(operation.action, table.path)) &&
        (!needsCounts || agent.descriptions.countsOf(table).counts),
    );
    return usable.length > 0 ? make(agent, z.enum(usable.map(({ path }) => path))) : [];
  });
  return [describe(agent), ...tools];
}
