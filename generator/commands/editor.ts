import { writeFileSync } from 'node:fs';
import { editorSchemas } from '../editor/schema.ts';
import { readIfThere } from '../tree.ts';

/** Writes the JSON Schemas that editors read while a spec is edited, where they have changed. */
for (const [path, content] of editorSchemas()) {
  if (readIfThere(path) === content) continue;
  writeFileSync(path, content);
  console.log(`wrote    ${path}`);
}
