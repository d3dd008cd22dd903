import { features } from '../../runtime/features.ts';
import { allCodes, type FeatureCode } from '../../runtime/kernel/model/error-codes.ts';

/** Every code that a response of a service can carry. */
export const errorCodes: ReadonlyMap<string, FeatureCode> = new Map(
  allCodes(features.list).map((row) => [row.code, row]),
);
