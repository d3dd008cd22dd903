import { afterHooks } from './features/after-hooks/feature.ts';
import { archive } from './features/archive/feature.ts';
import { backup } from './features/backup/feature.ts';
import { batch } from './features/batch/feature.ts';
import { citus } from './features/citus/feature.ts';
import { conversions } from './features/conversions/feature.ts';
import { copies } from './features/copies/feature.ts';
import { counts } from './features/counts/feature.ts';
import { delivery } from './features/delivery/feature.ts';
import { hooks } from './features/hooks/feature.ts';
import { idempotency } from './features/idempotency/feature.ts';
import { keys } from './features/keys/feature.ts';
import { lineItems } from './features/line-items/feature.ts';
import { mcp } from './features/mcp/feature.ts';
import { metrics } from './features/metrics/feature.ts';
import { organizations } from './features/organizations/feature.ts';
import { projection } from './features/projection/feature.ts';
import { references } from './features/references/feature.ts';
import { renames } from './features/renames/feature.ts';
import { replicas } from './features/replicas/feature.ts';
import { rules } from './features/rules/feature.ts';
import { search } from './features/search/feature.ts';
import { sequences } from './features/sequences/feature.ts';
import { stamps } from './features/stamps/feature.ts';
import { states } from './features/states/feature.ts';
import { streams } from './features/streams/feature.ts';
import { textOrder } from './features/text-order/feature.ts';
import { trail } from './features/trail/feature.ts';
import { undo } from './features/undo/feature.ts';
import { unique } from './features/unique/feature.ts';
import { webhooks } from './features/webhooks/feature.ts';
import { workers } from './features/workers/feature.ts';
import type { Features } from './kernel/feature.ts';

/** The contents page of the server: every feature, in the order of their locks and of their reasons to refuse a write. */
export const features: Features = {
  list: [
    states,
    archive,
    undo,
    lineItems,
    stamps,
    copies,
    sequences,
    rules,
    references,
    conversions,
    renames,
    search,
    textOrder,
    projection,
    counts,
    unique,
    batch,
    streams,
    trail,
    idempotency,
    keys,
    organizations,
    hooks,
    afterHooks,
    webhooks,
    delivery,
    backup,
    mcp,
    metrics,
    workers,
    replicas,
    citus,
  ],
  module: import.meta.url,
};
