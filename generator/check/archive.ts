import { valueAt } from '../../runtime/kernel/model/validate.ts';
import { isMapping } from '../emit/json.ts';
import type { Field } from '../model/model.ts';
import type { CheckedFile } from './structure.ts';

/** The field of records that can be archived. */
const archivedAt: Field = {
  name: 'archived_at',
  type: 'date-time',
  doc: 'The time at which the record was archived; null if it is not.',
  required: false,
  nullable: true,
  readOnly: true,
  immutable: undefined,
  renamedFrom: [],
  default: null,
  moment: undefined,
  defaultFrom: undefined,
  always: false,
  backfill: null,
  example: null,
  computed: undefined,
  sequence: undefined,
  constant: undefined,
  colors: undefined,
};

/** Adds the field of records that can be archived. */
export function withArchive(file: CheckedFile, fields: readonly Field[]): readonly Field[] {
  const { data } = file.spec;
  const { name } = archivedAt;
  const declared = valueAt(data, ['fields']);
  const isDeclared = isMapping(declared) && Object.hasOwn(declared, name);
  if (isDeclared) file.atKey(['fields', name], `${name} is the field of archive: true; leave it out`);
  return [...fields.filter((field) => field.name !== name), archivedAt];
}

/** Refuses filters that would have the name of the parameter for archived records. */
export function checkArchiveFilters(file: CheckedFile, filter: readonly string[]): void {
  const isDeclared = valueAt(file.spec.data, ['fields', 'archived']) !== undefined;
  if (!isDeclared || !filter.includes('archived')) return;
  const why = 'lists of records that can be archived have a parameter of that name';
  file.atKey(['fields', 'archived'], `a list cannot be filtered by archived: ${why}`);
}
