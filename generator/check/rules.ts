import type { Kind } from '../../runtime/model/operations.ts';
import { valueAt } from '../../runtime/model/validate.ts';
import { isMapping } from '../emit/json.ts';
import type { Field, Rule } from '../model/model.ts';
import { resourceKeyOf } from '../read/paths.ts';
import type { Report, Scope } from '../rules/checking.ts';
import { compileCondition, variablesOf } from '../rules/compile.ts';
import type { Facts } from '../rules/operand.ts';
import { namedField } from './field.ts';
import type { CheckedFile } from './structure.ts';

/** The names that expressions about the records of a file have. */
export function scopeOf(file: CheckedFile, kind: Kind, fields: readonly Field[], timeZone = 'UTC'): Scope {
  const written = valueAt(file.spec.data, ['fields']);
  const declared = isMapping(written) ? Object.keys(written) : [];
  const itemKeys = file.names.itemsOf(resourceKeyOf(file.spec.path));
  return { fields: variablesOf(fields, { kind }), declared: new Set(declared), itemKeys, timeZone };
}

/** Reports faults of an expression at their places in a file. */
export const reportAt =
  (file: CheckedFile, path: readonly PropertyKey[]): Report =>
  (part, message, severity) =>
    file.atPart(path, part, message, severity);

/** Reads and checks the rules under `rules`, as far as their values have the right types. @returns those that are whole */
export function readRules(file: CheckedFile, fields: readonly Field[], scope: Scope): Rule[] {
  const written = valueAt(file.spec.data, ['rules']);
  const rules: readonly unknown[] = Array.isArray(written) ? written : [];
  return rules.flatMap((rule, index) => readRule(file, fields, scope, ['rules', index], rule) ?? []);
}

/** Reads one rule. Undefined if it has errors. @param facts what is known of the fields */
export function readRule(
  file: CheckedFile,
  fields: readonly Field[],
  scope: Scope,
  path: readonly PropertyKey[],
  written: unknown,
  facts?: Facts,
): Rule | undefined {
  const textOf = (key: string): string | undefined => {
    const value = valueAt(written, [key]);
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  const [given, text, field] = [textOf('when'), textOf('that'), textOf('field')];
  const when =
    given === undefined ? undefined : compileCondition(given, scope, reportAt(file, [...path, 'when']), facts);
  const that =
    text === undefined
      ? undefined
      : compileCondition(text, scope, reportAt(file, [...path, 'that']), when?.ifTrue ?? facts);
  if (field !== undefined) namedField(file, fields, field, [...path, 'field']);
  if (!that || (given !== undefined && !when)) return undefined;
  return { that: that.expression, when: when?.expression, message: textOf('message')?.trim() ?? '', field };
}
