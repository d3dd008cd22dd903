import { createEventVersions, eventVersions } from '../sql/helper-tables.ts';
import type { MigrationDialect, Step } from './schema-plan.ts';
import type { ActualSchema } from './schema.ts';
import { dropIndex } from './unique.ts';

/** The name of the index when it was not unique. */
const former = '_event_by_record';

/** Steps that make the index of the events of a record unique, where it is that of an earlier version. */
export function* compareEventVersions(actual: ActualSchema, dialect: MigrationDialect): Generator<Step> {
  if (!actual.indexes.has(former)) return;
  const built = actual.indexes.get(eventVersions);
  if (built?.length === 0) yield { ...dropIndex(eventVersions, dialect), unfinished: eventVersions };
  if (!built?.length) {
    yield { kind: 'addition', isIndex: true, statements: [createEventVersions(dialect.concurrently)] };
  }
  yield dropIndex(former, dialect);
}
