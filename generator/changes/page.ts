import { isUnaccepted, type JudgedChange } from './acceptance.ts';
import type { CodeChanges } from './code.ts';
import { compare } from '../diagnostic.ts';
import { capitalize } from '../names.ts';
import { serviceFile } from '../paths.ts';
import { code, codeBlock, counted, escaped, listed } from './markdown.ts';
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
    ([a = '', changes], [b = '', others]) => lightest(changes) - lightest(others) || compare(a, b),
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

function databaseSections({
  hasBaseSpec,
  database: { statements, isIncompatible, errors, mustBeFilled, orphaned },
}: SpecChanges): Section {
  if (statements.length + errors.length + orphaned.length === 0) return ['Nothing changes.'];
  const sql = codeBlock('sql', statements.map((statement) => `${statement};`).join('\n'));
  const start =
    errors.length > 0
      ? [
          'The server **does not start** with this spec, and leaves the database unchanged:',
          bullets(errors),
          ...(statements.length > 0 ? ['Otherwise it would run, in one transaction:', sql] : []),
        ]
      : statements.length > 0
        ? ['The next start runs, in one transaction:', sql]
        : ['The next start runs no statement.'];
  const incompatible =
    'Running servers of the base fail after these statements: stop them first. On PostgreSQL only `npm run migrate` ' +
    'runs them; until then, new servers answer 503.';
  return [
    ...start,
    ...(mustBeFilled.length > 0
      ? ['The start is **refused** if rows have no value in these columns:', bullets(mustBeFilled.map(escaped))]
      : []),
    ...(isIncompatible ? [incompatible] : []),
    ...(orphaned.length > 0 ? ['Orphaned data:', bullets(orphaned.map(escaped))] : []),
    ...(hasBaseSpec ? ['This assumes a database created by the base; an older one may have more columns.'] : []),
  ];
}

function codeSections({ added, changed, removed, rules }: CodeChanges): Section {
  const files = [
    ...added.map((file) => ({ file, how: ', new' })),
    ...changed.map((file) => ({ file, how: '' })),
    ...removed.map((file) => ({ file, how: ', removed' })),
  ];
  if (files.length === 0) return ['Nothing changes.'];
  return [
    bullets(files.map(({ file, how }) => `${code(file.path)} +${file.added} −${file.removed}${how}`)),
    ...(rules.length > 0
      ? ['Rules to review, because the types of their resources change:', bullets(rules.map(code))]
      : []),
  ];
}

const touchedFiles = ({ added, changed, removed }: CodeChanges): number =>
  added.length + changed.length + removed.length;

/** The counts, on one line; undefined where nothing changes. */
function summary({ api, warnings, database, code: files }: SpecChanges): string | undefined {
  const { statements, errors } = database;
  if (api.length + warnings.length + statements.length + errors.length + touchedFiles(files) === 0) return undefined;
  const breaks = api.filter(({ verdict }) => verdict === 'breaking');
  const accepted = breaks.filter((change) => !isUnaccepted(change)).length;
  return [
    `**${capitalize(counted(breaks.length, 'breaking change'))}**${accepted > 0 ? ` (${accepted} accepted)` : ''}`,
    counted(api.length - breaks.length, 'safe change'),
    `${counted(statements.length, 'statement')} for the database`,
    ...(errors.length > 0 ? [`**${counted(errors.length, 'error')}**`] : []),
    counted(touchedFiles(files), 'generated file'),
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
      ? ['Nothing changes in the API, the database or the code.']
      : [
          counts,
          '## API',
          ...apiSections(changes),
          '## Database',
          ...databaseSections(changes),
          '## Code',
          ...codeSections(changes.code),
        ];
  return `${['# Effects of the spec change', against, ...sections].join('\n\n')}\n`;
}
