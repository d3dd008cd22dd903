import { maxTextLength } from '../../runtime/kernel/model/limits.ts';
import { contentOf } from '../../runtime/kernel/model/query.ts';
import { valueAt } from '../../runtime/kernel/model/validate.ts';
import type { Kind } from '../../runtime/kernel/model/operations.ts';
import { isLong } from '../model/columns.ts';
import { fieldTypeRow, zodTypeOf } from '../model/field-types.ts';
import { countKeys, kindFields, type ListKey, listKeys, listParameters, type WrittenList } from '../model/language.ts';
import { type Field, type List, referencesOf } from '../model/model.ts';
import { withArticle } from '../model/names.ts';
import { checkCounts } from './counts.ts';
import { namedField } from './field.ts';
import type { CheckedFile } from './structure.ts';

/** The list of a spec without `list`. */
const noList: List = { filter: [], sort: [], search: [], count: [], sum: [], columns: [] };

/** The verb of each key: a list can be ... by a field. */
const verbs: Readonly<Record<ListKey, string>> = { filter: 'filtered', sort: 'sorted', search: 'searched' };

/** Reads and checks what the spec says about a list. @param more the fields, beside references, that every list can be filtered by */
export function readList(
  file: CheckedFile,
  kind: Kind,
  fields: readonly Field[],
  written: WrittenList,
  more: readonly string[],
): List {
  if (kind === 'singleton') return noList;
  const references = referencesOf({ fields }).map(({ name }) => name);
  for (const name of references) {
    // Only lists of line items have the parameter.
    if (!listParameters.includes(name) || (name === 'parent_id' && kind === 'record')) continue;
    const why = 'every list can be filtered by a reference, and has another parameter of that name';
    file.atKey(['fields', name], `a reference cannot be called ${name}: ${why}`);
  }
  if (!written) return { ...noList, filter: [...references, ...more] };
  const { data } = file.spec;
  const operations = valueAt(data, ['operations']);
  if (Array.isArray(operations) && !operations.includes('list')) file.atKey(['list'], 'list needs the operation list');
  if (Object.keys(written).length === 0) {
    file.atValue(['list'], `list needs at least one of ${[...listKeys, ...countKeys, 'columns'].join(', ')}`);
  }
  const parentField = valueAt(data, ['parent', 'field']);
  for (const key of [...listKeys, 'columns'] as const) {
    const entries = written[key] ?? [];
    const names = entries.map(nameOf);
    const builtIn = kindFields[kind].filter((name) => whyNotBuiltIn(key, name) === undefined);
    file.checkRepeats(['list', key], names);
    names.forEach((name, index) => {
      const path = ['list', key, index, ...(typeof entries[index] === 'string' ? [] : ['field'])];
      const why = kindFields[kind].includes(name)
        ? whyNotBuiltIn(key, name)
        : whyNot(key, namedField(file, fields, name, path, builtIn), parentField);
      if (why !== undefined) file.atValue(path, `${key}: ${why}`);
    });
  }
  checkCounts(file, kind, fields, written);
  const { filter = [], sort = [], search = [], count = [], sum = [], columns = [] } = written;
  const ignoreCase = sort.flatMap((entry) => (asField(entry).ignore_case ? [nameOf(entry)] : []));
  for (const [at, { field: name, ignore_case: ignored }] of sort.map(asField).entries()) {
    const field = fields.find((one) => one.name === name);
    if (!ignored || (!field && !kindFields[kind].includes(name))) continue;
    if (field && contentOf(zodTypeOf(field)) === 'string') continue;
    const noun = field ? fieldTypeRow(field).noun : 'time';
    file.atKey(
      ['list', 'sort', at, 'ignore_case'],
      `sort: ignore_case is about strings, and ${name} is ${withArticle(noun)}`,
    );
  }
  return {
    filter: [...new Set([...filter, ...references, ...more])],
    sort: sort.map(nameOf),
    search,
    count,
    sum,
    columns,
    ...(ignoreCase.length > 0 && { ignoreCase }),
  };
}

type Entry = NonNullable<NonNullable<WrittenList>['sort']>[number];

const asField = (entry: Entry): Exclude<Entry, string> => (typeof entry === 'string' ? { field: entry } : entry);

/** The name of the field that an entry of a list is about. */
const nameOf = (entry: Entry): string => asField(entry).field;

/** Why a built-in field cannot be named; undefined where it can, as `updated_at`. */
function whyNotBuiltIn(key: ListKey | 'columns', name: string): string | undefined {
  if (key === 'columns') return undefined;
  if (key === 'search') return `${name} is set by the service and cannot be searched`;
  if (name === 'idx') return 'idx is what line items are listed by; leave it out';
  return name === 'updated_at' ? undefined : `every list can be ${verbs[key]} by ${name}; leave it out`;
}

/** Why a field cannot be named; undefined where it can. */
function whyNot(key: ListKey | 'columns', field: Field | undefined, parentField: unknown): string | undefined {
  if (!field) return undefined;
  const { name } = field;
  if (key === 'filter' && field.type === 'reference')
    return `every list can be filtered by a reference; leave ${name} out`;
  if (key === 'filter' && listParameters.includes(name)) {
    return `a list cannot be filtered by ${name}: it has another parameter of that name`;
  }
  if (key === 'search' && contentOf(zodTypeOf(field)) !== 'string') {
    return `${name} is ${withArticle(fieldTypeRow(field).noun)}, and only strings can be searched`;
  }
  if (key === 'sort' && contentOf(zodTypeOf(field)) === 'unordered')
    return `${name} is ${withArticle(fieldTypeRow(field).noun)}, and these have no order to sort by`;
  if (key === 'sort' && field.type === 'json') return `${name} is a JSON object or array, which has no order`;
  if (key === 'sort' && field.type === 'list') return `${name} is a list, and records are sorted by single values`;
  if (name === parentField) return `${name} is the same in a whole list, which is of one parent`;
  if (!isLong(field)) return undefined;
  const what = key === 'columns' ? ', which no column shows' : `: a list cannot be ${verbs[key]} by it`;
  return `${name} can be longer than ${maxTextLength} characters${what}`;
}
