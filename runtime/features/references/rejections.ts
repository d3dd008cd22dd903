import { ApiError, type ReferencedBy } from '../../kernel/model/errors.ts';
import { maxCascade, maxNamed } from '../../kernel/model/limits.ts';
import type { Words } from '../../kernel/records/write.ts';
import type { FeatureCode } from '../../kernel/model/error-codes.ts';

export const stillReferenced = {
  code: 'still_referenced',
  behind: 'reference_missing',
  status: 409,
  title: 'Still referenced',
  meaning: 'Other records reference the record, or one that would be deleted with it. Nothing was done.',
  remedy: 'Delete the records that `referenced_by` lists first, or have them reference another one.',
} as const satisfies FeatureCode;

export const cascadeTooLarge = {
  code: 'cascade_too_large',
  behind: 'still_referenced',
  status: 409,
  title: 'Cascade too large',
  meaning: 'The delete would delete or change more than 10,000 other records. Nothing was done.',
  remedy: 'Delete the records that reference it first, several times if need be.',
} as const satisfies FeatureCode;

declare module '../../kernel/records/write.ts' {
  interface Rejections {
    still_referenced: { by: readonly ReferencedBy[] };
    /** A delete would delete or change more than `maxCascade` other records. */
    cascade_too_large: unknown;
  }
}

export const describeRejections: Words<'still_referenced' | 'cascade_too_large'> = {
  still_referenced({ by }, { table: { title } }, isReadable) {
    const shown = by.filter(({ resource }) => isReadable(resource));
    const words = shown.map(({ resource, field, ids }) => {
      const others = ids.length > maxNamed ? ' and others' : '';
      const named = ids.length === 0 ? 'created by an earlier operation' : ids.slice(0, maxNamed).join(', ');
      return `by ${field} of ${resource} (${named}${others})`;
    });
    if (shown.length < by.length) words.push('by records that the key may not read');
    const referencing = shown.map((one) => ({ ...one, ids: one.ids.slice(0, maxNamed) }));
    return new ApiError(stillReferenced, `The ${title} is still referenced ${words.join('; ')}.`, {
      referenced_by: referencing,
    });
  },
  cascade_too_large(_, { table: { title } }) {
    const detail = `The delete of the ${title} would delete or change more than ${maxCascade} other records.`;
    return new ApiError(cascadeTooLarge, `${detail} Delete some of them first.`);
  },
};
