/** Boots the generated servers that it is given, `<database URL>=<server.ts>` each, one after the other in one process. */
import { pathToFileURL } from 'node:url';

// Each of them listens for the signals to stop.
process.setMaxListeners(0);
for (const [index, argument] of process.argv.splice(2).entries()) {
  const [database = '', file = ''] = argument.split('=');
  process.env['DATABASE_URL'] = database;
  console.log(`\nserver ${index}:`);
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    console.log((error as Error).stack);
  }
}
console.log('\nall');
