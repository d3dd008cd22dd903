import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { SpecChanges } from '../../generator/changes/comparison.ts';
import type { Texts } from './edits.ts';
import { Project } from './repository.ts';

// Its texts take more bytes than characters, so that reading them from Git has to count well.
const lead = (fields: string, more = ''): Texts => ({
  'crm/lead': `# Größe, 数\nkind: record\ndoc: Ein Käufer – vielleicht.\n${more}\nfields: ${fields}\n`,
});

const service = (more: string): string =>
  `name: leads\ntitle: Leads\ndoc: Keeps leads.\nversion: 1.0.0\nlicense: MIT\n${more}\n`;

const accepted = (breaks: string): Texts => ({ service: service(`accepted_breaks: ${breaks}`) });

const deal = 'kind: record\ndoc: A deal.\nfields: { name }\n';

const committed = (texts: Texts): Project => new Project().init().spec(texts).commit();

test('hooks that use what breaks are named, with the place', async () => {
  const hooks = 'export const beforeCreate = ({ record }) => {\n  record.fax = record.name;\n};\n';
  using project = committed({ ...lead('{ name, fax, mail }'), 'crm/lead.hooks': hooks, 'crm/deal': deal });
  project.spec({ ...lead('{ name: { doc: The name. } }'), 'crm/deal': deal.replace('name', 'title') });
  const { stdout: out, stderr } = await project.changes();
  expect(stderr).toBe('');
  expect(out.split('## Hooks\n')[1]).toBe(
    '\nThese name what changes; `npm run check` tells whether they still compile:\n\n' +
      '- `spec/crm/lead.hooks.ts:2:10`: `fax` of `crm/lead`\n',
  );
  const { hooks: places } = JSON.parse((await project.changes('--format', 'json')).stdout) as SpecChanges;
  expect(places).toHaveLength(1);
});

test('hooks that list and move are named by filters and transitions that go', async () => {
  const hooks = [
    'export const beforeCreate = async ({ list, move }) => {',
    "  const [other] = await list('crm/lead', { filter: { fax: '1' } });",
    "  if (other) return await move('crm/lead', other.id, 'return');",
    '};',
  ].join('\n');
  const fields = '{ fax, name, status: { enum: [a, b], default: a } }';
  const listed = (filter: string, more = '') => lead(fields, `list: { filter: [${filter}] }\n${more}`);
  const moves = 'transitions: { return: { from: a, to: b }, close: { from: a, to: b } }';
  using project = committed({ ...listed('fax, name', moves), 'crm/lead.hooks': hooks });
  project.spec(listed('name', moves.replace(/return.*?}, /, '')));
  const { stdout } = await project.changes();
  expect(
    stdout
      .split('## Hooks\n')[1]
      ?.match(/^- .*$/gm)
      ?.toSorted(),
  ).toEqual([
    '- `spec/crm/lead.hooks.ts:2:54`: `fax` of `crm/lead`',
    "- `spec/crm/lead.hooks.ts:3:54`: `'return'` of `crm/lead`",
  ]);
});

describe('the base', () => {
  test('on the main branch: HEAD, so that uncommitted changes are compared', async () => {
    using project = committed(lead('{ name, fax }')).spec(lead('{ name, fax, mail }')).commit();
    project.spec(lead('{ name, fax, mail, website }'));
    const { code, stdout: out } = await project.changes();
    expect(out).toMatch(/^Compared with `[0-9a-f]{12}`, HEAD: uncommitted changes\.$/m);
    expect(out.match(/is new/g)).toHaveLength(1);
    expect(out).toContain('- Safe: `website` is new');
    expect(code).toBe(0);
  });

  test('on a branch: compares with its fork point, not with later commits of the main branch', async () => {
    using project = committed(lead('{ name }')).git('checkout', '-qb', 'edit').spec(lead('{ name, mail }')).commit();
    project.git('checkout', '-q', 'main').spec(lead('{ name, fax }')).commit().git('checkout', '-q', 'edit');
    const { stdout: out } = await project.changes();
    expect(out).toContain('the merge base with main.');
    expect(out).toContain('- Safe: `mail` is new');
    expect(out).not.toContain('fax');
  });

  test('in a clone: the main branch of its origin', async () => {
    using origin = committed(lead('{ name }'));
    using project = new Project().git('clone', '-q', origin.root, '.').spec(lead('{ name, mail }')).commit();
    expect((await project.changes()).stdout).toContain('Nothing changes in the API or the database.');
    project.git('checkout', '-qb', 'edit').git('branch', '-D', 'main');
    const { stdout: out } = await project.changes();
    expect(out).toContain('the merge base with origin/main.');
    expect(out).toContain('- Safe: `mail` is new');
  });

  test('a revision that is named', async () => {
    using project = committed(lead('{ name }')).git('tag', 'v1').spec(lead('{ name, mail }')).commit();
    const { stdout: out } = await project.changes('v1');
    expect(out).toMatch(/^Compared with `[0-9a-f]{12}`, v1\.$/m);
    expect(out).toContain('- Safe: `mail` is new');
  });

  test('without a spec: everything is new', async () => {
    using project = new Project().init().write('README.md', 'Soon.\n').commit().spec(lead('{ name }'));
    const { code, stdout: out } = await project.changes('--fail-on-breaking');
    expect(out).toContain('which has no spec: everything is new.');
    expect(out).toMatch(/\*\*No breaking change\*\* · 1 safe change · \d+ statements for the database/);
    expect(out).toContain('create table "lead"');
    expect(code).toBe(0);
  });

  test('a project in a folder of a repository, with line ends of Windows', async () => {
    using project = new Project().init();
    const text = 'kind: record\r\ndoc: A lead.\r\nfields: { name }\r\n';
    project.write('app/spec/service.yaml', service('')).write('app/spec/crm/lead.yaml', text).commit();
    project.write('app/spec/crm/lead.yaml', text.replace('name', 'name, mail'));
    const { stdout: out } = await project.changesIn('app');
    expect(out).toContain('**No breaking change** · 1 safe change');
  });
});

describe('the report', () => {
  test('a page for the pull request', async () => {
    using project = committed({ ...lead('{ name, website, score: integer }'), 'crm/deal': deal }).git('tag', 'v1');
    project.spec(
      lead('{ name: { required: true, doc: What to call it | them. }, homepage: { renamed_from: website } }'),
    );
    project.remove('spec/crm/deal.yaml');
    const { stdout: out } = await project.changes('v1');
    const told = out.replace(/`[0-9a-f]{12}`/, '`(commit)`');
    expect(told).toBe(readFileSync(new URL('page.md', import.meta.url), 'utf8'));
  });

  test('each database by itself where they differ, without the text of triggers', async () => {
    using project = committed({ ...lead('{ name, fax }', 'list: { search: [name] }'), service: service('') });
    project.spec({
      ...lead('{ name, fax }', 'list: { search: [name, fax], filter: [fax] }'),
      service: service('').replace('name: leads', 'name: sales'),
    });
    const { stdout: out } = await project.changes();
    const [, sqlite = '', postgres = ''] = out.split(/^### (?:SQLite|PostgreSQL)$/m);
    expect(sqlite).toMatch(/\*\*does not start\*\* .*\n\n- The service "sales" does not open SQLite files of "leads"/);
    expect(sqlite).toMatch(/^create index "_lead\.fax\.desc" on "lead" \("_organization", "fax", "id"\);$/m);
    expect(sqlite).toMatch(/^-- \d statements for triggers, which keep it up$/m);
    expect(sqlite).not.toContain('trigger "');
    expect(postgres).toMatch(/^The next start runs:$/m);
    expect(postgres).toMatch(/^create index concurrently "_lead\.fax\.desc" on "lead" \(.*\);$/m);
    expect(postgres).not.toContain('does not start');
    expect(postgres).not.toContain('stop them first');
    for (const section of [sqlite, postgres])
      expect(section).toContain('- In each row of lead the words of name, fax are stored.');
  });

  test('columns in which two rows with equal values refuse the start', async () => {
    using project = committed(lead('{ name: { max_length: 9 }, fax: { max_length: 9 } }'));
    project.spec(lead('{ name: { max_length: 9 }, fax: { max_length: 9 } }', 'unique: [[name, fax]]'));
    const [page, json] = await Promise.all([project.changes('HEAD'), project.changes('HEAD', '--format', 'json')]);
    const { database } = JSON.parse(json.stdout) as SpecChanges;
    for (const changes of Object.values(database)) expect(changes.mustDiffer).toEqual(['Table "lead": "name", "fax"']);
    expect(page.stdout).toContain(
      'The start is **refused** if two rows have the same values in these columns:\n\n- Table "lead": "name", "fax"\n',
    );
  });

  test('the same facts as JSON', async () => {
    using project = committed({ ...lead('{ name, website, score: integer }'), 'crm/deal': deal });
    project.spec({
      ...lead('{ homepage: { renamed_from: website }, name, score: number, rank: integer }'),
      ...accepted('{ crm/deal/removed: It is `over`., crm/lead/sore: Typo. }'),
    });
    project.remove('spec/crm/deal.yaml');
    const [page, json] = await Promise.all([project.changes('HEAD'), project.changes('HEAD', '--format', 'json')]);
    expect([page.code, json.code]).toEqual([0, 0]);
    const { base, api, warnings, database: databases } = JSON.parse(json.stdout) as SpecChanges;
    const database = databases.sqlite;
    expect(base).toEqual({ commit: expect.stringMatching(/^[0-9a-f]{40}$/), what: 'HEAD' });
    expect(api.map(({ id, verdict, affects, accepted: reason }) => [id, verdict, affects.length, reason])).toEqual([
      ['crm/deal/removed', 'breaking', 2, 'It is `over`.'],
      ['crm/lead/website/renamed', 'breaking', 3, undefined],
      ['crm/lead/score/type/changed', 'breaking', 1, undefined],
      ['crm/lead/rank/added', 'safe', 0, undefined],
      ['crm/lead/fields/reordered', 'safe', 0, undefined],
    ]);
    expect(database).toEqual({
      statements: [
        'alter table "lead" rename column "website" to "homepage"',
        'alter table "lead" add column "rank" bigint',
      ],
      migration: [],
      isIncompatible: true,
      rewritten: [],
      errors: [expect.stringContaining('Column "score" of table "lead" is bigint')],
      mustBeFilled: [],
      mustDiffer: [],
      orphaned: ['Table "deal" keeps its rows, which no resource shows.'],
    });
    const { statements, migration } = databases.postgres;
    expect({ ...databases.postgres, statements: [...statements, ...migration], migration: [] }).toEqual(database);
    expect(warnings).toHaveLength(1);
    const told = [
      ...api.map(({ message }) => message),
      ...api.filter(({ verdict }) => verdict === 'breaking').map(({ id }) => `\n  \`${id}\``),
      ...warnings,
      ...database.statements.map((statement) => `${statement};`),
      ...database.errors,
      ...database.orphaned,
    ];
    for (const fact of told) expect(page.stdout).toContain(fact);
    expect(page.stdout).toContain('It is \\`over\\`.');
  });
});

describe('exit codes', () => {
  test('1 for a break that is not accepted, 0 for one that is', async () => {
    using project = committed(lead('{ name, fax }')).spec(lead('{ name }'));
    expect((await project.changes('--fail-on-breaking')).code).toBe(1);
    project.spec(accepted('{ crm/lead/fax/removed: Nobody | has `one`. }'));
    const { code, stdout: out } = await project.changes('--fail-on-breaking');
    expect(code).toBe(0);
    expect(out).toContain('**1 breaking change** (1 accepted)');
    expect(out).toContain('**Breaking, accepted** for readers, creators and updaters: `fax` is removed');
    expect(out).toContain('`crm/lead/fax/removed`: Nobody \\| has \\`one\\`.');
    expect(out).not.toContain('Warning');
  });

  test('an acceptance of the base does not excuse a later break of the same id, a new reason does', async () => {
    const before = {
      ...lead('{ fax: { max_length: 20 } }'),
      ...accepted('{ crm/lead/fax/max_length/narrowed: Few. }'),
    };
    using project = committed(before).spec({ ...before, ...lead('{ fax: { max_length: 10 } }') });
    const stale = await project.changes('--fail-on-breaking');
    expect(stale.code).toBe(1);
    expect(stale.stdout).toContain(
      '- Warning: `crm/lead/fax/max_length/narrowed` was accepted in the base for an earlier break',
    );
    project.spec(accepted('{ crm/lead/fax/max_length/narrowed: Fewer still. }'));
    const renewed = await project.changes('--fail-on-breaking');
    expect(renewed.code).toBe(0);
    expect(renewed.stdout).not.toContain('Warning');
  });

  test('an acceptance that accepts nothing is told, one of an earlier change is not', async () => {
    const old = 'crm/lead/mail/removed: Long ago.';
    using project = committed({ ...lead('{ name, fax }'), ...accepted(`{ ${old} }`) });
    const both = `{ ${old}, crm/lead/fx/removed: Typo., crm/lead/website/added: Safe. }`;
    project.spec({ ...lead('{ name, website }'), ...accepted(both) });
    const { code, stdout: out } = await project.changes('--fail-on-breaking');
    expect(code).toBe(1);
    expect(out.match(/^- Warning.*$/gm)).toEqual([
      '- Warning: `crm/lead/fx/removed` in `accepted_breaks` names no change; did you mean "crm/lead/fax/removed"?',
      '- Warning: `crm/lead/website/added` in `accepted_breaks` is safe and needs no acceptance',
    ]);
  });

  test('a wrong spec is 1, with its errors', async () => {
    using project = committed(lead('{ name }')).spec(lead('{ name: intger }'));
    const { code, stdout: out, stderr: err } = await project.changes('--format', 'json');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('spec/crm/lead.yaml:5:17: name: unknown type "intger"; did you mean "integer"?');
  });
});

/** The one line on standard error of a run that could not compare. */
const failure = (project: Project, ...args: readonly string[]): Promise<string> => refusal(project, 1, args);

async function refusal(project: Project, expected: number, args: readonly string[]): Promise<string> {
  const { code, stdout: out, stderr: err } = await project.changes(...args);
  expect([code, out]).toEqual([expected, '']);
  return err;
}

describe('a comparison that fails has exit code 1 and one line', () => {
  test('no repository', async () => {
    using project = new Project().spec(lead('{ name }'));
    expect(await failure(project)).toBe(
      `${project.root} is not in a Git repository: there is nothing to compare with.\n`,
    );
  });

  test('no commit, no main branch', async () => {
    using project = new Project().init().spec(lead('{ name }'));
    expect(await failure(project)).toBe('There is no commit yet to compare with.\n');
    project.commit().git('branch', '-m', 'trunk');
    expect(await failure(project)).toBe(
      'There is no branch main or master. Name a revision: npm run changes -- <revision>\n',
    );
  });

  test('a revision that is not there', async () => {
    using project = committed(lead('{ name }'));
    expect(await failure(project, 'v9')).toBe('Git does not know the revision "v9".\n');
    expect(await failure(project, 'HEAD:spec')).toBe('Git does not know the revision "HEAD:spec".\n');
  });

  test('a history that is cut off', async () => {
    using origin = committed(lead('{ name }')).git('tag', 'v1').commit();
    origin.git('checkout', '-qb', 'edit').spec(lead('{ name, mail }')).commit().git('checkout', '-q', 'main').commit();
    using project = new Project().git('clone', '-q', '--depth=1', '--no-single-branch', `file://${origin.root}`, '.');
    project.git('checkout', '-q', 'edit');
    const hint =
      'The clone is shallow: fetch the rest of the history (git fetch --unshallow, or fetch-depth: 0 in a workflow).\n';
    expect(await failure(project)).toBe(`HEAD and origin/main have no commit in common. ${hint}`);
    expect(await failure(project, 'HEAD~1')).toBe(`Git does not know the revision "HEAD~1". ${hint}`);
    using alone = new Project().git('clone', '-q', '--depth=1', '--branch=edit', `file://${origin.root}`, '.');
    expect(await failure(alone)).toBe(`There is no branch main or master. ${hint}`);
  });

  test('a base whose spec is wrong for this generator', async () => {
    using project = committed(lead('{ name: intger, fax: { max: 1 } }')).spec(lead('{ name }'));
    expect(await failure(project)).toMatch(
      /^The spec of [0-9a-f]{12} has errors for this generator: spec\/crm\/lead\.yaml:5:17: name: unknown type .*, and 1 more\n$/,
    );
  });

  test('arguments that are not understood are 2', async () => {
    using project = committed(lead('{ name }'));
    const usage = 'Usage: npm run changes -- [BASE] [options]\n`npm run changes -- --help` says more.\n';
    expect(await refusal(project, 2, ['--format', 'html'])).toBe(
      `There is no format "html"; there are markdown, json.\n${usage}`,
    );
    expect(await refusal(project, 2, ['HEAD', 'HEAD'])).toBe(`There is an argument too many: "HEAD".\n${usage}`);
    expect(await refusal(project, 2, ['--fail'])).toContain(usage);
  });
});
