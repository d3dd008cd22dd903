import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesUnder } from './files.ts';

/**
 * Reads the specs of a project: contents by path, like `spec/crm/lead.yaml`, with Unix line ends. Only YAML files are
 * specs.
 */
export function readSpecs(root: string): Map<string, string> {
  const paths = filesUnder(join(root, 'spec')).filter((path) => /\.ya?ml$/.test(path));
  return new Map(
    paths.map((path) => [`spec/${path}`, readFileSync(join(root, 'spec', path), 'utf8').replaceAll('\r\n', '\n')]),
  );
}
