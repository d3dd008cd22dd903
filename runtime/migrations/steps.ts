import { literal, quote } from '../kernel/sql/schema.ts';
import type { ActualSchema, Effect, IndexStep, MigrationDialect, NoteStep, StatementStep } from './types.ts';
import { requiredColumns } from './own-tables.ts';

/** The step that executes statements. */
export const change = (effect: Effect, ...statements: readonly string[]): StatementStep => ({
  kind: 'statements',
  effect,
  need: 'server',
  statements,
});

/** The step that creates or drops an index which lists are fast by. */
export const indexStep = (...statements: readonly string[]): IndexStep => ({
  kind: 'index',
  effect: 'addition',
  need: 'lists',
  statements,
});

/** The step that drops an index. */
export const dropIndex = (name: string, { concurrently }: Pick<MigrationDialect, 'concurrently'>): IndexStep =>
  indexStep(`drop index${concurrently && ` ${concurrently}`} if exists ${quote(name)}`);

/** Statements that note what is known of rows; another process may have done so. */
export const addRequired = (names: readonly string[]): string[] => {
  const rows = names.map((name) => `(${literal(name)})`).join(', ');
  return rows === '' ? [] : [`insert into ${quote(requiredColumns)} values ${rows} on conflict do nothing`];
};

/** The step that notes what is known of rows. */
export const noteStep = (...names: readonly string[]): NoteStep => ({
  kind: 'note',
  effect: 'addition',
  need: 'start',
  statements: addRequired(names),
});

/** Whether the concurrent creation of an index has failed, or is under way. */
export const isUnfinished = (name: string, { indexes }: ActualSchema): boolean => indexes.get(name)?.length === 0;
