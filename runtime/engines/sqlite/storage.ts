import { maxDigits } from '../../kernel/model/decimals.ts';
import { commonTypeOf, literal, presentText, type ValueStorage } from '../../kernel/sql/values.ts';
import { unitsOf } from '../../kernel/values/decimal.ts';

/** The storage of SQLite. It has no exact decimals: a column holds the number of their units, like 1250 for 12.50. */
export const unitStorage: ValueStorage = {
  // The type has the affinity NUMERIC: whole numbers stay whole. https://sqlite.org/datatype3.html#type_affinity
  type: ({ type, scale }) => (type === 'decimal' ? `decimal(${maxDigits}, ${scale})` : type),
  typeOf(spelled) {
    const [, scale] = /^decimal\(\d+, (\d+)\)$/.exec(spelled) ?? [];
    return scale === undefined ? commonTypeOf(spelled) : { type: 'decimal', scale: Number(scale) };
  },
  literal: ({ scale }, value) =>
    scale === undefined || value === null ? literal(value) : String(unitsOf(String(value), scale)),
  // Doubles do not hold 18 digits: the value is bound as a text.
  parameter: ({ type }, parameter) =>
    type === 'decimal' ? `cast(replace(${parameter}, '.', '') as integer)` : parameter,
  shown({ scale }, value) {
    if (scale === undefined) return value;
    if (scale === 0) return `cast(${value} as text)`;
    const unit = `1${'0'.repeat(scale)}`;
    const digits = `printf('%s%d.%0${scale}d', iif(${value} < 0, '-', ''), abs(${value}) / ${unit}, abs(${value}) % ${unit})`;
    return `case when ${value} is not null then ${digits} end`;
  },
  presentItems: (formerValues, list) =>
    `iif(${list} is null, null, (select json_group_array(${presentText(formerValues, 'value')}) from json_each(${list})))`,
  sortable: (_, value) => value,
};
