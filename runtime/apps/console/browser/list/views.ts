import { useEffect, useState } from 'preact/hooks';
import { readStored, store } from '../stored.ts';

/** A list with a name: which records of a resource, in which order, with which columns. */
export interface View {
  /** The route of the resource. */
  readonly resource: string;
  /** No two views of a resource have the same. */
  readonly name: string;
  /** As in the URL of the list, without the page. */
  readonly parameters: string;
  /** The start page shows it. */
  readonly isFavourite: boolean;
}

const isView = (value: unknown): value is View => {
  const { resource, name, parameters, isFavourite } = (value ?? {}) as Partial<View>;
  return [resource, name, parameters].every((text) => typeof text === 'string') && typeof isFavourite === 'boolean';
};

function readViews(): readonly View[] {
  const stored = readStored('views');
  return Array.isArray(stored) ? stored.filter(isView) : [];
}

/** Views that are kept in this browser, in the order in which they were made. */
export const viewsOf = (resource: string): readonly View[] => readViews().filter((view) => view.resource === resource);

/** The views that the start page shows. */
export const favourites = (): readonly View[] => readViews().filter(({ isFavourite }) => isFavourite);

const listeners = new Set<() => void>();

function writeViews(views: readonly View[]): boolean {
  const isKept = store(views, 'views');
  for (const listener of listeners) listener();
  return isKept;
}

const isSame = (one: Pick<View, 'resource' | 'name'>, other: Pick<View, 'resource' | 'name'>): boolean =>
  one.resource === other.resource && one.name === other.name;

/**
 * Keeps a view, in the place of that with the same name.
 *
 * @param replaced the view that it was before, which may have had another name
 * @returns whether the browser lets the page keep anything
 */
export function keepView(view: View, replaced: Pick<View, 'resource' | 'name'> = view): boolean {
  const views = readViews().filter((other) => isSame(other, replaced) || !isSame(other, view));
  const isThere = views.some((other) => isSame(other, replaced));
  return writeViews(isThere ? views.map((other) => (isSame(other, replaced) ? view : other)) : [...views, view]);
}

/** Removes a view. @returns whether the browser lets the page keep anything */
export const removeView = (view: View): boolean => writeViews(readViews().filter((other) => !isSame(other, view)));

/** The views of a resource, also while they change in this tab or in another one. */
export function useViews(resource: string): readonly View[] {
  const [, redraw] = useState({});
  useEffect(() => {
    const listener = (): void => redraw({});
    listeners.add(listener);
    addEventListener('storage', listener);
    return () => {
      listeners.delete(listener);
      removeEventListener('storage', listener);
    };
  }, []);
  return viewsOf(resource);
}
