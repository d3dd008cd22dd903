import { isUnaccepted, type JudgedChange } from './acceptance.ts';
import type { CodeChanges, FileChange } from './code.ts';
import { compare } from '../diagnostic.ts';
import { capitalize } from '../names.ts';
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

/** The sort key of a change in its group, and of a group: unaccepted breaks come first. */
const weight = (change: JudgedChange): number => (isUnaccepted(change) ? 0 : change.verdict === 'breaking' ? 1 : 2);

const lightest = (changes: readonly JudgedChange[]): number => Math.min(...changes.map(weight));

function apiSections({ api, warnings }: SpecChanges): Section {
  if (api.length === 0 && warnings.length === 0) return ['Nothing changes.'];
  const groups = [...Map.groupBy(api, ({ resource }) => resource)].toSorted(
    ([a = '', changes], [b = '', others]) => lightest(changes) - lightest(others) || compare(a, b),
  );
  const hint =
    'A break is accepted in `spec/service.yaml`, with its reason: `accepted_breaks: { <the id below the change>: <reason> }`.';
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
  database: { statements, isIncompatible, errors, orphaned },
}: SpecChanges): Section {
  if (statements.length + errors.length + orphaned.length === 0) return ['Nothing changes.'];
  const sql = codeBlock('sql', statements.map((statement) => `${statement};`).join('\n'));
  const start =
    errors.length > 0
      ? [
          'The start **refuses** the spec, and leaves the database as it is:',
          bullets(errors),
          ...(statements.length > 0 ? ['Without that, it would run in one transaction:', sql] : []),
        ]
      : statements.length > 0
        ? ['The start runs, in one transaction:', sql]
        : ['The start has nothing to run.'];
  const incompatible =
    'No other server may run then: it would fail on what this leaves. On PostgreSQL no start does it, only ' +
    '`npm run migrate`; until then the new servers answer 503.';
  return [
    ...start,
    ...(isIncompatible ? [incompatible] : []),
    ...(orphaned.length > 0 ? ['What stays behind:', bullets(orphaned.map(escaped))] : []),
    ...(hasBaseSpec
      ? ['This is for a database that the base has made; an older one may still have columns of earlier specs.']
      : []),
  ];
}

const lineCount = ({ added, removed }: FileChange): string => `+${added} −${removed}`;

function codeSections({ added, changed, removed, rules }: CodeChanges): Section {
  const files = [
    ...added.map((file) => ({ file, how: ', new' })),
    ...changed.map((file) => ({ file, how: '' })),
    ...removed.map((file) => ({ file, how: ', removed' })),
  ];
  if (files.length === 0) return ['Nothing changes.'];
  return [
    bullets(files.map(({ file, how }) => `${code(file.path)} ${lineCount(file)}${how}`)),
    ...(rules.length > 0
      ? ['Rules to look at, because the types of their resource change:', bullets(rules.map(code))]
      : []),
  ];
}

const touchedFiles = ({ added, changed, removed }: CodeChanges): number =>
  added.length + changed.length + removed.length;

/** The counts, on one line; undefined where there is nothing to count. */
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
      ? ['Nothing changes: neither the API, nor the database, nor the code.']
      : [
          counts,
          '## API',
          ...apiSections(changes),
          '## Database',
          ...databaseSections(changes),
          '## Code',
          ...codeSections(changes.code),
        ];
  return `${['# What the edit of the spec does', against, ...sections].join('\n\n')}\n`;
}
