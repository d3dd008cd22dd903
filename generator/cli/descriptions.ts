import type { CommandDescription } from '../../runtime/cli/description.ts';
import { packageName } from '../read/package.ts';

const specErrors = 'the spec has errors';

/** The commands of the generator. A generated server's commands are in runtime/cli/descriptions.ts. */
export const commands = {
  init: {
    call: `npx ${packageName} init`,
    does: 'Makes a new project in this folder: a spec with one resource, package.json, tsconfig.json, .gitignore and a workflow',
    names: { usage: '[NAME]', min: 0, max: 1 },
    options: {},
    notes: [
      'NAME is the name of the service, in kebab-case; without it, that of the folder. A package.json that is there keeps ' +
        'what it says; any other of these files is an error, and nothing is written.',
    ],
    examples: [['library', 'makes the service library']],
  },
  dev: {
    call: 'npm run dev --',
    does: 'Generates, serves, and follows every save of the spec: regenerates, says what the edit changes, and restarts the server',
    options: {},
    notes: ['The settings are those of `npm start -- --help`.'],
    examples: [['', 'serves on http://127.0.0.1:3000']],
  },
  generate: {
    call: 'npm run generate --',
    does: 'Brings the generated code up to date with the spec',
    options: {
      check: { type: 'boolean', default: false, does: 'writes nothing, and reports what is not up to date' },
      format: {
        type: 'string',
        default: 'text',
        value: 'text|json|github',
        does: 'of the report; github: annotations of a pull request',
      },
    },
    examples: [
      ['', 'writes what has changed'],
      ['--check', 'fails if something has'],
    ],
    exitCodes: { 1: `failed: ${specErrors}, or with --check something is not up to date` },
  },
  new: {
    call: 'npm run new --',
    does: 'Writes the first version of a spec file',
    names: { usage: '<area>/<resource>', min: 1, max: 1 },
    options: {
      kind: {
        type: 'string',
        default: 'record',
        value: 'record|line-item|singleton',
        does: 'what the resource is: a record, a child of one, or one record of settings',
      },
      parent: { type: 'string', value: '<area>/<resource>', does: 'the parent of a line item' },
      'parent-field': { type: 'string', value: 'FIELD', does: 'its field, if another service has the parent' },
    },
    examples: [
      ['crm/opportunity', 'writes crm/opportunity.yaml in the folder of the spec'],
      ['crm/contact-phone --kind line-item --parent crm/lead', 'writes a line item of crm/lead'],
    ],
  },
  changes: {
    call: 'npm run changes --',
    does: 'Reports what an edit of the spec means for clients, the database and the code',
    names: { usage: '[BASE]', min: 0, max: 1 },
    options: {
      'fail-on-breaking': { type: 'boolean', default: false, does: 'fails if a change is breaking and not accepted' },
      format: { type: 'string', default: 'markdown', value: 'markdown|json', does: 'of the report' },
    },
    notes: [
      'BASE is a revision of Git; without it, the commit where this branch left the main one, or on that branch HEAD.',
    ],
    examples: [
      ['', 'compares with the main branch'],
      ['HEAD~1 --fail-on-breaking', 'fails if the last commit broke something'],
    ],
    exitCodes: {
      1: `failed: ${specErrors}, there is nothing to compare with, or with --fail-on-breaking a change is breaking`,
    },
  },
  editor: {
    call: 'npm run editor --',
    does: 'Updates the JSON Schemas that editors read, after a change of the spec language',
    options: {},
    examples: [['', 'writes generator/editor/*.schema.json']],
  },
} as const satisfies Readonly<Record<string, CommandDescription>>;
