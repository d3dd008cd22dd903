/** The functions and types that generated code uses. */
export { main } from './cli/main.ts';
export { list, listItems, retrieve, retrieveSingleton } from './kernel/api/read-handlers.ts';
export { change, changeWith, create, remove, reorder, update } from './kernel/api/write-handlers.ts';
export * as field from './kernel/model/fields.ts';
export {
  actor,
  backfilled,
  defaulted,
  immutable,
  initiallyNull,
  nullable,
  onceSet,
  optional,
  readOnly,
  renamed,
} from './kernel/model/fields.ts';
export { query } from './kernel/model/query.ts';
export { creatable, updatable } from './kernel/model/shapes.ts';
export { type Hooks, useHooks } from './features/hooks/hooks.ts';
export type { ItemTypesOf, SettingsTypesOf, TypesOf } from './features/hooks/types.ts';
export { lineItem, listed, record, singleton, transition } from './kernel/model/table.ts';
export { archived } from './features/archive/feature.ts';
export { copied } from './features/copies/feature.ts';
export { counted } from './features/counts/feature.ts';
export { expands } from './features/projection/feature.ts';
export { refers } from './features/references/feature.ts';
export { ruled } from './features/rules/feature.ts';
export { sequence } from './features/sequences/feature.ts';
export { always } from './features/stamps/feature.ts';
export { locked } from './features/states/feature.ts';
export { unique } from './features/unique/columns.ts';
export type { Env, Service } from './kernel/api/service.ts';
