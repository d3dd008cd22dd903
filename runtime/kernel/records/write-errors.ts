import { ApiError, invalidBody, invalidFields, notFound } from '../model/errors.ts';
import { etagOf } from '../model/etag.ts';
import { targetsOf } from '../model/fields.ts';
import { maxBatchResults } from '../model/limits.ts';
import type { Table } from '../model/table.ts';
import { quoted } from '../model/text.ts';
import { fixedField } from './fixed-fields.ts';
import { inputsOf, recordTooLarge } from './prepare.ts';
import type {
  IsReadable,
  KernelRejections,
  RejectedWrite,
  Rejections,
  Words,
  WriteOf,
  WriteRejection,
} from './write.ts';

const words: Words<keyof KernelRejections> = {
  not_found: ({ id }, { table }) => notFound(table.title, id),
  stale: ({ version }, { table }) =>
    new ApiError('stale', `The ${table.title} was changed: its ETag is ${etagOf(version)} now.`, {
      headers: { ETag: etagOf(version) },
    }),
  unexpected: ({ columns }, { table }) => invalidBody(columns.map((name) => fixedField(table, name))),
  wrong_state({ state }, { table, write }) {
    const { field, from } = write as WriteOf<'transition'>;
    const states = from.map((one) => JSON.stringify(one)).join(' or ');
    const actual = typeof state === 'string' ? quoted(state) : String(state);
    return new ApiError('wrong_state', `The ${field} of the ${table.title} is ${actual}; it must be ${states}.`);
  },
  null_in_required: ({ columns }, { write }) =>
    invalidFields(columns, 'null_not_allowed', `must have a value to ${(write as WriteOf<'transition'>).name}`),
  parent_missing(_, { table: { parent }, body = {} }) {
    const { field = '', table = '' } = parent ?? {};
    const id = quoted(String(body[field]));
    return new ApiError('parent_missing', `No ${table.replaceAll('_', ' ')} has the id ${id} given in ${field}.`);
  },
  reference_missing: ({ columns }, { table, body = {} }) => referenceMissing(table, columns, body),
  idx_exhausted: () =>
    new ApiError('idx_exhausted', 'The last item has the largest possible idx. Give it a smaller one first.'),
  record_too_large: (_, { table }) => recordTooLarge(table),
  results_too_large() {
    const mebibytes = maxBatchResults / 1024 / 1024;
    const detail = `The results of the batch are longer than ${mebibytes} MiB. Send fewer operations at once.`;
    return new ApiError('body_too_large', detail);
  },
};

function referenceMissing(
  { columns }: Table,
  missing: readonly string[],
  body: NonNullable<RejectedWrite['body']>,
): ApiError {
  const errors = missing.map((name) => {
    const references = columns.find((column) => column.name === name)?.references;
    const tables = references ? targetsOf(references).map((table) => table.replaceAll('_', ' ')) : [];
    const message = `names no ${tables.join(' and no ')}: none has the id ${quoted(String(body[name]))}`;
    return { pointer: `/${name}`, code: 'reference_missing', message } as const;
  });
  const [first] = errors;
  return new ApiError('reference_missing', `The field ${missing[0]} ${first?.message}.`, { errors });
}

/** The words for all rejections: a feature that declares one has the words for it. */
export const wordsOf = (features: readonly { readonly describe?: Partial<Words<keyof Rejections>> }[]) =>
  Object.assign({}, words, ...features.map(({ describe }) => describe)) as Words<keyof Rejections>;

/** The error of a write that was not done. Its pointers lead into the body of the request. */
export function errorOf(
  all: Words<keyof Rejections>,
  rejected: RejectedWrite,
  rejection: WriteRejection,
  isReadable: IsReadable,
): ApiError {
  const describe = all[rejection.outcome] as Words<'not_found'>['not_found'];
  const error = describe(rejection as WriteRejection<'not_found'>, rejected, isReadable);
  return rejected.write.op === 'transition' ? error.ofBody(inputsOf(rejected.write)) : error;
}
