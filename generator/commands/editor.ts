import { readFileSync, writeFileSync } from 'node:fs';
import { editorSchemas } from '../editor/schema.ts';

/** Writes the JSON Schemas that editors read while a spec is edited, where they have changed. */
for (const [path, text] of editorSchemas()) {
  if (textOf(path) === text) continue;
  writeFileSync(path, text);
  console.log(`wrote    ${path}`);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
