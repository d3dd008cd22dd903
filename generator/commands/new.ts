import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../runtime/config.ts';
import { didYouMean } from '../../runtime/suggest.ts';
import { readService } from '../check/service.ts';
import { oneOfWords } from '../check/structure.ts';
import { kebabCase, kindFields, type Kind, kinds, objectNames, snakeCase } from '../language.ts';
import { basePath } from '../model.ts';
import { parse } from '../parse.ts';
import { formatProblem, type Problem } from '../problem.ts';
import { type FirstSpec, firstSpec } from '../template.ts';
import { readSpecs } from '../tree.ts';

const usage = `Usage: npm run new -- <area>/<resource> [--kind record|line-item|singleton]
       a line item: --parent <area>/<resource> where this service has the parent, else --parent-field <field>`;

/** Why nothing is written: one line, and the exit code. */
class Refusal extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: 1 | 2) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The arguments cannot be understood. */
const misunderstood = (message: string): Refusal => new Refusal(message, 2);
/** They can, and yet the file cannot be made. */
const impossible = (message: string): Refusal => new Refusal(message, 1);

interface Arguments {
  readonly key: string;
  readonly kind: Kind;
  /** The parent in this service. */
  readonly parent: string | undefined;
  readonly parentField: string | undefined;
}

/**
 * Writes the first version of a spec file and says what to do next. Exit code 1 where the file is there or the check
 * would refuse it, 2 where the arguments are not understood.
 */
function run(): void {
  const root = process.cwd();
  const args = readArguments();
  const specs = readSpecs(root);
  const path = `spec/${args.key}.yaml`;
  if (existsSync(join(root, path))) throw impossible(`${path} is there already.`);
  const text = acceptedText({ ...args, parent: readParent(args, specs), name: undefined }, specs);
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text, { flag: 'wx' });
  const { host, port } = readConfig({});
  console.log(`wrote    ${path}

Next:
  1. Edit the file: say what it is in \`doc\`, and name its fields. Editors with the YAML language server help.
  2. npm run generate    writes its code to generated/${args.key}.*
  3. npm run dev         serves it at http://${host}:${port}${basePath}/${args.key}, and follows every save`);
}

function readArguments(): Arguments {
  const { values, positionals } = parsed();
  const [key, ...more] = positionals;
  if (key === undefined || more.length > 0) throw misunderstood(`Name one resource, like crm/opportunity.\n${usage}`);
  const parts = key.split('/');
  if (parts.length !== 2 || !parts.every((part) => kebabCase.safeParse(part).success)) {
    throw misunderstood(
      `${JSON.stringify(key)} must be <area>/<resource>, both in kebab-case (small letters and digits, ` +
        `joined by single hyphens), like crm/opportunity: it becomes the URL.`,
    );
  }
  const kind = Object.keys(kinds).find((name): name is Kind => name === values.kind);
  if (kind === undefined) {
    const hint = didYouMean(values.kind, Object.keys(kinds)) || `; it must be ${oneOfWords(Object.keys(kinds))}`;
    throw misunderstood(`There is no kind ${JSON.stringify(values.kind)}${hint}`);
  }
  const { parent, 'parent-field': parentField } = values;
  const hasParent = parent !== undefined || parentField !== undefined;
  if (kind === 'line-item' && !hasParent) {
    throw misunderstood(
      'A line item needs its parent: --parent <area>/<resource>, or --parent-field <field> where it is elsewhere.',
    );
  }
  if (kind !== 'line-item' && hasParent) {
    throw misunderstood(`Only a line item has a parent, and this is a ${kind}; add --kind line-item.`);
  }
  return { key, kind, parent, parentField };
}

function parsed() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        kind: { type: 'string', default: 'record' },
        parent: { type: 'string' },
        'parent-field': { type: 'string' },
      },
    });
  } catch (error) {
    throw misunderstood(`${(error as Error).message}\n${usage}`);
  }
}

function readParent({ kind, parent, parentField }: Arguments, specs: ReadonlyMap<string, string>): FirstSpec['parent'] {
  if (kind !== 'line-item') return undefined;
  const path = `spec/${parent}.yaml`;
  const text = specs.get(path);
  if (parent !== undefined && text === undefined) {
    const known = [...specs.keys()].map((spec) => spec.slice('spec/'.length, -'.yaml'.length));
    throw impossible(`There is no resource ${parent}: ${path} is missing${didYouMean(parent, known)}`);
  }
  const field = parentField ?? `${nameOf(path, text ?? '')}_id`;
  const rule = snakeCase.safeParse(field).error?.issues[0]?.message;
  if (rule !== undefined) throw misunderstood(`The parent field ${JSON.stringify(field)} ${rule}.`);
  if ([...kindFields[kind], ...objectNames].includes(field)) {
    throw misunderstood(`The parent field cannot be called ${field}.`);
  }
  return { field, resource: parent };
}

/** The name of a resource, as its spec says or its file is called. */
function nameOf(path: string, text: string): string {
  const data = parse(path, text).file?.data;
  const written = typeof data === 'object' && data !== null && 'name' in data ? data.name : undefined;
  return typeof written === 'string'
    ? written
    : path.slice(path.lastIndexOf('/') + 1, -'.yaml'.length).replaceAll('-', '_');
}

/** The text, once the check accepts it beside all others; with the area in its name where it needs that. */
function acceptedText(spec: FirstSpec, specs: ReadonlyMap<string, string>): string {
  const path = `spec/${spec.key}.yaml`;
  const mistakesWith = (files: ReadonlyMap<string, string>): Map<string, Problem> =>
    new Map(readService(files).problems.map((problem) => [formatProblem(problem), problem]));
  const before = mistakesWith(specs);
  // What was wrong already stays so; a name that is taken may be told of the other file.
  const mistakeIn = (text: string): Problem | undefined =>
    [...mistakesWith(new Map([...specs, [path, text]]))].find(([told]) => !before.has(told))?.[1];
  const text = firstSpec(spec);
  const mistake = mistakeIn(text);
  if (!mistake) return text;
  const named = firstSpec({ ...spec, name: spec.key.replaceAll(/[-/]/g, '_') });
  if (!mistakeIn(named)) return named;
  throw impossible(`${path} cannot be made: ${mistake.message}.`);
}

try {
  run();
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = error.exitCode;
}
