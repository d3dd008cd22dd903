import { isDeepStrictEqual } from 'node:util';
import { isUnaccepted, type JudgedChange } from './acceptance.ts';
import type { DatabaseChanges } from './database.ts';
import { compare } from '../read/diagnostic.ts';
import { printWidth } from '../emit/header.ts';
import { capitalize, listed } from '../model/names.ts';
import { serviceFile } from '../read/paths.ts';
import { code, codeBlock, counted, escaped } from './markdown.ts';
import type { SpecChanges } from './comparison.ts';

type Section = readonly string[];

const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n');

function changeLine(change: JudgedChange): string {
  const { id, verdict, affects, message, accepted } = change;
  if (verdict === 'safe') return `Safe: ${message}`;
  const whom = `for ${listed(affects)}`;
  if (accepted === undefined) return `**Breaking** ${whom}: ${message}\n  ${code(id)}`;
  return `**Breaking, accepted** ${whom}: ${message}\n  ${code(id)}: ${escaped(accepted)}`;
}

/** The sort key of changes and of groups: unaccepted breaks come first. */
const weight = (change: JudgedChange): number => (isUnaccepted(change) ? 0 : change.verdict === 'breaking' ? 1 : 2);

const lightest = (changes: readonly JudgedChange[]): number => Math.min(...changes.map(weight));

function apiSections({ api, warnings }: SpecChanges): Section {
  if (api.length === 0 && warnings.length === 0) return ['Nothing changes.'];
  const groups = [...Map.groupBy(api, ({ resource }) => resource)].toSorted(
    ([a = '', changes], [b = '', otherChanges]) => lightest(changes) - lightest(otherChanges) || compare(a, b),
  );
  const hint = `To accept a break, add its id and a reason to ${code(serviceFile())}: \`accepted_breaks: { <id>: <reason> }\`.`;
  return [
    ...(warnings.length > 0 ? [bullets(warnings.map((warning) => `Warning: ${warning}`))] : []),
    ...groups.flatMap(([resource, changes]) => [
      `### ${resource === undefined ? 'The service' : code(resource)}`,
      bullets(changes.toSorted((a, b) => weight(a) - weight(b)).map(changeLine)),
    ]),
    ...(api.some(isUnaccepted) ? [hint] : []),
  ];
}

/** Statements in one line each, but for tables; the triggers that keep an index up are counted. */
function sqlBlock(statements: readonly string[]): string {
  const [triggers = [], otherStatements = []] = [true, false].map((is) =>
    statements.filter((statement) => /^(?:create|drop) trigger/.test(statement) === is),
  );
  const lines = otherStatements.map((statement) =>
    /^create (?!table)/.test(statement) ? oneLine(statement) : `${statement};`,
  );
  const note =
    triggers.length > 0 ? [`-- ${counted(triggers.length, 'statement')} for triggers, which keep it up`] : [];
  return codeBlock('sql', [...lines, ...note].join('\n'));
}

function oneLine(statement: string): string {
  const line = `${statement.replaceAll(/\s+/g, ' ')};`;
  return line.length <= printWidth ? line : `${line.slice(0, printWidth - 2)} …`;
}

/** The steps of the start, or why it refuses. */
function startSections({ statements, migration, errors }: DatabaseChanges, how: string): Section {
  if (errors.length > 0) {
    return [
      'The server **does not start** with this spec, and leaves the database unchanged:',
      bullets(errors),
      ...(statements.length > 0 ? [`Otherwise it would run${how}:`, sqlBlock(statements)] : []),
    ];
  }
  return [
    ...(statements.length > 0 ? [`The next start runs${how}:`, sqlBlock(statements)] : []),
    ...(statements.length + migration.length === 0 ? ['The next start runs no statement.'] : []),
    ...(migration.length > 0 ? ['Only `npm run migrate` runs:', sqlBlock(migration)] : []),
  ];
}

const listedUnder = (title: string, items: readonly string[]): Section =>
  items.length > 0 ? [title, bullets(items.map(escaped))] : [];

const stopFirst = 'Running servers of the base fail after these statements: stop them first.';

const incompatible = {
  both: `${stopFirst} On PostgreSQL only \`npm run migrate\` runs them; until then, new servers respond 503.`,
  sqlite: stopFirst,
  postgres: `${stopFirst} Until they have run, new servers respond 503.`,
} as const;

function effectSections(changes: DatabaseChanges, kind: keyof typeof incompatible): Section {
  const how = { both: ', on SQLite in one transaction', sqlite: ', in one transaction', postgres: '' }[kind];
  return [
    ...startSections(changes, how),
    ...listedUnder('The start is **refused** if rows have no value in these columns:', changes.mustBeFilled),
    ...listedUnder('The start is **refused** if two rows have the same values in these columns:', changes.mustDiffer),
    ...listedUnder('Rows are written again:', changes.rewritten),
    ...(changes.isIncompatible ? [incompatible[kind]] : []),
  ];
}

/** The effects of a database as far as they are no matter of its SQL. */
function effectsOf({ statements, migration, ...effects }: DatabaseChanges): unknown {
  // An incompatible step is run by a start or by `npm run migrate`, which one sentence says of both.
  const all = effects.isIncompatible ? [[...statements, ...migration]] : [statements, migration];
  const subjects = all.map((list) => list.map((text) => text.replace(' concurrently', '').replace(/ ?[(\n][^]*/, '')));
  return { ...effects, subjects };
}

function databaseSections({ hasBaseSpec, database: { sqlite, postgres } }: SpecChanges): Section {
  if (![sqlite, postgres].some(hasEffect)) return ['Nothing changes.'];
  const isSame = isDeepStrictEqual(effectsOf(sqlite), effectsOf(postgres));
  return [
    ...(isSame
      ? effectSections(sqlite, 'both')
      : ['### SQLite', ...effectSections(sqlite, 'sqlite'), '### PostgreSQL', ...effectSections(postgres, 'postgres')]),
    ...listedUnder('Orphaned data:', sqlite.orphaned),
    ...(hasBaseSpec ? ['This assumes a database created by the base; an older one may have more columns.'] : []),
  ];
}

const hasEffect = ({ statements, migration, errors, orphaned }: DatabaseChanges): boolean =>
  statements.length + migration.length + errors.length + orphaned.length > 0;

/** The counts, on one line; undefined where nothing changes. */
function summary({ api, warnings, database }: SpecChanges): string | undefined {
  // SQLite's alone: PostgreSQL's tell a reader nothing more.
  const { statements, errors } = database.sqlite;
  if (api.length + warnings.length + statements.length + errors.length === 0) return undefined;
  const breaks = api.filter(({ verdict }) => verdict === 'breaking');
  const accepted = breaks.filter((change) => !isUnaccepted(change)).length;
  return [
    `**${capitalize(counted(breaks.length, 'breaking change'))}**${accepted > 0 ? ` (${accepted} accepted)` : ''}`,
    counted(api.length - breaks.length, 'safe change'),
    `${counted(statements.length, 'statement')} for the database`,
    ...(errors.length > 0 ? [`**${counted(errors.length, 'error')}**`] : []),
  ].join(' · ');
}

/** The changes as one page of Markdown. */
export function printPage(changes: SpecChanges): string {
  const { base, hasBaseSpec } = changes;
  const isNew = hasBaseSpec ? '' : ', which has no spec: everything is new';
  const against = `Compared with ${code(base.commit.slice(0, 12))}, ${escaped(base.what)}${isNew}.`;
  const counts = summary(changes);
  const sections =
    counts === undefined
      ? ['Nothing changes in the API or the database.']
      : [counts, '## API', ...apiSections(changes), '## Database', ...databaseSections(changes)];
  const intro = 'These name what changes; `npm run check` tells whether they still compile:';
  const hooks = changes.hooks.length > 0 ? ['## Hooks', intro, bullets(changes.hooks)] : [];
  return `${['# Effects of the spec change', against, ...sections, ...hooks].join('\n\n')}\n`;
}
