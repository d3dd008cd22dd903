import { kindOf } from '../model/field-types.ts';
import { type Field, itemField } from '../model/model.ts';
import { compareBound } from './bounds.ts';
import { breaking, type Difference, type FieldRule, safe } from './change.ts';
import { writersOf } from './clients.ts';
import { code } from './markdown.ts';
import { compareEnums, compareFormats, comparePatterns } from './strings.ts';

/** Compares the values of a list by the rules of fields. */
export const compareItems: FieldRule = (before, after, resource) => {
  if (before.type !== 'list' || after.type !== 'list') return [];
  const [old, now] = [before, after].map((field) => ({ ...itemField(field), name: `${field.name}[]` })) as [
    Field,
    Field,
  ];
  const [was, is] = [kindOf(old), kindOf(now)];
  const differences: Difference[] = [
    ...[compareFormats, compareEnums, comparePatterns].flatMap((rule) => rule(old, now, resource)),
    ...(['min_length', 'max_length', 'min', 'max'] as const).flatMap((key) => compareBound(key, old, now)),
  ];
  if (was !== is) {
    const message = `${code(now.name)} has the type ${is} instead of ${was}: values of the old type are refused with 422. Older records keep theirs.`;
    differences.push(breaking('type/changed', ['readers', ...writersOf(before, after)], message));
  }
  return differences.map((difference) => ({ ...difference, at: `of/${difference.at}` }));
};

/** Compares whether a value may be in a list twice. */
export const compareUniqueItems: FieldRule = (before, after) => {
  if (before.type !== 'list' || after.type !== 'list' || before.uniqueItems === after.uniqueItems) return [];
  const name = code(after.name);
  if (!after.uniqueItems) return [safe('unique_items/removed', `${name} may have a value twice.`)];
  const message = `${name} may have no value twice: other lists are refused with 422. Older records keep theirs.`;
  return [breaking('unique_items/added', writersOf(before, after), message)];
};
