import { stringify } from 'yaml';

/** The text of a spec file; without aliases, which specs do not have. */
export const yamlOf = (data: unknown): string => stringify(data, { aliasDuplicateObjects: false });
