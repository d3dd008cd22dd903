/** What generated code is made of. */
export { main } from './commands/main.ts';
export { list, listItems, retrieve, retrieveSingleton } from './http/handlers.ts';
export { create, remove, reorder, transition, update } from './http/write-handlers.ts';
export * as field from './schema/fields.ts';
export { backfilled, initiallyNull, nullable, optional, readOnly, renamed } from './schema/fields.ts';
export { creatable, updatable } from './schema/shapes.ts';
export { lineItem, record, singleton } from './schema/table.ts';
export type { Env, Service } from './service.ts';
