import { isDeepStrictEqual } from 'node:util';
import { operationsOf } from '../../runtime/kernel/model/operations.ts';
import type { WrittenService } from '../model/language.ts';
import type { Resource, Service } from '../model/model.ts';
import {
  type ApiChange,
  breaking,
  changeOf,
  type Difference,
  documented,
  type Present,
  presentIn,
  safe,
} from './change.ts';
import { compareHooks } from './hooks.ts';
import { listed } from '../model/names.ts';
import { code, escaped } from './markdown.ts';
import { pairResources, renameHint, type ResourcePair } from './pairs.ts';
import { resourceRules } from './resource-rules.ts';

type ServiceRule = (before: Service, after: Service) => readonly Difference[];

const text =
  (key: Exclude<keyof Service, 'acceptedBreaks' | 'mcp' | 'resources'>, label: string): ServiceRule =>
  (before, after) =>
    isDeepStrictEqual(before[key], after[key]) ? [] : [documented(key, label)];

/** The rule for each key of spec/service.yaml. A new key of the language does not compile until it has a row here. */
const serviceRules: Readonly<Record<keyof WrittenService, ServiceRule>> = {
  name: text('name', 'The name of the service'),
  title: text('title', 'The title of the service'),
  doc: text('doc', 'The documentation of the service'),
  version: text('version', 'The version'),
  license: text('license', 'The licence'),
  contact: text('contact', 'The contact'),
  areas: text('areas', 'The names of areas'),
  // The fields whose defaults a constant changes report it.
  constants: () => [],
  // So do the fields that take values of an enum, or the day of a time zone.
  enums: () => [],
  time_zone: () => [],
  // Resources report whether they have events.
  events: () => [],
  mcp: (before, after) => {
    if (before.mcp === after.mcp) return [];
    if (after.mcp) return [safe('mcp/on', 'Agents may use the service, at `/mcp`.')];
    return [breaking('mcp/off', ['callers'], 'Agents may no longer use the service: `/mcp` responds 404.')];
  },
  // Acceptances are not part of the API.
  accepted_breaks: () => [],
};

function added(resource: Resource): ApiChange {
  const { key, path, kind } = resource;
  const names = operationsOf(resource).map(({ name }) => code(name));
  return changeOf(key, safe('added', `The ${kind} ${code(path)} is new, with ${listed(names)}.`));
}

/** The fate of a path of the base whose resource has left it. */
function atOldPath({ key }: Resource, { resources }: Service): string {
  const successor = resources.find((resource) => resource.key === key);
  return successor ? `serves ${escaped(successor.plural)} now` : 'responds 404';
}

function removed(resource: Resource, after: Service, news: readonly Resource[]): ApiChange {
  const { key, path, name } = resource;
  const alike = news.filter(({ kind }) => kind === resource.kind);
  const hint = renameHint(alike, name);
  const message = `${code(path)} is removed and ${atOldPath(resource, after)}. Its records stay in the database.${hint}`;
  return changeOf(key, breaking('removed', ['callers', 'links'], message));
}

function moved(pair: ResourcePair, after: Service): Difference {
  const [was, is] = [code(pair.before.path), code(pair.after.path)];
  const message = `${was} is now ${is}, with the same records. The old path ${atOldPath(pair.before, after)}.`;
  return breaking('moved', ['callers', 'links'], message);
}

/** A difference without the groups of clients that the resource does not have. */
const onlyPresent = ({ at, breaks, message }: Difference, present: Present): Difference =>
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
  const pairOf = (key: string) => resources.pairs.find(({ after: now }) => now.key === key);
  return [
    ...Object.values(serviceRules).flatMap((rule) =>
      rule(before, after).map((difference) => changeOf(undefined, difference)),
    ),
    ...resources.removed.map((resource) => removed(resource, after, resources.added)),
    ...resources.pairs.flatMap((pair) => {
      const present = presentIn(pair.before, pair.after);
      const differences = [
        ...(pair.before.key === pair.after.key ? [] : [moved(pair, after)]),
        ...Object.values(resourceRules).flatMap((rule) => rule({ ...pair, keyNow, pairOf })),
        ...compareHooks(pair),
      ];
      return differences.map((difference) => changeOf(pair.before.key, onlyPresent(difference, present)));
    }),
    ...resources.added.map(added),
  ];
}
