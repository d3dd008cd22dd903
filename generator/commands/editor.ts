import { writeFileSync } from 'node:fs';
import { editorSchemas } from '../editor/schema.ts';
import { readIfExists } from '../files.ts';

/** Writes the JSON Schemas that editors read while a spec is edited, where they have changed. */
for (const [path, content] of editorSchemas()) {
  if (readIfExists(path) === content) continue;
  writeFileSync(path, content);
  console.log(`wrote    ${path}`);
}
