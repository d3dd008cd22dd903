import type { Parent } from '../model/model.ts';
import { breaking, type Difference, safe } from './change.ts';
import { code } from './markdown.ts';

type Named = string | undefined;

const nature = (was: Named, is: Named): string =>
  was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';

const compareField = (was: Named, is: Named): Difference =>
  breaking(
    'parent/field/changed',
    ['creators', 'callers'],
    `${code(is ?? '')} names the parent instead of ${code(was ?? '')}: lists, positions and reorders follow it.`,
  );

function compareResource(was: Named, is: Named): Difference {
  const at = `parent/resource/${nature(was, is)}`;
  if (is === undefined) {
    const message =
      `The parent is no longer checked against ${code(was ?? '')}: readers may get a parent that does not exist, and ` +
      'deleting a parent leaves its items.';
    return breaking(at, ['readers', 'callers'], message);
  }
  const message = `The parent must be one of ${code(is)}: another id is refused with 409, and deleting the parent deletes its items.`;
  if (was === undefined) return breaking(at, ['creators', 'updaters'], message);
  const former = `Those of ${code(was)} no longer have these items: they cannot be shown with them by ${code('expand')}.`;
  return breaking(at, ['creators', 'updaters', 'callers'], `${message} ${former}`);
}

function compareTypeField(was: Named, is: Named): Difference {
  const at = `parent/type_field/${nature(was, is)}`;
  if (is === undefined) {
    return safe(at, `${code(was ?? '')} no longer distinguishes parents: positions count per parent id alone.`);
  }
  const message =
    `${code(is)} and the id identify the parent together: positions count per pair, and a reorder of items that ` +
    'differ in it is refused with 422.';
  return breaking(at, ['callers'], message);
}

/** The keys of a parent in a spec; its table follows from its resource. */
type WrittenParent = Omit<Parent, 'table' | 'canLock'>;

const rules: { readonly [K in keyof WrittenParent]-?: (was: Named, is: Named) => Difference } = {
  field: compareField,
  resource: compareResource,
  typeField: compareTypeField,
};

/** Compares the parents of line items; names of the base are given as they are now. */
export function compareParents(before: WrittenParent, after: WrittenParent): Difference[] {
  return (Object.keys(rules) as (keyof WrittenParent)[]).flatMap((key) =>
    before[key] === after[key] ? [] : [rules[key](before[key], after[key])],
  );
}
