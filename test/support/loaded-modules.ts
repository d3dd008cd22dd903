/** Loaded before a command: appends the modules that it loads to the file LOADED_MODULES, each with who asked for it. */
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** A module that was resolved, and the one that asked for it. */
export interface LoadedModule {
  readonly url: string;
  readonly parent: string | undefined;
}

const file = process.env['LOADED_MODULES'];
if (file !== undefined) {
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const loaded: LoadedModule = { url: resolved.url, parent: context.parentURL };
      appendFileSync(file, `${JSON.stringify(loaded)}\n`);
      return resolved;
    },
  });
}
