import type { Field, Resource, Service } from '../model/model.ts';
import { either } from '../model/names.ts';
import { specFile } from '../read/paths.ts';
import { changesBetween } from './api.ts';
import type { ApiChange } from './change.ts';
import { pairFields, pairResources } from './pairs.ts';

/** Changes of one resource, and resources, that are named; `npm run changes` reports all. */
const mostNamed = 6;

/**
 * Describes a save of the spec: a line for each resource that changes, and the fate of the data of removed fields and
 * resources, because under `npm run dev` every save is a start.
 */
export function describeSave(before: Service, after: Service): string[] {
  const groups = [...Map.groupBy(changesBetween(before, after), ({ resource }) => resource ?? 'service')];
  const lines = groups.slice(0, mostNamed).map(([name, changes]) => `changed  ${name}: ${namesOf(name, changes)}`);
  const omitted = groups.length - lines.length;
  if (omitted > 0) lines.push(`changed  ${omitted} more: \`npm run changes\` reports all`);
  return [...lines, ...leftBehind(before, after)];
}

/** `market added, website removed (breaking)`. */
function namesOf(name: string, changes: readonly ApiChange[]): string {
  const named = changes.slice(0, mostNamed).map(({ id, verdict }) => {
    const words = id.slice(name.length + 1).replaceAll('/', ' ');
    return `${words}${verdict === 'breaking' ? ' (breaking)' : ''}`;
  });
  const omitted = changes.length - named.length;
  return [...named, ...(omitted > 0 ? [`${omitted} more`] : [])].join(', ');
}

/** Fields and resources that are gone, without one that has their place: where their data is, and the line to write. */
function leftBehind(before: Service, after: Service): string[] {
  const { pairs, removed, added } = pairResources(before, after);
  const sameTable = pairs.filter((pair) => pair.sameTable);
  const replaced = pairs.filter((pair) => !pair.sameTable);
  return [
    ...sameTable.flatMap((pair) => {
      const fields = pairFields(pair.before, pair.after);
      return fields.removed.flatMap((field) => leftByField(pair.after, field, fields.added));
    }),
    ...removed.flatMap((resource) => leftByResource(resource, added)),
    ...replaced.flatMap((pair) => leftByResource(pair.before, [pair.after])),
  ];
}

function leftByField({ key, name: table }: Resource, { name, type }: Field, added: readonly Field[]): string[] {
  const heirs = added.filter((field) => field.type === type && field.renamedFrom.length === 0);
  const heir = heirs.length === 1 ? heirs[0]?.name : undefined;
  return [
    `${specFile(key)}: ${name} is gone. Its data stays in the column "${name}" of the table "${table}", which no field shows.`,
    heir === undefined
      ? `  If another field has its place, add to that one: renamed_from: ${name}`
      : `  If it is called ${heir} now, add to ${heir}: renamed_from: ${name}. A start that has added ${heir} before says how to copy the values.`,
    `  To delete the data: npm run migrate -- --drop ${table}.${name}`,
  ];
}

function leftByResource({ key, name, kind }: Resource, added: readonly Resource[]): string[] {
  const heirs = added.filter((resource) => resource.kind === kind && resource.renamedFrom.length === 0);
  const files = either(heirs.map((heir) => specFile(heir.key)));
  return [
    `${key} is gone. Its rows stay in the table "${name}", which no resource shows.`,
    `  If another resource has its place, add to ${files || 'its spec'}: renamed_from: ${name}`,
    `  To delete the data: npm run migrate -- --drop ${name}`,
  ];
}
