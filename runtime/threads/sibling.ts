import { extname } from 'node:path';

/** The URL of a module beside another one, for a thread of its own: a source, or a built file in the installed package. */
export const sibling = (name: string, { filename, url }: ImportMeta): URL => new URL(name + extname(filename), url);
