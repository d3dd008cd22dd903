import type { Comparison, RowCheck } from './types.ts';
import { findsNone, named } from './checks.ts';
import type { Index } from './indexes.ts';

/** The columns whose texts an index of a field or a unique one holds, with their names in the database; not the new ones. */
const textsOf = ({ columns, desired }: Comparison, { columns: indexed }: Index): [former: string, name: string][] =>
  [...desired].flatMap(([former, { name, type }]): [string, string][] =>
    type === 'text' && name !== 'id' && indexed.includes(name) && columns.has(former) ? [[former, name]] : [],
  );

/** The check that the stored texts of columns fit into an index of them: they may be older than a `max_length`. */
export function textsFit(comparison: Comparison, index: Index): RowCheck | undefined {
  const { table, actualName, dialect } = comparison;
  const texts = textsOf(comparison, index);
  if (texts.length === 0 || !dialect.findTooLong) return undefined;
  const fields = texts.map(([, name]) => name).join(' and ');
  const formers = texts.map(([former]) => former);
  return findsNone(dialect.findTooLong(actualName, formers), (rows) => {
    const [what, where] = index.isUnique
      ? [`Records of ${table.name} are to be unique by ${fields}`, '`unique`']
      : [`Lists of ${table.name} are to be filtered or sorted by ${fields}`, '`list.filter` and `list.sort`'];
    return [
      `${what}, and the text is too long for an index, which holds about 2,700 bytes, in ${named(rows.flat())}. Shorten these texts ` +
        `with the version before, and give the field a \`max_length\`; or take it out of ${where}.`,
    ];
  });
}
