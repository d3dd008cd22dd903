import { type Field, isNumeric, type Resource } from '../model.ts';

/** The columns of a list as the user likes them. */
export interface Layout {
  /** The names of the fields that are shown, in their order; undefined for those of the spec. */
  readonly names?: readonly string[] | undefined;
  /** Widths in CSS pixels, by the names of fields; the others follow from the kinds of the fields. */
  readonly widths: Readonly<Record<string, number>>;
}

/** Longer texts, in characters, are no columns. */
const maxLength = 65_536;

/** The fields that a list can show: all but those that may be megabytes long. */
export const possibleColumns = ({ fields }: Resource): readonly Field[] =>
  fields.filter((field) => (field.maxLength ?? 0) <= maxLength);

/** The columns with these names, without those that there are no longer; those of the spec if none is left. */
export function columnsOf(resource: Resource, names: readonly string[] | undefined): readonly Field[] {
  const possible = possibleColumns(resource);
  const chosen = [...new Set(names)].flatMap((name) => possible.find((field) => field.name === name) ?? []);
  return chosen.length > 0 ? chosen : resource.columns;
}

/** The widths that users can give a column, in CSS pixels. */
export const minWidth = 56;
export const maxWidth = 1_200;

/** A layout in which a column has a width in CSS pixels; undefined for its usual one. */
export function withWidth(layout: Layout, name: string, width: number | undefined): Layout {
  const { [name]: _, ...others } = layout.widths;
  const limited = width === undefined ? {} : { [name]: Math.min(Math.max(Math.round(width), minWidth), maxWidth) };
  return { ...layout, widths: { ...others, ...limited } };
}

/** The least width of a column in CSS pixels, and its shares of what all columns leave. */
export interface Width {
  readonly width: number;
  readonly shares: number;
}

const fixed = (width: number): Width => ({ width, shares: 0 });
const growing = (width: number, shares = 1): Width => ({ width, shares });

/** Rows are told apart by their names: these get most of what is left. */
const sharesOfNames = 3;

function widthOfKind(field: Field, isState: boolean): Width {
  const { type, format, references, values } = field;
  if (references) return growing(140);
  if (isNumeric(field)) return fixed(112);
  if (type === 'boolean') return fixed(88);
  if (format === 'date') return fixed(124);
  if (format === 'date-time') return fixed(184);
  if (values || isState) return fixed(136);
  return growing(116);
}

/** The name that the column of the names of records has among widths. */
export const nameColumn = '';

/** A heading is seen whole up to so many pixels; a letter takes about so many, and what stands beside it. */
const [maxHeading, letter, besideHeading] = [200, 7.2, 40] as const;

const ownWidth = (name: string, { widths }: Layout): Width | undefined =>
  widths[name] === undefined ? undefined : fixed(Math.min(Math.max(widths[name], minWidth), maxWidth));

/** The width of the column of the names of records. */
export const widthOfNames = (layout: Layout): Width => ownWidth(nameColumn, layout) ?? growing(220, sharesOfNames);

interface Position {
  /** Its rows begin with it: it names the records. */
  readonly isFirst: boolean;
  /** Its values are states. */
  readonly isState: boolean;
}

/** The width of the column of a field. */
export function widthOf(field: Field, layout: Layout, { isFirst, isState }: Position): Width {
  const own = ownWidth(field.name, layout);
  if (own) return own;
  const { width, shares } = widthOfKind(field, isState);
  const heading = Math.min(field.title.length * letter + besideHeading, maxHeading);
  // A state or a number is seen whole, and names nothing.
  const isName = isFirst && shares > 0;
  return {
    width: Math.ceil(Math.max(width, heading, isName ? 208 : 0)),
    shares: isName ? sharesOfNames : shares,
  };
}

/** The widths of columns in CSS pixels: those with shares get what is left. @param available the width of all of them */
export function shareOut(widths: readonly Width[], available: number): readonly number[] {
  const all = widths.reduce((sum, { width }) => sum + width, 0);
  const shares = widths.reduce((sum, one) => sum + one.shares, 0);
  const share = Math.max(available - all, 0) / Math.max(shares, 1);
  return widths.map((one) => one.width + one.shares * share);
}

/** Whether rows begin with the names of their records: these are not made of columns alone. */
export const beginsWithName = ({ recordTitle }: Resource, columns: readonly Field[]): boolean =>
  recordTitle.some((path) => !columns.some(({ name }) => name === path));

/** The fields that a list with these columns asks for. */
export const requestedFields = (resource: Resource, columns: readonly Field[]): readonly Field[] => [
  ...(resource.recordTitle.length > 0 ? resource.titleFields : []),
  ...columns,
];
