import { allows } from '../api.ts';
import type { Area, Resource } from '../model.ts';
import type { Session } from '../reference.ts';
import { texts } from '../texts.ts';

/** The route of the page of what was written lately, in all resources. */
export const activityRoute = 'activity';

/** The page of what was written lately; undefined if the key may not see it. */
export const activityOf = ({ key }: Session): { readonly route: string; readonly title: string } | undefined =>
  allows(key, 'events', 'read') ? { route: activityRoute, title: texts.shell.activity } : undefined;

/** Whether it has a page of its own: line items of a record of this service are on the page of that. */
const hasPage = ({ kind, parent }: Resource): boolean => kind !== 'line-item' || parent?.path === undefined;

/** The areas, and the resources in them that have a page and that a key may read. */
export const visibleAreas = ({ model, key }: Session): readonly Area[] =>
  model.areas
    .map(({ title, resources }) => ({
      title,
      resources: resources.filter((resource) => hasPage(resource) && allows(key, resource.route, 'read')),
    }))
    .filter(({ resources }) => resources.length > 0);

/** Whether a key may create records of a resource on a page of their own. */
export const mayCreate = ({ key }: Session, { kind, can, route }: Resource): boolean =>
  kind === 'record' && can.create && allows(key, route, 'write');
