import type { z } from 'zod';
import { text, type Value } from '../../runtime/kernel/model/fields.ts';
import { valueAt } from '../../runtime/kernel/model/validate.ts';
import { isMapping } from '../emit/json.ts';
import { constantValue, enumValues } from '../model/language.ts';
import type { FieldType } from '../model/model.ts';
import type { SpecFile } from '../read/parse.ts';
import { quoted } from '../read/words.ts';
import { type CheckedFile, checkFormerNames } from './structure.ts';

/** The parts of spec/service.yaml that fields refer to. A name has no value there if what is written for it is wrong. */
export interface ServiceValues {
  readonly constants: ReadonlyMap<string, Value | undefined>;
  readonly enums: ReadonlyMap<string, WrittenEnum | undefined>;
  readonly timeZone: string;
  /** Whether resources have events that say nothing else. */
  readonly events: boolean;
}

/** An enum as it is written. */
export type WrittenEnum = z.infer<typeof enumValues>;

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

/** The values of an enum, with their former names. */
const entriesOf = (written: WrittenEnum): { readonly value: string; readonly renamedFrom: readonly string[] }[] =>
  written.map((entry) =>
    typeof entry === 'string'
      ? { value: entry, renamedFrom: [] }
      : { value: entry.value, renamedFrom: [entry.renamed_from].flat() },
  );

/** The type of a field with the values of an enum. @param from the name that the enum has in spec/service.yaml */
export function enumType(written: WrittenEnum, from?: string): Extract<FieldType, { type: 'enum' }> {
  const entries = entriesOf(written);
  const former = entries.flatMap(({ value, renamedFrom }) => renamedFrom.map((name) => [name, value] as const));
  return { type: 'enum', values: entries.map(({ value }) => value), formerValues: Object.fromEntries(former), from };
}

/** Reports values of an enum that are there twice, or that no record can hold, and wrong former names; `prefix` begins the messages. */
export function checkEnum(file: CheckedFile, path: readonly PropertyKey[], written: WrittenEnum, prefix: string): void {
  const entries = entriesOf(written);
  const values = entries.map(({ value }) => value);
  file.checkRepeats(path, values, prefix);
  const renamed = entries.map(({ value, renamedFrom }, index) => ({
    file,
    path: [...path, index],
    label: value,
    renamedFrom,
  }));
  checkFormerNames(renamed, (former) => (values.includes(former) ? 'a value' : undefined), prefix);
  entries.forEach(({ value, renamedFrom }, index) => {
    for (const name of [value, ...renamedFrom]) {
      const rule = text().safeParse(name).error?.issues[0];
      if (rule) file.atValue([...path, index], `${prefix}the enum value ${quoted(name)} ${rule.message}`);
    }
  });
}
