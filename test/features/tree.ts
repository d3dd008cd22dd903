import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { features } from '../../runtime/features.ts';
import { projectRoot } from '../support/server.ts';

export const featuresFolder = join(projectRoot, 'runtime/features');

/** The names of the folders of features. */
export const folders: readonly string[] = readdirSync(featuresFolder);

const importedPath = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** The other features that the files of a feature import. */
export function importsOf(feature: string): ReadonlySet<string> {
  const folder = join(featuresFolder, feature);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const targets = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(importedPath)].map(([, path]) =>
      relative(featuresFolder, join(folder, file, '..', path as string)),
    ),
  );
  const names = targets.filter((path) => !path.startsWith('..')).map((path) => path.split('/')[0] as string);
  return new Set(names.filter((name) => name !== feature));
}

/** A feature and all that need it, directly or through others. */
export function withDependents(feature: string): ReadonlySet<string> {
  const removed = new Set([feature]);
  for (const name of removed) {
    for (const other of features.list) if (other.needs?.includes(name)) removed.add(other.name);
  }
  return removed;
}
