import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { serverSettings } from '../../runtime/server/settings.ts';
import type { Given } from '../../runtime/commands/arguments.ts';
import { CliError, UsageError } from '../../runtime/kernel/model/errors.ts';
import { valueAt } from '../../runtime/kernel/model/validate.ts';
import { didYouMean } from '../../runtime/kernel/model/suggest.ts';
import { type Kind, basePath, kinds } from '../../runtime/kernel/model/operations.ts';
import { readService } from '../check/service.ts';
import { kebabCase, kindFields, reservedFieldNames, snakeCase, whyReserved } from '../model/language.ts';
import { parse } from '../read/parse.ts';
import { formatDiagnostic, type Diagnostic } from '../read/diagnostic.ts';
import { generatedFile, resourceKeyOf, specFile } from '../read/paths.ts';
import { type FirstSpec, firstSpec } from '../model/template.ts';
import { readSpecs } from '../read/spec-files.ts';
import { oneOfWords } from '../read/words.ts';
import { runCommand } from './command.ts';

const command = {
  help: `Writes the first version of a spec file.

Usage: npm run new -- <area>/<resource> [options]

Options:
  --kind record|line-item|singleton  what the resource is: a record, a child of one, or one record of
                                     settings (default: record)
  --parent <area>/<resource>         the parent of a line item
  --parent-field FIELD               its field, if another service has the parent
  --help, -h                         prints this

Examples:
  npm run new -- crm/opportunity  writes crm/opportunity.yaml in the folder of the spec
  npm run new -- crm/contact-phone --kind line-item --parent crm/lead
`,
  options: {
    kind: { type: 'string', default: 'record' },
    parent: { type: 'string' },
    'parent-field': { type: 'string' },
  },
  names: [1, 1],
} as const;

interface Arguments {
  readonly key: string;
  readonly kind: Kind;
  /** The key of the parent, if this service has it. */
  readonly parent: string | undefined;
  readonly parentField: string | undefined;
}

/**
 * Writes the first version of a spec file and prints the next steps. It fails if the file exists or the check rejects it.
 */
function run(commandLine: Given<typeof command>): number {
  const root = process.cwd();
  const args = readArguments(commandLine);
  const specs = readSpecs(root);
  const path = specFile(args.key);
  if (existsSync(join(root, path))) throw new CliError(`${path} exists already.`);
  const text = acceptedText({ ...args, parent: readParent(args, specs), name: undefined }, specs);
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text, { flag: 'wx' });
  console.log(`wrote    ${path}

Next:
  1. Edit the file: describe it in \`doc\` and declare its fields. Editors with the YAML language server help.
  2. npm run generate    writes its code to ${generatedFile(args.key)}.*
  3. npm run dev         serves it at http://${serverSettings.HOST.default}:${serverSettings.PORT.default}${basePath}/${args.key}, and follows every save`);
  return 0;
}

function readArguments({ values, positionals: [key = ''] }: Given<typeof command>): Arguments {
  const parts = key.split('/');
  if (parts.length !== 2 || !parts.every((part) => kebabCase.safeParse(part).success)) {
    const rule = 'both in kebab-case (small letters and digits, joined by single hyphens), like crm/opportunity';
    throw new UsageError(`${JSON.stringify(key)} must be <area>/<resource>, ${rule}: it becomes the URL.`);
  }
  const kind = kinds.find((name) => name === values.kind);
  if (kind === undefined) {
    const hint = didYouMean(values.kind, kinds) || `; it must be ${oneOfWords(kinds)}`;
    throw new UsageError(`There is no kind ${JSON.stringify(values.kind)}${hint}`);
  }
  const { parent, 'parent-field': parentField } = values;
  const hasParent = parent !== undefined || parentField !== undefined;
  if (kind === 'line-item' && !hasParent) {
    throw new UsageError(
      'A line item needs its parent: --parent <area>/<resource>, or --parent-field <field> if another service has it.',
    );
  }
  if (kind !== 'line-item' && hasParent) {
    throw new UsageError(`Only a line item has a parent, and this is a ${kind}; add --kind line-item.`);
  }
  return { key, kind, parent, parentField };
}

function readParent({ kind, parent, parentField }: Arguments, specs: ReadonlyMap<string, string>): FirstSpec['parent'] {
  if (kind !== 'line-item') return undefined;
  const path = specFile(parent ?? '');
  const text = specs.get(path);
  if (parent !== undefined && text === undefined) {
    const keys = [...specs.keys()].map(resourceKeyOf);
    throw new CliError(`There is no resource ${parent}: ${path} is missing${didYouMean(parent, keys)}`);
  }
  const field = parentField ?? `${resourceName(path, text ?? '')}_id`;
  const rule = snakeCase.safeParse(field).error?.issues[0]?.message;
  if (rule !== undefined) throw new UsageError(`The parent field ${JSON.stringify(field)} ${rule}.`);
  if (kindFields[kind].includes(field) || whyReserved(reservedFieldNames, field) !== undefined) {
    throw new UsageError(`The parent field cannot be called ${field}.`);
  }
  return { field, resource: parent };
}

/** The name of a resource, from its spec or its file. */
function resourceName(path: string, text: string): string {
  const written = valueAt(parse(path, text).file?.data, ['name']);
  return typeof written === 'string'
    ? written
    : path.slice(path.lastIndexOf('/') + 1, -'.yaml'.length).replaceAll('-', '_');
}

/** The first text that the check accepts beside the other specs; the name has the area where it must be unique. */
function acceptedText(spec: FirstSpec, specs: ReadonlyMap<string, string>): string {
  const path = specFile(spec.key);
  const diagnosticsWith = (files: ReadonlyMap<string, string>): Map<string, Diagnostic> =>
    new Map(readService(files).diagnostics.map((diagnostic) => [formatDiagnostic(diagnostic), diagnostic]));
  const before = diagnosticsWith(specs);
  // Older errors do not count; a name that is taken may be an error of the other file.
  const errorIn = (text: string): Diagnostic | undefined =>
    [...diagnosticsWith(new Map([...specs, [path, text]]))].find(([line]) => !before.has(line))?.[1];
  const text = firstSpec(spec);
  const error = errorIn(text);
  if (!error) return text;
  const named = firstSpec({ ...spec, name: spec.key.replaceAll(/[-/]/g, '_') });
  if (!errorIn(named)) return named;
  throw new CliError(`${path} cannot be created: ${error.message}.`);
}

await runCommand(command, run);
