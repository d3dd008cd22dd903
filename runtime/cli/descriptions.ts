import { exitCodes } from '../model/exit-codes.ts';
import { settings } from '../server/settings.ts';
import { dataCommands } from './data-descriptions.ts';
import type { CommandDescription } from './description.ts';

const organization = { type: 'string', value: 'NAME' } as const;
const duration = { type: 'string', value: 'DURATION' } as const;

/** The line of each setting in `npm start -- --help`. */
const settingRows = Object.fromEntries(
  Object.entries(settings).map(([name, { default: absent, meaning }]) => [
    name,
    absent === '' ? meaning : `${meaning} (default: ${absent})`,
  ]),
);

/** The commands of a generated server, besides those of the generator. */
export const commands = {
  start: {
    call: 'npm start --',
    does: 'Serves the generated code, after migrating the database to the spec if necessary',
    options: {
      verbose: { type: 'boolean', does: 'prints the settings in use, without keys and passwords' },
      'show-key': { type: 'boolean', does: 'prints the first API key and a curl command to try' },
      'quick-stop': { type: 'boolean', does: 'ends idle connections 0.1 seconds after a signal to stop, not 1 second' },
    },
    tables: { 'Settings, from the environment or the file .env in this folder': settingRows },
    examples: [
      ['', 'serves data/records.db on http://127.0.0.1:3000'],
      ['--verbose --show-key', 'the same, and prints settings and key'],
    ],
  },
  migrate: {
    call: 'npm run migrate --',
    does: 'Migrates the database to the spec, with renames and the destructive changes that are requested, and prints the steps',
    options: {
      plan: { type: 'boolean', default: false, does: 'prints what would be done, and changes nothing' },
      recount: { type: 'boolean', default: false, does: 'rebuilds the row counters' },
      distribute: { type: 'boolean', default: false, does: 'distributes the tables among the nodes of Citus' },
      drop: {
        type: 'string',
        multiple: true,
        value: 'TABLE[.COLUMN]',
        does: 'deletes a table or a column that the spec does not have any more, with its data',
      },
      convert: {
        type: 'string',
        multiple: true,
        value: 'TABLE.COLUMN',
        does: 'converts the values of a column to the type that the spec gives it now',
      },
    },
    examples: [
      ['--plan', 'shows the steps'],
      ['', 'does them'],
      ['--drop lead.fax', 'does them, and deletes the column fax of lead'],
    ],
    exitCodes: { [exitCodes.somethingToDo]: 'with --plan: there is something to do' },
  },
  keys: {
    call: 'npm run keys --',
    does: 'Creates, lists, revokes and rotates API keys, while servers use the database',
    options: {},
    notes: [
      'NAME of --organization is an organization, KEY the beginning of a key, like s2s_4fQ0cXb91Z. A DURATION is like ' +
        '12h, 90d or 52w (s, m, h, d, w).',
    ],
    commands: {
      create: {
        call: 'npm run keys -- create',
        does: 'creates a key and prints it; it is shown only once',
        options: {
          name: { type: 'string', value: 'NAME', isRequired: true, does: 'what the key is for' },
          scope: {
            type: 'string',
            multiple: true,
            value: 'SCOPE',
            isRequired: true,
            does:
              'what it may do: * (everything), an area or a resource, like crm or crm/lead; with :read, :write or ' +
              ':transition behind it only that',
          },
          organization: { ...organization, does: 'whose records it gives access to (default: main)' },
          expires: { ...duration, does: 'how long it is valid, or never (default: never)' },
          rate: {
            type: 'string',
            value: 'RATE',
            does: 'the requests that it may make, like 600/m, or off (default: RATE_LIMIT of the server)',
          },
        },
        examples: [["--name 'Web shop' --scope crm --scope support/issue:read", 'a key for a shop']],
      },
      list: {
        call: 'npm run keys -- list',
        does: 'lists the keys of the database that are valid',
        options: {
          organization: { ...organization, does: 'only keys of this organization' },
          all: { type: 'boolean', does: 'also keys that are revoked or have expired' },
        },
        examples: [['--all', 'all keys there ever were']],
      },
      revoke: {
        call: 'npm run keys -- revoke',
        does: 'revokes keys; servers refuse them within a second',
        names: { usage: 'KEY…', min: 1, max: Infinity },
        options: {},
        examples: [['s2s_4fQ0cXb91Z', 'revokes the key that begins with this']],
      },
      rotate: {
        call: 'npm run keys -- rotate',
        does: 'creates a key like another one, and prints it; both are valid for the overlap',
        names: { usage: 'KEY', min: 1, max: 1 },
        options: {
          overlap: { ...duration, default: '24h', does: 'how long the old key stays valid' },
          expires: {
            ...duration,
            does: 'how long the new key is valid, or never (default: as long as the old one was)',
          },
        },
        examples: [['s2s_4fQ0cXb91Z --overlap 7d', 'replaces a key within a week']],
      },
    },
    examples: [
      ["create --name 'Web shop' --scope crm", 'prints a new key'],
      ['list', 'shows when each was last used'],
    ],
  },
  organizations: {
    call: 'npm run organizations --',
    does: 'Creates, lists, renames and deletes organizations, while servers use the database',
    options: {},
    commands: {
      create: {
        call: 'npm run organizations -- create',
        does: 'creates an organization',
        names: { usage: 'NAME', min: 1, max: 1 },
        options: {},
        examples: [['acme', 'creates acme; `npm run keys` gives it keys']],
      },
      list: {
        call: 'npm run organizations -- list',
        does: 'lists all, with the times of their creation',
        options: {},
        examples: [['', 'lists them']],
      },
      rename: {
        call: 'npm run organizations -- rename',
        does: 'gives an organization another name; its keys and records stay',
        names: { usage: 'NAME NEW_NAME', min: 2, max: 2 },
        options: {},
        examples: [['acme acme-eu', 'acme is acme-eu from now on']],
      },
      delete: {
        call: 'npm run organizations -- delete',
        does: 'deletes an organization with its records and keys; without --yes it only counts them',
        names: { usage: 'NAME', min: 1, max: 1 },
        options: { yes: { type: 'boolean', does: 'deletes; it cannot be undone' } },
        examples: [
          ['acme', 'shows how many rows would be deleted, and fails'],
          ['acme --yes', 'deletes them'],
        ],
      },
    },
    examples: [
      ['create acme', 'creates an organization'],
      ['list', 'lists them'],
    ],
  },
  backup: {
    call: 'npm run backup --',
    does: 'Writes a copy of the SQLite database into a file, while servers use it, and checks the copy',
    names: { usage: 'FILE', min: 1, max: 1 },
    options: { force: { type: 'boolean', does: 'replaces FILE if it exists' } },
    notes: ['PostgreSQL has tools of its own: pg_dump --format=custom --file=FILE "$DATABASE_URL"'],
    examples: [['backup.db', 'writes backup.db, whole or not at all']],
  },
  restore: {
    call: 'npm run restore --',
    does: 'Puts a copy of a backup in the place of the SQLite database, which no server may be using',
    names: { usage: 'FILE', min: 1, max: 1 },
    options: {},
    notes: [
      'The former database is kept under another name. PostgreSQL has tools of its own: pg_restore --clean --if-exists ' +
        '--single-transaction --dbname="$DATABASE_URL" FILE',
    ],
    examples: [['backup.db', 'restores backup.db']],
  },
  ...dataCommands,
} as const satisfies Readonly<Record<string, CommandDescription>>;

export type CommandName = keyof typeof commands;
