import type { Feature } from '../../kernel/feature.ts';
import { owners } from './owners.ts';
import { describeReorder, reorder } from './reorder.ts';

/** Line items: they go with their parent, whose states may lock them, and have an order, which a reorder changes. */
export const lineItems: Feature = {
  name: 'line-items',
  needs: ['states'],
  write: owners,
  writes: { reorder },
  describe: describeReorder,
};
