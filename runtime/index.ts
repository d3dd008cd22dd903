/** The functions and types that generated code uses. */
export { main } from './cli/main.ts';
export { list, listItems, retrieve, retrieveSingleton } from './api/read-handlers.ts';
export { change, changeWith, create, remove, reorder, update } from './api/write-handlers.ts';
export * as field from './model/fields.ts';
export {
  backfilled,
  defaulted,
  immutable,
  initiallyNull,
  nullable,
  onceSet,
  optional,
  readOnly,
  renamed,
} from './model/fields.ts';
export { query } from './model/query.ts';
export { creatable, type SettingsTypesOf, type TypesOf, updatable } from './model/shapes.ts';
export { type Hooks, useHooks } from './records/hooks.ts';
export { lineItem, record, singleton } from './model/table.ts';
export type { Env, Service } from './api/service.ts';
