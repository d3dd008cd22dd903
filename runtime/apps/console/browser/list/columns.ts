import { useState } from 'preact/hooks';
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

/** A layout stands in an item of the local storage with this name; several services can share an origin. */
const storageName = (route: string): string => `console-columns ${location.pathname} ${route}`;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function readLayout(route: string): Layout {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageName(route)) ?? '{}');
    const { names, widths }: { names?: unknown; widths?: unknown } = isObject(stored) ? stored : {};
    return {
      names: Array.isArray(names) ? names.filter((name) => typeof name === 'string') : undefined,
      widths: isObject(widths)
        ? Object.fromEntries(Object.entries(widths).filter(([, width]) => Number.isFinite(width)))
        : {},
    };
  } catch {
    return { widths: {} };
  }
}

function writeLayout(route: string, layout: Layout): void {
  try {
    localStorage.setItem(storageName(route), JSON.stringify(layout));
  } catch {
    // The browser keeps nothing: the layout lasts as long as the page.
  }
}

/** The layout of a list, which this browser keeps, and what changes it. */
export function useLayout(route: string): readonly [Layout, (layout: Layout) => void] {
  const [layout, setLayout] = useState(() => readLayout(route));
  const change = (changed: Layout): void => {
    writeLayout(route, changed);
    setLayout(changed);
  };
  return [layout, change];
}

/** The widths that users can give a column, in CSS pixels. */
export const [minWidth, maxWidth] = [56, 1_200] as const;

/** The width of a column in CSS pixels, and whether it takes what the others leave. */
export interface Width {
  readonly width: number;
  readonly grows: boolean;
}

const fixed = (width: number): Width => ({ width, grows: false });
const growing = (width: number): Width => ({ width, grows: true });

function widthOfKind(field: Field): Width {
  const { type, format, references, values } = field;
  if (references) return growing(150);
  if (isNumeric(field)) return fixed(112);
  if (type === 'boolean') return fixed(88);
  if (format === 'date') return fixed(124);
  if (format === 'date-time') return fixed(184);
  if (values) return fixed(136);
  return growing((field.maxLength ?? 0) > 1_000 ? 190 : 150);
}

/** A heading is seen whole up to so many pixels; a letter takes about so many, and what stands beside it. */
const [maxHeading, letter, besideHeading] = [200, 7.4, 42] as const;

/** The width of the column of a field. @param isFirst it names the records */
export function widthOf(field: Field, { widths }: Layout, isFirst: boolean): Width {
  const own = widths[field.name];
  if (own !== undefined) return fixed(Math.min(Math.max(own, minWidth), maxWidth));
  const { width, grows } = widthOfKind(field);
  const heading = Math.min(field.title.length * letter + besideHeading, maxHeading);
  return { width: Math.ceil(Math.max(width, heading, isFirst ? 180 : 0)), grows: grows || isFirst };
}

/** Whether rows begin with the names of their records: these are not made of columns alone. */
export const beginsWithName = ({ recordTitle }: Resource, columns: readonly Field[]): boolean =>
  recordTitle.some((path) => !columns.some(({ name }) => name === path));

/** The fields that a list with these columns asks for. */
export const requestedFields = (resource: Resource, columns: readonly Field[]): readonly Field[] => [
  ...(resource.recordTitle.length > 0 ? resource.titleFields : []),
  ...columns,
];
