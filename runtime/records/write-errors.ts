import { ApiError, invalidBody, notFound, type ReferencedBy, ruleViolated } from '../model/errors.ts';
import { etagOf } from '../model/etag.ts';
import { maxBatchResults, maxCascade, maxNamed } from '../model/limits.ts';
import type { Table } from '../model/table.ts';
import { quoted } from '../model/text.ts';
import { fixedField } from './fixed-fields.ts';
import { type Fields, inputsOf, invalidFields, type PreparedWrite, recordTooLarge } from './prepare.ts';
import type { WriteOf, WriteRejection } from './write.ts';

/** Whether the key may read a resource, by its path: errors name no records of others. */
export type IsReadable = (path: string) => boolean;

function notUnique(
  { title, path }: Table,
  { fields, id: stored }: Extract<WriteRejection, { outcome: 'not_unique' }>,
  isReadable: IsReadable,
): ApiError {
  const id = isReadable(path) ? stored : undefined;
  const [subject, holder] =
    stored === undefined
      ? [`An earlier operation creates a ${title} with`, 'an earlier operation']
      : id === undefined
        ? [`Another ${title} has`, `another ${title}`]
        : [`The ${title} ${id} has`, id];
  const messageOf = (name: string): string => {
    const others = fields.filter((other) => other !== name);
    const rest = others.length === 0 ? '' : `, and so is ${others.join(' and ')}`;
    return `is the same as in ${holder}${rest}`;
  };
  return new ApiError('not_unique', `${subject} the same ${fields.join(' and ')}.`, {
    errors: fields.map((name) => ({ pointer: `/${name}`, code: 'not_unique', message: messageOf(name) })),
    ...(id !== undefined && { conflicting_id: id }),
  });
}

function referenceMissing({ columns }: Table, missing: readonly string[], body: Fields): ApiError {
  const errors = missing.map((name) => {
    const table = columns.find((column) => column.name === name)?.references?.table ?? '';
    const message = `names no ${table.replaceAll('_', ' ')}: none has the id ${quoted(String(body[name]))}`;
    return { pointer: `/${name}`, code: 'reference_missing', message } as const;
  });
  const [first] = errors;
  return new ApiError('reference_missing', `The field ${missing[0]} ${first?.message}.`, { errors });
}

function stillReferenced({ title }: Table, by: readonly ReferencedBy[], isReadable: IsReadable): ApiError {
  const shown = by.filter(({ resource }) => isReadable(resource));
  const words = shown.map(({ resource, field, ids }) => {
    const others = ids.length > maxNamed ? ' and others' : '';
    const named = ids.length === 0 ? 'created by an earlier operation' : ids.slice(0, maxNamed).join(', ');
    return `by ${field} of ${resource} (${named}${others})`;
  });
  if (shown.length < by.length) words.push('by records that the key may not read');
  const referencing = shown.map((one) => ({ ...one, ids: one.ids.slice(0, maxNamed) }));
  return new ApiError('still_referenced', `The ${title} is still referenced ${words.join('; ')}.`, {
    referenced_by: referencing,
  });
}

/** The error of a write that was not done. Its pointers lead into the body of the request. */
export function errorOf(prepared: PreparedWrite, failure: WriteRejection, isReadable: IsReadable): ApiError {
  const error = recordError(prepared, failure, isReadable);
  return prepared.write.op === 'transition' ? error.ofBody(inputsOf(prepared.write)) : error;
}

/** The same, with pointers to fields of the record. A new outcome does not compile until it has a case here. */
function recordError(prepared: PreparedWrite, failure: WriteRejection, isReadable: IsReadable): ApiError {
  const { table, write, body = {} } = prepared;
  switch (failure.outcome) {
    case 'not_found':
      return notFound(table.title, failure.id);
    case 'stale':
      return new ApiError('stale', `The ${table.title} was changed: its ETag is ${etagOf(failure.version)} now.`, {
        headers: { ETag: etagOf(failure.version) },
      });
    case 'unexpected':
      return invalidBody(failure.columns.map((name) => fixedField(table, name)));
    case 'wrong_state': {
      const { field, from } = write as WriteOf<'transition'>;
      const states = from.map((state) => JSON.stringify(state)).join(' or ');
      const state = typeof failure.state === 'string' ? quoted(failure.state) : String(failure.state);
      return new ApiError('wrong_state', `The ${field} of the ${table.title} is ${state}; it must be ${states}.`);
    }
    case 'null_in_required':
      return invalidFields(
        failure.columns,
        'null_not_allowed',
        `must have a value to ${(write as WriteOf<'transition'>).name}`,
      );
    case 'rule_violated':
      return ruleViolated(failure.violations);
    case 'locked': {
      const { title, resource, id = '', field, state } = failure;
      const record = isReadable(resource) ? `The ${title} ${id}` : 'A record that the key may not read';
      return new ApiError('locked', `${record.trim()} is locked: its ${field} is ${quoted(state)}.`);
    }
    case 'parent_missing': {
      const field = table.parent?.field ?? '';
      const title = (table.parent?.table ?? '').replaceAll('_', ' ');
      const id = quoted(String(body[field]));
      return new ApiError('parent_missing', `No ${title} has the id ${id} given in ${field}.`);
    }
    case 'not_unique':
      return notUnique(table, failure, isReadable);
    case 'reference_missing':
      return referenceMissing(table, failure.columns, body);
    case 'still_referenced':
      return stillReferenced(table, failure.by, isReadable);
    case 'cascade_too_large': {
      const detail = `The delete of the ${table.title} would delete or change more than ${maxCascade} other records.`;
      return new ApiError('cascade_too_large', `${detail} Delete some of them first.`);
    }
    case 'idx_exhausted':
      return new ApiError('idx_exhausted', 'The last item has the largest possible idx. Give it a smaller one first.');
    case 'different_parent': {
      const paths = failure.indices.map((index) => `items/${index}/id`);
      return invalidFields(paths, 'different_parent', 'belongs to another parent than the first item');
    }
    case 'record_too_large':
      return recordTooLarge(table);
    case 'results_too_large': {
      const mebibytes = maxBatchResults / 1024 / 1024;
      const detail = `The results of the batch are longer than ${mebibytes} MiB. Send fewer operations at once.`;
      return new ApiError('body_too_large', detail);
    }
  }
}
