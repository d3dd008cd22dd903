import { useState } from 'preact/hooks';
import type { Layout } from './columns.ts';

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
