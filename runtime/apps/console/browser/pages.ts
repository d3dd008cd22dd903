/** The pages that are loaded when they are needed. */
export { LineItemsPage } from './line-items.ts';
export { RecordPage } from './record.ts';
