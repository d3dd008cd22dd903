/** Loaded into a server under test before anything else: writes each text of a statement to the file `TEST_STATEMENTS`, once a thread. */
import { appendFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const seen = new Set<string>();
const { prepare } = DatabaseSync.prototype;

DatabaseSync.prototype.prepare = function (this: DatabaseSync, text, ...rest) {
  if (!seen.has(text)) appendFileSync(process.env['TEST_STATEMENTS'] as string, `${JSON.stringify(text)}\n`);
  seen.add(text);
  return prepare.call(this, text, ...rest);
};
