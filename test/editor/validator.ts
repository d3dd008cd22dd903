import { Ajv, type ErrorObject } from 'ajv';
import { editorSchemas } from '../../generator/editor/schema.ts';
import { parse, type SpecFile } from '../../generator/read/parse.ts';
import { schemaFiles } from '../../generator/read/paths.ts';

const ajv = new Ajv({ allErrors: true, verbose: true, strict: true, strictTypes: false, strictRequired: false });
ajv.addFormat('regex', (text) => {
  try {
    return Boolean(new RegExp(text, 'u'));
  } catch {
    return false;
  }
});
// The YAML language server's additions to JSON Schema.
ajv.addVocabulary(['errorMessage', 'patternErrorMessage', 'markdownEnumDescriptions']);

/** A schema as an editor reads it: from the text of its file. */
export const schemaOf = (file: string): object => JSON.parse(editorSchemas().get(file) ?? '') as object;

const validateResource = ajv.compile(schemaOf(schemaFiles.resource));
const validateService = ajv.compile(schemaOf(schemaFiles.service));

/** A rejection by a schema: the place in the file, and the reason. */
interface Rejection {
  readonly path: readonly string[];
  readonly message: string;
}

/** The rejections of a spec file by its schema; the YAML must have no errors. */
export function rejectionsOf(file: SpecFile): Rejection[] {
  const validate = file.path === 'spec/service.yaml' ? validateService : validateResource;
  if (validate(file.data)) return [];
  return (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== 'if')
    .flatMap((error) => pathsOf(error).map((path) => ({ path, message: `${error.keyword}: ${error.message}` })));
}

/** The paths of what is rejected, and not of the mapping or list that it is part of. */
function pathsOf({ instancePath, keyword, propertyName, params, data }: ErrorObject): string[][] {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'uniqueItems') {
    const items = data as readonly unknown[];
    return items.flatMap((item, index) => (items.indexOf(item) < index ? [[...path, String(index)]] : []));
  }
  const names = params as { additionalProperty?: string; propertyName?: string };
  const name = propertyName ?? names.propertyName ?? names.additionalProperty;
  return [name === undefined ? path : [...path, name]];
}

/** YAML as a spec file; undefined where it is not YAML. */
export const fileOf = (path: string, text: string): SpecFile | undefined => parse(path, text).file;
