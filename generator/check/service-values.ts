import type { z } from 'zod';
import { text, type Value } from '../../runtime/model/fields.ts';
import { valueAt } from '../../runtime/model/validate.ts';
import { isMapping } from '../emit/json.ts';
import { constantValue, enumValues } from '../model/language.ts';
import type { SpecFile } from '../read/parse.ts';
import { quoted } from '../read/words.ts';
import type { CheckedFile } from './structure.ts';

/** The parts of spec/service.yaml that fields refer to. A name has no value there if what is written for it is wrong. */
export interface ServiceValues {
  readonly constants: ReadonlyMap<string, Value | undefined>;
  readonly enums: ReadonlyMap<string, readonly string[] | undefined>;
  readonly timeZone: string;
  /** Whether resources have events that say nothing else. */
  readonly events: boolean;
}

/** Reads them also from a file with errors: a wrong constant is not a missing one. Undefined if there is no file. */
export function readServiceValues(file: SpecFile | undefined): ServiceValues | undefined {
  if (!file) return undefined;
  const timeZone = valueAt(file.data, ['time_zone']);
  return {
    constants: namedValues(file, 'constants', constantValue),
    enums: namedValues(file, 'enums', enumValues),
    timeZone: typeof timeZone === 'string' ? timeZone : 'UTC',
    events: valueAt(file.data, ['events']) !== 'off',
  };
}

function namedValues<T>(file: SpecFile, key: string, schema: z.ZodType<T>): ReadonlyMap<string, T | undefined> {
  const written = valueAt(file.data, [key]);
  const entries = Object.entries(isMapping(written) ? written : {});
  return new Map(entries.map(([name, value]) => [name, schema.safeParse(value).data]));
}

/** Reports values of an enum that are there twice, or that no record can hold; `prefix` begins the messages. */
export function checkEnum(
  file: CheckedFile,
  path: readonly PropertyKey[],
  values: readonly string[],
  prefix: string,
): void {
  file.checkRepeats(path, values, prefix);
  values.forEach((value, index) => {
    const rule = text().safeParse(value).error?.issues[0];
    if (rule) file.atValue([...path, index], `${prefix}the enum value ${quoted(value)} ${rule.message}`);
  });
}
