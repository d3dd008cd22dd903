import { errorCodes } from '../model/error-codes.ts';
import { operationsOf } from '../../runtime/kernel/model/operations.ts';
import { hookOperations } from '../model/hooks.ts';
import { snakeCase } from '../model/language.ts';
import type { Hooks, Resource } from '../model/model.ts';
import { camelCase } from '../model/names.ts';
import type { Diagnostic, Location } from '../read/diagnostic.ts';
import type { HooksFile } from '../read/hooks-file.ts';
import { hooksKeyOf, specFile } from '../read/paths.ts';
import { oneOfWords, quoted } from '../read/words.ts';
import { nearName } from './hints.ts';

const error = (location: Location, message: string): Diagnostic => ({ ...location, severity: 'error', message });

const startOf = (file: string): Location => ({ file, line: 1, column: 1, endColumn: 2 });

/**
 * Checks a file of hooks against its resource.
 *
 * @param keys those of all spec files
 * @param resource undefined if its spec has errors
 */
export function checkHooks(file: HooksFile, keys: readonly string[], resource: Resource | undefined): Diagnostic[] {
  const key = hooksKeyOf(file.path);
  if (!keys.includes(key)) {
    const near = nearName(key, keys);
    return [error(startOf(file.path), `there is no ${specFile(key)} beside it, whose hooks it could have${near}`)];
  }
  if (!resource) return [];
  const codes = file.codes.flatMap(({ name, location }) => {
    const rule = errorCodes.has(name)
      ? 'is a code that every service has; choose another one'
      : snakeCase.safeParse(name).error?.issues[0]?.message;
    return rule === undefined ? [] : [error(location, `the code ${quoted(name)} ${rule}`)];
  });
  const exports = file.exports.flatMap(({ name, location }) => {
    const fault = faultOf(name, resource);
    return fault === undefined ? [] : [error(location, fault)];
  });
  return [...codes, ...exports];
}

/** The reason why a resource cannot have a hook of this name. */
function faultOf(name: string, resource: Resource): string | undefined {
  const operations = hookOperations(resource);
  const hooks = ['before', 'after'].flatMap((time) => operations.map((operation) => time + operation));
  const { title, events } = resource;
  if (!hooks.includes(name)) {
    const near = nearName(name, hooks);
    return `${title} has no hook ${quoted(name)}${near || `; its hooks are ${oneOfWords(hooks)}`}`;
  }
  // Hooks, references and parents write records of any resource.
  if (name.startsWith('after') && events) return undefined;
  if (name.startsWith('after')) return `${name} would never be called: ${title} has no events; remove events: off`;
  const operation = camelCase(name.slice('before'.length));
  const isOffered = operationsOf(resource).some((offered) => camelCase(offered.name) === operation);
  return isOffered ? undefined : `${name} would never run: ${title} has no operation ${operation}`;
}

/** The hooks that a file without errors gives its resource. */
export const hooksOf = ({ path, exports, codes }: HooksFile): Hooks => ({
  file: path,
  exports: exports.map(({ name }) => name),
  codes: Object.fromEntries(codes.map(({ name, meaning }) => [name, meaning])),
});
