import type { WrittenService } from '../language.ts';
import type { Resource, Service } from '../model.ts';
import { type ApiChange, breaking, changeOf, type Finding, safe } from './change.ts';
import { type Present, presentIn } from './clients.ts';
import { code, listed } from './markdown.ts';
import { pairResources, type ResourcePair } from './pairs.ts';
import { resourceRules } from './resource-rules.ts';

type ServiceRule = (before: Service, after: Service) => readonly Finding[];

const words =
  (key: 'title' | 'doc' | 'version' | 'license', what: string): ServiceRule =>
  (before, after) =>
    before[key] === after[key]
      ? []
      : [safe(`${key}/changed`, `${what} changes: documents show it, requests and answers do not.`)];

/** How each key of spec/service.yaml is compared. A new key of the language does not compile until it has a row here. */
const serviceRules: Readonly<Record<keyof WrittenService, ServiceRule>> = {
  title: words('title', 'The title of the service'),
  doc: words('doc', 'The documentation of the service'),
  version: words('version', 'The version'),
  license: words('license', 'The licence'),
  // Reported by the fields whose default it changes.
  constants: () => [],
  // It judges changes and is none.
  accepted_breaks: () => [],
};

const added = ({ key, path, kind, operations, transitions }: Resource): ApiChange => {
  const names = [...operations, ...transitions.map(({ name }) => name)];
  return changeOf(key, safe('added', `The ${kind} ${code(path)} is new, with ${listed(names.map(code))}.`));
};

function removed({ key, path }: Resource): ApiChange {
  const message = `${code(path)} is removed: all requests to it get 404. Its records stay in the database.`;
  return changeOf(key, breaking('removed', ['callers', 'links'], message));
}

function moved({ before, after }: ResourcePair, successor: Resource | undefined): Finding {
  const old = successor ? `serves ${successor.plural} now` : 'answers 404';
  const message = `${code(before.path)} is now ${code(after.path)}, with the same records. The old path ${old}.`;
  return breaking('moved', ['callers', 'links'], message);
}

/** A finding without those who are not there. */
const onlyPresent = ({ at, breaks, message }: Finding, present: Present): Finding =>
  breaks.length === 0 ? safe(at, message) : breaking(at, present(breaks), message);

/**
 * The changes of the API between two specs, each with its verdict; those of one resource follow each other.
 *
 * @param before undefined where there was no spec: everything is new
 */
export function changesBetween(before: Service | undefined, after: Service): ApiChange[] {
  if (!before) return after.resources.map(added);
  const resources = pairResources(before, after);
  const keys = new Map(resources.pairs.map((pair) => [pair.before.key, pair.after.key]));
  const keyNow = (key: string | undefined) => key && (keys.get(key) ?? key);
  return [
    ...Object.values(serviceRules).flatMap((rule) => rule(before, after).map((found) => changeOf(undefined, found))),
    ...resources.removed.map(removed),
    ...resources.pairs.flatMap((pair) => {
      const present = presentIn(pair.before, pair.after);
      const successor = after.resources.find(({ key }) => key === pair.before.key);
      const findings = [
        ...(pair.before.key === pair.after.key ? [] : [moved(pair, successor)]),
        ...Object.values(resourceRules).flatMap((rule) => rule({ ...pair, keyNow })),
      ];
      return findings.map((found) => changeOf(pair.before.key, onlyPresent(found, present)));
    }),
    ...resources.added.map(added),
  ];
}
