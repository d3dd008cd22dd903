import { exitCodes } from '../model/exit-codes.ts';
import type { CommandDescription } from './description.ts';

/** Which server is asked. */
const server = {
  url: { type: 'string', value: 'URL', does: 'the server (default: http://127.0.0.1:3000, or another PORT)' },
  'key-file': {
    type: 'string',
    value: 'FILE',
    does:
      'a file with the API key (default: the key is that of API_KEY; for a server of this machine, then the first of ' +
      'API_KEYS, then that of the file api-key beside the database)',
  },
} as const;

const csv = {
  delimiter: { type: 'string', value: 'CHARACTER', default: ',', does: 'what separates the cells of CSV, or tab' },
} as const;

/** The commands that move records through the API of a running server. */
export const dataCommands = {
  demo: {
    call: 'npm run demo --',
    does: 'Fills a running server with invented records of every resource, linked with each other',
    options: {
      count: {
        type: 'string',
        value: 'NUMBER',
        default: '200',
        does: 'how many records and line items, up to 1000000',
      },
      seed: { type: 'string', value: 'NUMBER', default: '1', does: 'another one gives other records' },
      again: { type: 'boolean', does: 'adds records if there are 20 already, or as many as it makes' },
      ...server,
    },
    examples: [
      ['', 'makes 200 records and line items'],
      ['--count 100000 --seed 7', 'makes many others'],
    ],
  },
  import: {
    call: 'npm run import --',
    does: 'Creates a record of a resource for each row of a CSV or NDJSON file, through the API of a running server',
    names: { usage: 'RESOURCE FILE', min: 2, max: 2 },
    options: {
      format: { type: 'string', value: 'csv|ndjson', does: 'the format (default: by the name of FILE, otherwise csv)' },
      map: {
        type: 'string',
        multiple: true,
        value: 'COLUMN=FIELD',
        does: 'the field that a column holds; COLUMN= leaves the column out',
      },
      ...csv,
      parent: { type: 'string', value: 'ID', does: 'the parent of all line items in the file' },
      'dry-run': { type: 'boolean', does: 'only checks the file, and sends nothing' },
      rejects: {
        type: 'string',
        value: 'FILE',
        does: 'imports the valid rows and writes the others into this file, to be corrected and imported by themselves',
      },
      resume: { type: 'boolean', does: 'continues an import that was interrupted; each row is imported once' },
      again: { type: 'boolean', does: 'imports a file that was imported before once more' },
      parallel: {
        type: 'string',
        value: 'NUMBER',
        does:
          'batches that are sent at once; with 1, records are created in the order of the rows (default: 4; for line ' +
          'items 1)',
      },
      journal: { type: 'string', value: 'FILE', does: 'where progress is kept (default: FILE.journal)' },
      ...server,
    },
    notes: [
      'RESOURCE is like crm/lead. All rows are checked before the first one is sent. Settings are updated by a file of one ' +
        'row. FILE.journal says what was imported; without it, the same file can be imported twice.',
    ],
    examples: [
      ['crm/lead leads.csv --dry-run', 'checks a file'],
      ['crm/lead leads.csv --map "Full Name=lead_name" --map "Notes="', 'imports it'],
      ['crm/lead leads.csv --map "Full Name=lead_name" --map "Notes=" --resume', 'continues after an interruption'],
    ],
    exitCodes: {
      [exitCodes.failed]: 'failed, or some rows were rejected; the message says why',
      [exitCodes.interrupted]: 'stopped by a signal; --resume continues',
    },
  },
  export: {
    call: 'npm run export --',
    does: 'Writes the records of a resource as CSV or NDJSON, oldest first, through the API of a running server',
    names: { usage: 'RESOURCE', min: 1, max: 1 },
    options: {
      format: {
        type: 'string',
        value: 'csv|ndjson',
        does: 'the format (default: by the name of --output, otherwise csv)',
      },
      output: { type: 'string', value: 'FILE', does: 'where to (default: the standard output)' },
      force: { type: 'boolean', does: 'replaces FILE if it exists' },
      parent: {
        type: 'string',
        multiple: true,
        value: 'ID',
        does: 'only the line items of this parent (default: those of all parents)',
      },
      ...csv,
      spreadsheet: {
        type: 'boolean',
        does:
          'for CSV that is opened in a spreadsheet: what it would take for a formula begins with an apostrophe, so that ' +
          'the file is not exact',
      },
      ...server,
    },
    notes: ['RESOURCE is like crm/lead.'],
    examples: [
      ['crm/lead --output leads.csv', 'writes a file, whole or not at all'],
      ['crm/lead --format ndjson | jq .lead_name', 'pipes it to another program'],
    ],
  },
} as const satisfies Readonly<Record<string, CommandDescription>>;
