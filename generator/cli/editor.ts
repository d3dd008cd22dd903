import { writeFileSync } from 'node:fs';
import { editorSchemas } from '../editor/schema.ts';
import { readIfExists } from '../read/files.ts';
import { runCommand } from './command.ts';

const help = `Updates the JSON Schemas that editors read, after a change of the spec language.

Usage: npm run editor

Options:
  --help, -h  prints this
`;

/** Writes the JSON Schemas that editors read while a spec is edited, where they have changed. */
function run(): number {
  for (const [path, content] of editorSchemas()) {
    if (readIfExists(path) === content) continue;
    writeFileSync(path, content);
    console.log(`wrote    ${path}`);
  }
  return 0;
}

await runCommand({ help }, run);
