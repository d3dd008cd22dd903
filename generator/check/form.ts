import type { Kind } from '../../runtime/kernel/model/operations.ts';
import { referenceKey } from '../../runtime/kernel/model/table.ts';
import { valueAt } from '../../runtime/kernel/model/validate.ts';
import { fieldTypeRow } from '../model/field-types.ts';
import { kindFields, type WrittenForm } from '../model/language.ts';
import { type Field, type FormGroup, referencesOf, type Resource } from '../model/model.ts';
import { withArticle } from '../model/names.ts';
import { oneOfWords, quoted } from '../read/words.ts';
import type { Scope } from '../rules/checking.ts';
import { compileCondition } from '../rules/compile.ts';
import { namedField } from './field.ts';
import { nearName } from './hints.ts';
import type { ReadResource } from './resource.ts';
import { reportAt } from './rules.ts';
import type { CheckedFile } from './structure.ts';
import type { movesIn } from './transitions.ts';

/** Checks the groups of fields that the console shows. @returns them, each condition only if it is right */
export function readForm(
  file: CheckedFile,
  kind: Kind,
  fields: readonly Field[],
  written: WrittenForm,
  scope: Scope,
): FormGroup[] {
  const titles = new Set<string>();
  const owners = new Map<string, string>();
  return (written ?? []).map(({ title, fields: names, show_if: text }, index) => {
    const path = ['form', index];
    if (titles.has(title)) file.atValue([...path, 'title'], `form: another group has the title ${quoted(title)}`);
    titles.add(title);
    file.checkRepeats([...path, 'fields'], names);
    names.forEach((name, at) => {
      const place = [...path, 'fields', at];
      if (!kindFields[kind].includes(name)) namedField(file, fields, name, place, kindFields[kind]);
      const owner = owners.get(name) ?? title;
      if (owner !== title) file.atValue(place, `form: ${name} is in the group ${quoted(owner)}, too`);
      owners.set(name, owner);
    });
    const showIf = text === undefined ? undefined : compileCondition(text, scope, reportAt(file, [...path, 'show_if']));
    return { title, fields: names, showIf: showIf?.expression };
  });
}

/** Checks that colors are of states. @param moves the transitions, also those with errors */
export function checkColors(file: CheckedFile, fields: readonly Field[], moves: ReturnType<typeof movesIn>): void {
  for (const field of fields) {
    const { name, colors, default: start } = field;
    if (!colors) continue;
    const moved = moves.filter((move) => move.field === name);
    const states =
      field.type === 'enum' ? field.values : [start ?? [], ...moved.flatMap(({ from, to }) => [from ?? [], to ?? []])];
    const known = [...new Set(states.flat().map(String))];
    const path = ['fields', name, 'colors'];
    if (field.type !== 'enum' && moved.length === 0)
      file.atKey(path, `colors: ${name} has no states; they are those of its enum, or of transitions that move it`);
    else
      for (const state of Object.keys(colors).filter((value) => !known.includes(value))) {
        const hint = nearName(state, known) || `; it can be ${oneOfWords(known)}`;
        file.atKey([...path, state], `colors: ${name} cannot be ${quoted(state)}${hint}`);
      }
  }
}

/** Checks that the fields exist which title records, each at the end of references that lead to it. */
export function checkRecordTitles(read: readonly ReadResource[]): void {
  for (const { file, resource } of read) {
    if (!resource) continue;
    const { title, name, fields, recordTitle } = resource;
    const [first = ''] = title.split('.');
    if (title !== name && fields.some((field) => field.name === first)) {
      const message = `title is what one record is called in running text; if the field ${first} titles each record, write record_title: ${title}`;
      file.atValue(['title'], message, 'warning');
    }
    if (Array.isArray(valueAt(file.spec.data, ['record_title']))) file.checkRepeats(['record_title'], recordTitle);
    recordTitle.forEach((path, index) =>
      checkPath({ file, resource }, path, file.itemPath(['record_title'], index), read),
    );
  }
}

/** Checks one path of a title. @param place where it is written */
function checkPath(
  start: { readonly file: CheckedFile; readonly resource: Resource },
  path: string,
  place: readonly PropertyKey[],
  read: readonly ReadResource[],
): void {
  const names = path.split('.');
  let { file, resource } = start;
  let offset = 0;
  for (const [at, name] of names.entries()) {
    const part: [number, number] = [offset, offset + name.length];
    const refuse = (message: string): void => start.file.add({ path: place, of: 'value', part }, message);
    offset += name.length + 1;
    const isLast = at === names.length - 1;
    const reference = referencesOf(resource).find((other) => other.name === name || referenceKey(other.name) === name);
    if (reference && reference.others.length > 0) {
      refuse(
        `${reference.name} names records of several resources, and a title has fields of one; a beforeCreate hook can copy theirs into a field of this record`,
      );
      return;
    }
    const field = resource.fields.find((candidate) => candidate.name === name);
    if (!field) {
      const builtIn = kindFields[resource.kind];
      // A field that is there and has errors of its own is not missing.
      if (valueAt(file.spec.data, ['fields', name]) !== undefined || (isLast && builtIn.includes(name))) return;
      const known = [...resource.fields.map((other) => other.name), ...builtIn];
      const hint = reference ? `; did you mean ${quoted(reference.name)}?` : nearName(name, known);
      refuse(`there is no field ${quoted(name)}${at === 0 ? '' : ` in ${resource.key}`}${hint}`);
      return;
    }
    if (isLast) {
      if (field.type === 'reference') refuse(`${name} names a record; go on to a field of it, as in ${path}.name`);
      if (field.type === 'json') refuse(`${name} is a JSON object or array, which is no title`);
      return;
    }
    if (field.type !== 'reference') {
      refuse(`${name} is ${withArticle(fieldTypeRow(field).noun)}, and a path leads through references alone`);
      return;
    }
    const next = read.find((other) => other.resource?.key === field.resource);
    // A resource that is missing is an error of the reference.
    if (!next?.resource) return;
    ({ file } = next);
    ({ resource } = next);
  }
}
