import { valueAt } from '../../runtime/model/validate.ts';
import { isMapping } from '../emit/json.ts';
import { referencesOf, type Resource } from '../model/model.ts';
import { parseExpression } from '../rules/parse.ts';
import { valueWithoutItems } from '../rules/partial.ts';
import type { ReadResource } from './resource.ts';

/** Refuses resources of which no record can ever be created. */
export function checkCreatable(read: readonly ReadResource[]): void {
  checkCircles(read);
  for (const one of read) if (one.resource?.kind === 'record') checkRules(one, one.resource);
}

/** Refuses circles of records that each need another one first. */
function checkCircles(read: readonly ReadResource[]): void {
  const all = new Map(read.flatMap(({ file, resource }) => (resource ? [[resource.key, { file, resource }]] : [])));
  const done = new Set<string>();
  const visit = (key: string, way: readonly string[]): void => {
    const one = all.get(key);
    if (!one || done.has(key)) return;
    const path = [...way, key];
    for (const { name, resource: other, required, nullable } of referencesOf(one.resource)) {
      if (!required || nullable || one.resource.kind === 'singleton') continue;
      const from = path.indexOf(other);
      if (from === -1) visit(other, path);
      else {
        const circle = [...path.slice(from + 1), other].map((needed) => `needs a ${needed}`).join(', which ');
        const message = `no ${other} can ever be created: it ${circle}; let a reference of them be optional`;
        one.file.atValue(['fields', name, 'references'], `${name}: ${message}`);
      }
    }
    done.add(key);
  };
  for (const key of all.keys()) visit(key, []);
}

/** Refuses rules that no record keeps before it has line items. */
function checkRules({ file }: ReadResource, { fields }: Resource): void {
  const valueOf = (name: string, way: readonly string[] = []): ReturnType<typeof valueWithoutItems> => {
    const computed = fields.find((field) => field.name === name)?.computed;
    const node = computed === undefined || way.includes(name) ? undefined : parseExpression(computed);
    return node && 'op' in node ? valueWithoutItems(node, (other) => valueOf(other, [...way, name])) : undefined;
  };
  const rules = valueAt(file.spec.data, ['rules']);
  for (const [index, rule] of (Array.isArray(rules) ? rules : []).entries()) {
    const valueAtFirst = (key: string): unknown => {
      const text: unknown = isMapping(rule) ? rule[key] : undefined;
      const node = typeof text === 'string' ? parseExpression(text) : undefined;
      return node && 'op' in node ? valueWithoutItems(node, valueOf) : undefined;
    };
    const applies = !isMapping(rule) || rule['when'] === undefined || valueAtFirst('when') === true;
    if (!applies || valueAtFirst('that') !== false) continue;
    const message =
      'a new record has no line items yet and would break this, so none could ever be created; write it as the `that` of the ' +
      'transition that needs them';
    file.atValue(['rules', index, 'that'], message);
  }
}
