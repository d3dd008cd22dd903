import type { Reference } from '../model/fields.ts';
import type { Table } from '../model/table.ts';
import type { QueryDialect } from './query-dialect.ts';
import { factsOf, type TableFacts, TableSql } from './table-sql.ts';

/** A column of references, and the table that it belongs to or, in `Dml.referencesOf`, the one that it names. */
interface ReferenceColumn extends Reference {
  readonly column: string;
}

/** The statements on all tables of a store. */
export class Dml {
  readonly tables: readonly Table[];
  readonly dialect: QueryDialect;
  readonly #facts: ReadonlyMap<string, TableFacts>;
  readonly #references: ReadonlyMap<string, readonly ReferenceColumn[]>;
  readonly #addedUp: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether any table has computed fields or rules. */
  readonly hasLogic: boolean;

  constructor(tables: readonly Table[], dialect: QueryDialect) {
    this.tables = tables;
    this.dialect = dialect;
    this.#facts = new Map(tables.map((table) => [table.name, factsOf(table)]));
    this.#references = new Map(tables.map((table) => [table.name, referencesIn(table)]));
    this.#addedUp = addedUpBy(tables);
    this.hasLogic = tables.some(({ logic }) => logic);
  }

  /** @throws Error if the store was opened without this table */
  of(name: string, organization: number): TableSql {
    const facts = this.#facts.get(name);
    if (!facts) throw new Error(`The store was opened without a table "${name}".`);
    return new TableSql(facts, this.dialect, organization);
  }

  /** The names of the tables of line items whose parents are in this table. */
  itemsOf(table: string): readonly string[] {
    return this.tables.filter(({ parent }) => parent?.table === table).map(({ name }) => name);
  }

  /** The fields of line items from which totals of their parents follow; undefined if these have no totals over them. */
  addedUp(table: string): ReadonlySet<string> | undefined {
    return this.#addedUp.get(table);
  }

  /** The references in a table, each with the table that it names. */
  referencesOf(table: string): readonly ReferenceColumn[] {
    return this.#references.get(table) ?? [];
  }

  /** The references to the records of a table, each with the table that it is in. */
  referencesTo(table: string): readonly ReferenceColumn[] {
    return [...this.#references].flatMap(([name, references]) =>
      references.filter((one) => one.table === table).map((one) => ({ ...one, table: name })),
    );
  }
}

/** The fields that totals read, by the table of the line items. */
function addedUpBy(tables: readonly Table[]): ReadonlyMap<string, ReadonlySet<string>> {
  const totals = tables.flatMap(({ logic }) => Object.values(logic?.totals ?? {}));
  return new Map(
    [...Map.groupBy(totals, ({ items }) => items)].map(([items, some]) => [
      items,
      new Set(some.flatMap(({ field }) => field ?? [])),
    ]),
  );
}

const referencesIn = ({ columns }: Table): ReferenceColumn[] =>
  columns.flatMap(({ name, references }) => (references ? [{ ...references, column: name }] : []));
