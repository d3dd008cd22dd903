import { Client } from 'pg';
import { expect, test } from 'vitest';

import { connect } from '../../runtime/engines/sqlite/connection.ts';
import { postgresDialect } from '../../runtime/engines/postgres/dialect.ts';
import { sqliteDialect } from '../../runtime/engines/sqlite/dialect.ts';
import { features } from '../../runtime/features.ts';
import { Dml } from '../../runtime/kernel/sql/dml.ts';
import type { QueryDialect } from '../../runtime/kernel/sql/query-dialect.ts';
import { mainOrganization } from '../../runtime/kernel/sql/schema.ts';
import type { Statement } from '../../runtime/kernel/sql/types.ts';
import { service } from '../service/generated/app.ts';
import { describeEngine, postgres, sqlite } from '../support/databases.ts';

/** Reads an author with the records that reference it. */
function readAuthor(dialect: QueryDialect): Statement {
  const dml = new Dml(service.tables, dialect, features.list);
  const sql = dml.of('author', mainOrganization);
  const view = dml.view(sql, { expand: ['books', 'gifts', 'pupils'] })!;
  const shown = dialect.engine === 'sqlite' ? sql.param(2) : `cast(${sql.param(2)} as text)`;
  return view.statement('plan', ['author_1', view.shown], () => {
    return `select ${view.json('"author"', shown)} from ${sql.organizationRows([`"id" = ${sql.param(1)}`])}`;
  });
}

const byReference = ['_book.author_id.desc', '_book_copy.donor_id.desc', '_author.mentor_id.desc'];

describeEngine(sqlite, 'plans of records with those that reference them', () => {
  test('find these in their order, by the index of the reference', async () => {
    await using database = await sqlite.create(service.tables);
    await (await database.open(service.tables)).close();
    const connection = connect(database.url.replace(/^sqlite:/, ''), 'rw');
    try {
      const { text } = readAuthor(sqliteDialect);
      const plan = connection
        .prepare(`explain query plan ${text}`)
        .all()
        .map(({ detail }) => String(detail));
      for (const index of byReference) {
        const uses = plan.filter((line) => line.includes(index));
        expect(uses, plan.join('\n')).toHaveLength(2);
        for (const line of uses) expect(line).toMatch(/[(]_organization=[?] AND \w+=[?][)]$/);
      }
      expect(plan.join()).not.toContain('TEMP B-TREE');
    } finally {
      connection.close();
    }
  });
});

describeEngine(postgres, 'plans of records with those that reference them', () => {
  test('find these in their order, by the index of the reference', async () => {
    await using database = await postgres.create(service.tables);
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      await client.query('set plan_cache_mode = force_generic_plan');
      const { text, values } = readAuthor(postgresDialect);
      const { rows } = await client.query<{ 'QUERY PLAN': string }>({ text: `explain ${text}`, values: [...values] });
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      for (const index of byReference) expect(plan).toContain(`"${index}"`);
      expect(plan).not.toMatch(/Seq Scan|Sort/);
    } finally {
      await client.end();
    }
  });
});
