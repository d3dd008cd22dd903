import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { CliError } from '../../runtime/kernel/model/errors.ts';
import { isMapping } from '../emit/json.ts';
import { kebabCase } from '../model/language.ts';
import { folders, packageName, serviceFile, specFile } from '../read/paths.ts';
import { firstService, firstSpec } from '../model/template.ts';
import { type Given, usageError } from '../../runtime/commands/arguments.ts';
import { runCommand } from './command.ts';
import { folderOptions } from './folder-options.ts';

const command = {
  help: `Makes a new project in this folder: a spec with one resource, package.json, tsconfig.json, .gitignore and a workflow.

Usage: npx spec-to-server init [NAME]

NAME is the name of the service, in kebab-case; without it, that of the folder. A package.json that is there keeps
what it says; any other of these files is an error, and nothing is written.

Options:
  --help, -h  prints this

Examples:
  npx spec-to-server init library  makes the service library
`,
  names: [0, 1],
} as const;

/** The settings that the typed client is built with. */
const clientSettings = 'tsconfig.client.json';

/** The resource that a new project begins with. */
const firstResource = 'office/note';

type Properties = Readonly<Record<string, unknown>>;
type Versions = Readonly<Record<string, string>>;
interface Manifest {
  readonly version: string;
  readonly engines: Versions;
  readonly dependencies: Versions;
  readonly devDependencies: Versions;
}

const scripts =
  'dev start migrate keys organizations events webhooks backup restore mcp demo import export generate new changes'.split(
    ' ',
  );

const pick = (versions: Versions, ...names: string[]): Versions =>
  Object.fromEntries(names.map((name) => [name, versions[name] as string]));

/** The entries that `init` adds to a project's package.json. */
function manifestOf(name: string): Properties {
  const manifest = createRequire(import.meta.url)(`${packageName}/package.json`) as Manifest;
  return {
    name,
    version: '1.0.0',
    private: true,
    type: 'module',
    engines: manifest.engines,
    scripts: {
      ...Object.fromEntries(scripts.map((script) => [script, `exec ${packageName} ${script}${folderOptions()}`])),
      // Before the first run of the generator, tsc would only say that there are no files.
      check: `${packageName} check${folderOptions()} && tsc`,
      // The typed client as a package, for other projects.
      client: `rm -rf dist && tsc -p ${clientSettings} && ${packageName} client`,
    },
    // Scripts find this Node before the machine's.
    allowScripts: { node: true },
    // Generated code imports Hono and zod by name: the same ones as the runtime.
    dependencies: { ...pick(manifest.dependencies, 'hono', 'zod'), [packageName]: `^${manifest.version}` },
    devDependencies: pick(manifest.devDependencies, '@types/node', 'node', 'typescript'),
  };
}

const tsconfig = (): object => ({
  compilerOptions: {
    target: 'esnext',
    lib: ['esnext'],
    module: 'nodenext',
    types: ['node'],
    noEmit: true,
    allowImportingTsExtensions: true,
    strict: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    skipLibCheck: true,
  },
  include: [folders.generated, folders.spec, '*.ts'],
});

const clientTsconfig = (): object => ({
  extends: './tsconfig.json',
  compilerOptions: {
    noEmit: false,
    allowImportingTsExtensions: false,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    rootDir: folders.generated,
    outDir: 'dist',
  },
  include: [`${folders.generated}/**/*client.ts`],
});

const workflow = `name: check

on:
  pull_request:
  push:
    branches: [main]

permissions:
  contents: read

jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v6
        with:
          # \`npm run changes\` compares with the base, which it finds in the history.
          fetch-depth: 0
          persist-credentials: false
      - uses: actions/setup-node@v6
        with:
          node-version: 26
      - run: npm ci
      - name: Changes of the spec
        if: \${{ github.event_name == 'pull_request' }}
        continue-on-error: true
        run: npm run -s changes -- HEAD^1 >> "$GITHUB_STEP_SUMMARY"
      - name: Spec and generated code
        run: npm run -s generate -- --check --format github
      - name: Types
        run: npx tsc
`;

const printJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** An object with what is missing in another one: the values of that one win, and objects are merged. */
function merged(present: Properties, added: Properties): Properties {
  const result: Record<string, unknown> = { ...added, ...present };
  for (const [key, value] of Object.entries(added)) {
    const nested = present[key];
    if (isMapping(nested) && isMapping(value)) result[key] = merged(nested, value);
  }
  return result;
}

/**
 * Makes a project in the current folder: a spec with one resource, package.json, tsconfig.json, .gitignore and a workflow.
 * A package.json that is there keeps what it says; any other file that is there is an error, and nothing is written.
 */
function run({ positionals }: Given<typeof command>): number {
  const root = process.cwd();
  const name = positionals[0] ?? basename(root);
  const rule = kebabCase.safeParse(name).error?.issues[0]?.message;
  if (rule !== undefined) throw usageError(command.help, `The name ${JSON.stringify(name)} ${rule}.`);

  const manifest = manifestOf(name);
  const files = new Map([
    [serviceFile(), firstService(name)],
    [specFile(firstResource), firstSpec({ key: firstResource, kind: 'record', name: undefined, parent: undefined })],
    ['tsconfig.json', printJson(tsconfig())],
    [clientSettings, printJson(clientTsconfig())],
    ['.gitignore', 'node_modules/\ndata/\ndist/\n/*.tgz\n.env\n*.db\n*.db-wal\n*.db-shm\n'],
    ['.github/workflows/check.yml', workflow],
  ]);
  const present = [...files.keys()].filter((path) => existsSync(join(root, path)));
  if (present.length > 0)
    throw new CliError(`Nothing was written: ${present.join(', ')} exist${present.length === 1 ? 's' : ''} already.`);
  files.set('package.json', printJson(merged(readManifest(join(root, 'package.json')), manifest)));
  for (const [path, content] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    console.log(`wrote    ${path}`);
  }
  console.log(`
Next:
  1. npm install        installs what the project needs, also its own Node
  2. npm run dev        generates the code and serves it; every save of a file in ${folders.spec}/ is followed
  3. npm run new -- <area>/<resource>    adds a resource`);
  return 0;
}

/** The package.json of the folder. @throws CliError if it is not a JSON object */
function readManifest(file: string): Properties {
  if (!existsSync(file)) return {};
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isMapping(manifest)) return manifest;
  } catch {
    // Reported below.
  }
  throw new CliError(`Nothing was written: ${file} is not a JSON object.`);
}

await runCommand(command, run);
