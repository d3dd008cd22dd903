import { maxTextLength } from '../../runtime/limits.ts';
import { valueAt } from '../../runtime/schema/validate.ts';
import type { ListFields } from '../../runtime/schema/table.ts';
import { type Kind, kindFields, type ListKey, listKeys, listParameters, type WrittenList } from '../language.ts';
import type { Field } from '../model.ts';
import { namedField } from './field.ts';
import type { CheckedFile } from './structure.ts';

/** The fields of a list that has no `list`. */
export const noList: ListFields = { filter: [], sort: [] };

/** The verb of each key: a list can be ... by a field. */
const verbs: Readonly<Record<ListKey, string>> = { filter: 'filtered', sort: 'sorted' };

/** Reads and checks the fields that a list can be filtered and sorted by. */
export function readList(file: CheckedFile, kind: Kind, fields: readonly Field[], written: WrittenList): ListFields {
  if (!written) return noList;
  const { data } = file.spec;
  const operations = valueAt(data, ['operations']);
  if (Array.isArray(operations) && !operations.includes('list')) {
    file.atKey(['list'], 'list needs the operation list');
  }
  if (Object.keys(written).length === 0) {
    file.atValue(['list'], `list needs at least one of ${listKeys.join(', ')}`);
  }
  const parentField = valueAt(data, ['parent', 'field']);
  for (const key of listKeys) {
    const names = written[key] ?? [];
    file.checkRepeats(['list', key], names);
    names.forEach((name, index) => {
      const path = ['list', key, index];
      const isBuiltIn = kindFields[kind].includes(name);
      const field = isBuiltIn ? undefined : namedField(file, fields, name, path);
      const why = isBuiltIn ? whyNotBuiltIn(key, name) : field && whyNot(key, field, parentField);
      if (why !== undefined) file.atValue(path, `${key}: ${why}`);
    });
  }
  const { filter = [], sort = [] } = written;
  return { filter, sort };
}

/** Why a built-in field cannot be named; undefined where it can, as `updated_at`. */
function whyNotBuiltIn(key: ListKey, name: string): string | undefined {
  if (name === 'idx') return 'idx is what line items are listed by; leave it out';
  return name === 'updated_at' ? undefined : `every list can be ${verbs[key]} by ${name}; leave it out`;
}

/** Why a field cannot be named; undefined where it can. */
function whyNot(key: ListKey, field: Field, parentField: unknown): string | undefined {
  const { name } = field;
  if (key === 'filter' && listParameters.includes(name)) {
    return `a list cannot be filtered by ${name}: it has another parameter of that name`;
  }
  if (name === parentField) return `${name} is the same in a whole list, which is of one parent`;
  if (field.type === 'text' && (field.maxLength ?? 0) > maxTextLength) {
    return `${name} can be longer than ${maxTextLength} characters: a list cannot be ${verbs[key]} by it`;
  }
  return undefined;
}
