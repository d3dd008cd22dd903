import type { Table } from '../../kernel/model/table.ts';
import { quote } from '../../kernel/sql/schema.ts';
import { findsNone } from '../../migrations/checks.ts';
import { rebuildUnlisted } from '../../migrations/counters.ts';
import type { MigrationPart } from '../../migrations/part.ts';
import { change, noteStep } from '../../migrations/steps.ts';
import type { Comparison, Step } from '../../migrations/types.ts';

/** The note that records of a table can be archived: a start without that does not show archived ones in silence. */
const note = (table: string): string => `${table} archive`;

const notes = ({ name, unlistedBy }: Table): string[] => (unlistedBy === undefined ? [] : [note(name)]);

function* compareArchive({ table, actualName, columns, desired, actual }: Comparison): Generator<Step> {
  const column = 'archived_at';
  if (table.unlistedBy !== undefined) {
    const step = noteStep(note(table.name));
    // A field of that name may have had values.
    const statements = [...rebuildUnlisted(table.name, table.unlistedBy), ...step.statements];
    if (!actual.required.has(note(table.name))) yield { ...step, statements };
    return;
  }
  // A field shows the times, maybe under another name.
  if (desired.has(column) || !columns.has(column) || !actual.required.has(note(actualName))) return;
  const query = `select count(*) from ${quote(actualName)} where ${quote(column)} is not null having count(*) > 0`;
  const check = findsNone(query, ([row]) => [
    `${table.name} has records that are archived, ${String(row?.[0])} in all, which lists would show from now on. Put ` +
      '`archive: true` back into the spec and unarchive them first, or keep the times as a field of the spec: ' +
      `\`${column}: { format: date-time, read_only: true }\`.`,
  ]);
  yield { ...change('addition'), kind: 'check', check };
}

export const migration: MigrationPart = { notes, compare: compareArchive };
