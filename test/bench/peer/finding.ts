import type { SQLInputValue } from 'node:sqlite';

/** Which leads are found, as SQL by hand. */
export interface Finding {
  readonly conditions: readonly string[];
  readonly values: readonly SQLInputValue[];
  /** The condition of those behind the lead of a cursor. */
  readonly behind?: { readonly condition: string; readonly values: readonly SQLInputValue[] };
  readonly order: string;
}

/** The parameters that find leads. */
export type FindingQuery = Readonly<Partial<Record<keyof typeof conditions | 'sort' | 'after', string>>>;

const conditions = {
  status: 'status = ?',
  lead_owner: 'lead_owner = ?',
  'annual_revenue[gte]': 'annual_revenue >= ?',
  'annual_revenue[lt]': 'annual_revenue < ?',
  q: 'rowid in (select rowid from lead_words where lead_words match ?)',
} as const;

const names = Object.keys(conditions) as (keyof typeof conditions)[];

/** The schemas of the parameters. */
export const findingProperties = Object.fromEntries(
  [...names, 'sort'].map((name) => [
    name,
    name === 'sort' ? { enum: ['annual_revenue', '-annual_revenue'] } : { type: 'string', minLength: 1 },
  ]),
);

const valueOf = (name: string, text: string): SQLInputValue => {
  if (name.startsWith('annual_revenue')) return Number(text);
  if (name !== 'q') return text;
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.map((word) => `"${word}"*`).join(' ');
};

/** Reads the parameters; undefined where none of them is there. */
export function findingOf(query: FindingQuery): Finding | undefined {
  const asked = names.filter((name) => query[name] !== undefined);
  const { sort, after } = query;
  if (asked.length === 0 && sort === undefined) return undefined;
  const found = {
    conditions: asked.map((name) => conditions[name]),
    values: asked.map((name) => valueOf(name, query[name] as string)),
  };
  if (sort === undefined) {
    const behind = after === undefined ? {} : { behind: { condition: 'id < ?', values: [after] } };
    return { ...found, ...behind, order: 'id desc' };
  }
  const [direction, beyond] = sort.startsWith('-') ? [' desc', '<'] : ['', '>'];
  const revenue = '(select annual_revenue from lead where id = ?)';
  const condition = `(annual_revenue ${beyond} ${revenue} or annual_revenue = ${revenue} and id < ?)`;
  return {
    ...found,
    ...(after !== undefined && { behind: { condition, values: [after, after, after] } }),
    order: `annual_revenue${direction} nulls last, id desc`,
  };
}
