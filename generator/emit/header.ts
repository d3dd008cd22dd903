import { printWidth } from './width.ts';

/** The command that a reader of a generated file needs. */
const command = 'npm run generate';

/** How every generated TypeScript file begins; only files that begin so are ever removed. */
export const headerStart = '// Generated from spec/';

/** The first line of a generated file: no version and no date, so that an upgrade does not touch every file. */
export const header = (source: string): string => {
  const [what, todo] = [`// Generated from ${source}.`, `Edit the spec, then run \`${command}\`.`];
  return `${what} ${todo}`.length <= printWidth ? `${what} ${todo}` : `${what}\n// ${todo}`;
};
