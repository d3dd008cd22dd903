/** The width that generated code keeps to, its header first, which is the formatter's. */
export const printWidth = 120;

/** The header of a generated file: no version and no date, so that an upgrade does not touch every file. */
export function header(source: string, comment: '//' | '--' = '//'): string {
  const [what, todo] = [`${comment} Generated from ${source}.`, `Edit the spec, then run \`npm run generate\`.`];
  return `${what} ${todo}`.length <= printWidth ? `${what} ${todo}` : `${what}\n${comment} ${todo}`;
}

/** The spec file that the header of a generated file names, or `spec/`; undefined where there is no header. */
export const sourceOf = (content: string): string | undefined =>
  /^(?:\/\/|--) Generated from (\S+\/\S*)\.\s(?:(?:\/\/|--) )?Edit the spec/.exec(content)?.[1];

/** Whether the first line is a part of the header, or the marker of a conflict that Git has written before it. */
export const hasRestOfHeader = (content: string): boolean =>
  /^(?:<{7} |(?:\/\/|--).*(?:Generated from|Edit the spec|npm run generate))/.test(content);
