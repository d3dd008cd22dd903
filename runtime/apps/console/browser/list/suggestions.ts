import type { RecordData, Value } from '../api.ts';

/** Up to so many values of a field are suggested. */
const maxSuggestions = 50;

const isShort = (value: Value | undefined): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 100;

/** Short texts that records have in a field. */
export const suggestionsFrom = (records: readonly RecordData[], field: string): readonly string[] =>
  [...new Set(records.map((record) => record[field]).filter(isShort))].toSorted().slice(0, maxSuggestions);
