import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Json, printJson } from '../../generator/emit/json.ts';
import { type Generated, generate } from '../../generator/generate.ts';
import { formatDiagnostic } from '../../generator/read/diagnostic.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import { projectRoot } from '../support/server.ts';

const folder = join(projectRoot, 'test/golden');

/** Texts by path. */
export type Texts = ReadonlyMap<string, string>;

/** A folder of test/golden, named for the behaviour it shows. */
export interface GoldenCase {
  readonly name: string;
  readonly folder: string;
  /** The files of `spec/`, read as the command reads them, and `service.yaml` of all cases if it has none. */
  readonly specs: Texts;
  /** The other files of the folder, which must come out: `diagnostics.txt`, and of `want/…` those that the case is about. */
  readonly expected: Texts;
  /** Whether every file that comes out is in `want/`. Other cases keep those that show their behaviour, or none. */
  readonly isWhole: boolean;
  /** Whether files must come out. Then `diagnostics.txt` holds warnings alone. */
  readonly isValid: boolean;
}

/** It shows every kind of file and field. */
const wholeCase = 'every-type-and-limit';

/** The cases of a service without its file. */
const withoutService = new Set(['service-missing-beside-others', 'service-with-wrong-extension']);

const commonService = readFileSync(join(folder, 'service.yaml'), 'utf8');

function specsOf(name: string): Map<string, string> {
  const own = readSpecs(join(folder, name));
  const service = withoutService.has(name) ? [] : [['spec/service.yaml', commonService] as const];
  return new Map([...service, ...own].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Every file under a folder, by path. */
export function readTree(root: string): Map<string, string> {
  const entries = readdirSync(root, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) =>
    join(entry.parentPath, entry.name)
      .slice(root.length + 1)
      .replaceAll('\\', '/'),
  );
  return new Map(paths.toSorted().map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

export const goldenCases: readonly GoldenCase[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => {
    const root = join(folder, name);
    const expected = new Map([...readTree(root)].filter(([path]) => !path.startsWith('spec/')));
    const isValid = [...expected.keys()].some((path) => path.startsWith('want/'));
    return { name, folder: root, specs: specsOf(name), expected, isWhole: name === wholeCase, isValid };
  });

export const validCases = goldenCases.filter(({ isValid }) => isValid);

/** What comes out, as the files of a case. */
export function outputOf({ files, diagnostics }: Generated): Map<string, string> {
  const output = new Map([...files].map(([path, text]) => [`want/${path}`, text]));
  if (diagnostics.length > 0) {
    output.set('diagnostics.txt', diagnostics.map((diagnostic) => `${formatDiagnostic(diagnostic)}\n`).join(''));
  }
  return output;
}

export const output = async (specs: Texts): Promise<Map<string, string>> => outputOf(await generate(specs));

interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly post: { readonly requestBody: Json } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>> };
}

/** What the OpenAPI document says of fields; the rest of it is as in the one that is committed in `generated/`. */
function fieldsIn(document: string): string {
  const { paths, components } = JSON.parse(document) as OpenApi;
  const { Item = null, ItemUpdate = null } = components.schemas;
  return `${printJson({ create: paths['/api/stock/item']?.post.requestBody ?? null, Item, ItemUpdate })}\n`;
}

/** The part of the output that a case keeps; a new case keeps its schemas. */
export function keptOutput({ expected, isWhole, isValid }: GoldenCase, all: Texts): Map<string, string> {
  const isKept = (path: string): boolean =>
    isWhole || !path.startsWith('want/') || (isValid ? expected.has(path) : path.endsWith('.schema.ts'));
  const part = (path: string, text: string): string => {
    if (path === 'want/openapi.json') return fieldsIn(text);
    // The tables of the service itself are those of the committed `generated/schema.sql`.
    return path === 'want/schema.sql' ? text.slice(text.search(/^create table "[a-z]/m)) : text;
  };
  return new Map([...all].filter(([path]) => isKept(path)).map(([path, text]) => [path, part(path, text)]));
}
