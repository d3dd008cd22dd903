import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CliError } from '../../runtime/kernel/model/errors.ts';
import { packageName } from '../read/paths.ts';
import { runCommand } from './command.ts';

const help = `Makes the compiled client in dist/ a package of its own, without dependencies.

Usage: npm run client

The script compiles the typed client, and has this command complete it: \`npm pack ./dist\` packs it, and \`npm publish ./dist\`
publishes it. Name, version and such are those of the package.json of this folder.

Options:
  --help, -h  prints this
`;

/** The folder of the compiled client. */
const output = 'dist';

/** The entries of a package.json that the package of the client has as well. */
const shared = ['name', 'version', 'description', 'license', 'author', 'repository', 'publishConfig', 'type'];

/** The folders of the runtime that generated clients import, by the names that the package exports them under. They import no others, but for types of one file. */
const folderOf: Readonly<Record<string, string>> = { client: 'client', rules: 'features/rules/expressions' };
const parts = [...Object.values(folderOf), 'kernel/values', 'kernel/model/error-codes.d.ts'];
const runtime = new URL('../../runtime/', import.meta.url);

const imported = new RegExp(`(?<=['"])${packageName}/(${Object.keys(folderOf).join('|')})(?=['"])`, 'g');

/** A compiled file that imports the copies of the rooms, which are beside it. */
function withCopies(path: string, text: string): string {
  const up = relative(dirname(path), '.') || '.';
  return text.replaceAll(imported, (_, name: string) => `${up}/runtime/${folderOf[name]}/index.js`);
}

/** @throws CliError if the client is not compiled */
function run(): number {
  if (!existsSync(join(output, 'client.js')))
    throw new CliError(`${output}/client.js is missing: run \`npm run client\`.`);
  const files = readdirSync(output, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(?:js|d\.ts)$/.test(path),
  );
  for (const file of files) {
    const path = join(output, file);
    writeFileSync(path, withCopies(file, readFileSync(path, 'utf8')));
  }
  for (const part of parts) {
    cpSync(fileURLToPath(new URL(part, runtime)), join(output, 'runtime', part), { recursive: true });
  }
  const project = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;
  const entries = shared.flatMap((name) => (project[name] === undefined ? [] : [[name, project[name]]]));
  const exported = { './client': { types: './client.d.ts', default: './client.js' } };
  const manifest = { ...Object.fromEntries(entries), exports: exported };
  writeFileSync(join(output, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  console.log(`The client is in ${output}/: \`npm pack ./${output}\` packs it.`);
  return 0;
}

await runCommand({ help }, run);
