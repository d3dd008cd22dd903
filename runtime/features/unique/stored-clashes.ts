import { maxNamed } from '../../kernel/model/limits.ts';

/** Names the records that have the same values, up to some. */
export function describeClashes(
  name: string,
  fields: readonly string[],
  groups: readonly (readonly string[])[],
): string {
  let left = maxNamed;
  const named = groups.flatMap((ids) => {
    const shown = ids.slice(0, left);
    left -= ids.length;
    return shown.length > 0 ? shown.join(', ') : [];
  });
  return (
    `No two records of ${name} may have the same ${fields.join(' and ')}, and these have: ${named.join('; ')}` +
    `${left < 0 ? ' and others' : ''}. Change them with the version before, or delete some.`
  );
}
