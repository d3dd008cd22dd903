import { leadTable } from '../../service/generated/tables.ts';

/** The fields of a lead: the peer stores and answers the same. */
export const columns = leadTable.columns;

export const quote = (name: string): string => `"${name}"`;
