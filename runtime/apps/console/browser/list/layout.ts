import { useState } from 'preact/hooks';
import { readStored, store } from '../stored.ts';
import type { Layout } from './columns.ts';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function readLayout(route: string): Layout {
  const stored = readStored('columns', route);
  const { names, widths }: { names?: unknown; widths?: unknown } = isObject(stored) ? stored : {};
  return {
    names: Array.isArray(names) ? names.filter((name) => typeof name === 'string') : undefined,
    widths: isObject(widths)
      ? Object.fromEntries(Object.entries(widths).filter(([, width]) => Number.isFinite(width)))
      : {},
  };
}

/** The layout of a list, which this browser keeps, and what changes it. */
export function useLayout(route: string): readonly [Layout, (layout: Layout) => void] {
  const [layout, setLayout] = useState(() => readLayout(route));
  const change = (changed: Layout): void => {
    // If the browser keeps nothing, it lasts as long as the page.
    store(changed, 'columns', route);
    setLayout(changed);
  };
  return [layout, change];
}
