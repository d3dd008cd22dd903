import type { Table } from '../../runtime/model/table.ts';
import {
  columnDefinition,
  commonDialect,
  createIndex,
  type SchemaDialect,
  indexes,
  literal,
  organizationColumn,
} from '../../runtime/sql/schema.ts';

/** Statements that create the database of a version without organizations. */
export function createOlderSchema(tables: readonly Table[], dialect: SchemaDialect = commonDialect): string[] {
  return [
    `create table "_row_counter" (
      "table" text not null,
      "parent" text not null,
      "shard" bigint not null,
      "count" bigint not null,
      primary key ("table", "parent", "shard")
    )`,
    'create table "_required_column" ("name" text not null primary key)',
    ...tables.flatMap((table) => {
      const columns = table.columns.map((column) =>
        column.name === 'id' ? `"id" text ${dialect.byBytes} not null primary key` : columnDefinition(column, dialect),
      );
      const ofOrganization = (name: string): boolean => name !== organizationColumn;
      const older = indexes(table).map((index) => ({ ...index, columns: index.columns.filter(ofOrganization) }));
      return [
        `create table "${table.name}" (${columns.join(', ')})`,
        ...older.map((index) => createIndex(index, dialect)),
        ...(table.kind === 'record' ? [`insert into "_row_counter" values (${literal(table.name)}, '', 0, 0)`] : []),
      ];
    }),
  ];
}
