import type { z } from 'zod';
import type { Feature } from '../../kernel/feature.ts';
import { changed, type Optional, type Source } from '../../kernel/model/fields.ts';
import { copying, describeNothingToCopy } from './write-part.ts';

/** A create copies values from other records into fields that its body leaves out. */
export const copies: Feature = { name: 'copies', write: copying, describe: describeNothingToCopy };

/** A field that a create may leave out: it gets the value that the field of another record has then. */
export const copied = <S extends z.ZodType>(field: S, source: Source): S & Optional =>
  changed(field, { presence: 'optional', copies: source });
