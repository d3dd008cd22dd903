import { valueAt } from '../../runtime/kernel/model/validate.ts';
import { isMapping } from '../emit/json.ts';
import { referencesOf, type Resource } from '../model/model.ts';
import { parseExpression } from '../rules/parse.ts';
import { isZeroDivision, valueWithoutItems, type ZeroDivision } from '../rules/partial.ts';
import type { ReadResource } from './resource.ts';
import { reportAt } from './rules.ts';
import type { CheckedFile } from './structure.ts';

/** Refuses resources of which no record can ever be created. */
export function checkCreatable(read: readonly ReadResource[]): void {
  checkCircles(read);
  for (const { file, resource } of read) if (resource?.kind === 'record') checkValues(file, resource);
}

/** Refuses circles of records that each need another one first. */
function checkCircles(read: readonly ReadResource[]): void {
  const all = new Map(read.flatMap(({ file, resource }) => (resource ? [[resource.key, { file, resource }]] : [])));
  const done = new Set<string>();
  const visit = (key: string, way: readonly string[]): void => {
    const needing = all.get(key);
    if (!needing || done.has(key)) return;
    const path = [...way, key];
    for (const { name, resource: other, others, required, nullable } of referencesOf(needing.resource)) {
      // A record of another resource may do.
      if (!required || nullable || others.length > 0 || needing.resource.kind === 'singleton') continue;
      const from = path.indexOf(other);
      if (from === -1) visit(other, path);
      else {
        const circle = [...path.slice(from + 1), other].map((needed) => `needs a ${needed}`).join(', which ');
        const message = `no ${other} can ever be created: it ${circle}; let a reference of them be optional`;
        needing.file.atValue(['fields', name, 'references'], `${name}: ${message}`);
      }
    }
    done.add(key);
  };
  for (const key of all.keys()) visit(key, []);
}

/** Refuses rules that no record keeps before it has line items, and divisions by zero. */
function checkValues(file: CheckedFile, { fields, transitions }: Resource): void {
  const valueIn = (text: unknown, way: readonly string[] = []): ReturnType<typeof valueWithoutItems> => {
    const node = typeof text === 'string' ? parseExpression(text) : undefined;
    const valueOf = (name: string): ReturnType<typeof valueWithoutItems> => {
      const { computed, readOnly, default: first } = fields.find((field) => field.name === name) ?? {};
      // A new record has the first one of closed states.
      if (readOnly && transitions.some(({ field }) => field === name)) return first as string;
      const value = way.includes(name) ? undefined : valueIn(computed, [...way, name]);
      // The division is reported at its own field alone.
      return isZeroDivision(value) ? undefined : value;
    };
    return node && 'op' in node ? valueWithoutItems(node, valueOf) : undefined;
  };
  const refuseDivision = (path: readonly PropertyKey[], { divisor }: ZeroDivision, guard: string): void => {
    const { input, start, end } = divisor;
    const message =
      'this is 0 in a new record, which has nothing to add up yet, so none could ever be created; write ' +
      `${input.slice(start, end)} ${guard} …`;
    reportAt(file, path)([start, end], message);
  };
  for (const { name, computed } of fields) {
    const value = valueIn(computed, [name]);
    if (isZeroDivision(value)) refuseDivision(['fields', name, 'computed'], value, '== 0 ? 0 :');
  }
  const rules = valueAt(file.spec.data, ['rules']);
  for (const [index, rule] of (Array.isArray(rules) ? rules : []).entries()) {
    const [when, that] = ['when', 'that'].map((key) => (isMapping(rule) ? valueIn(rule[key]) : undefined));
    const isLimited = isMapping(rule) && rule['when'] !== undefined;
    if (isZeroDivision(when)) refuseDivision(['rules', index, 'when'], when, '!= 0 &&');
    if (isLimited && when !== true) continue;
    if (isZeroDivision(that)) refuseDivision(['rules', index, 'that'], that, '== 0 ||');
    if (that !== false) continue;
    const message =
      'a new record has nothing to add up yet and would break this, so none could ever be created; write it as the `that` of the ' +
      'transition that needs them';
    file.atValue(['rules', index, 'that'], message);
  }
}
