import type { Operation } from '../language.ts';
import type { Resource } from '../model.ts';

/** The statuses of every operation under the service's path, beside its own. */
export const sharedStatuses = [401, 500, 503] as const;

export type SuccessStatus = 200 | 201;
export type FailureStatus = 400 | 401 | 404 | 409 | 413 | 415 | 422 | 500 | 503;

/** What an operation can answer. */
export interface Statuses {
  readonly success: SuccessStatus;
  readonly failures: readonly FailureStatus[];
}

const body = [413, 415, 422] as const;

/** What an operation can answer, beside what all of them can. */
export function statusesOf(resource: Resource, operation: Operation): Statuses {
  const hasParentHere = resource.parent?.resource !== undefined;
  switch (operation) {
    case 'list':
      return { success: 200, failures: [400] };
    case 'create':
      return { success: 201, failures: resource.kind === 'line-item' ? [400, 409, ...body] : [400, ...body] };
    case 'retrieve':
      return { success: 200, failures: resource.kind === 'singleton' ? [400] : [400, 404] };
    case 'update':
      return { success: 200, failures: hasParentHere ? [400, 404, 409, ...body] : [400, 404, ...body] };
    case 'delete':
      return { success: 200, failures: [400, 404] };
    case 'reorder':
      return { success: 200, failures: [400, 404, ...body] };
  }
}

/** What a transition can answer, beside what all operations can. */
export const transitionStatuses: Statuses = { success: 200, failures: [400, 404, 409] };
