import { type Reference, targetsOf } from '../model/fields.ts';
import type { Feature } from '../feature.ts';
import { isIdOf, referenceKey, type Table } from '../model/table.ts';
import type { Projection } from '../records/page.ts';
import type { OrganizationWrite } from '../records/write.ts';
import { partsOf } from './parts.ts';
import type { QueryDialect } from './query-dialect.ts';
import type { LockStrength } from './record-locks.ts';
import { factsOf, type TableFacts } from './table-facts.ts';
import { TableSql } from './table-sql.ts';
import { inTotalOrder, type TotalOwner, type TotalOwners } from './total-owners.ts';
import type { NewEvent, Statement } from './types.ts';
import type { View, ViewOf } from './view.ts';
import type { Operations, WriteKind, WritePart } from './write-part.ts';

/**
 * A column of references, and the table that it belongs to or, in `Dml.referencesOf`, the one that it names. A column that may
 * name records of several tables is one for each of them.
 */
interface ReferenceColumn extends Omit<Reference, 'others'> {
  readonly column: string;
  /** All tables whose records it may name. */
  readonly targets: readonly string[];
}

/** A reference whose record rules read, and the fields that they read there. */
interface NamedReads extends ReferenceColumn {
  readonly fields: readonly string[];
  /** Two writes that both go on to change totals of the record would wait for each other, if both could hold it. */
  readonly lock: LockStrength;
}

/** The statements on all tables of a store. */
export class Dml {
  readonly tables: readonly Table[];
  readonly dialect: QueryDialect;
  /** The shares in writes, in the order of their locks and of their reasons to reject a write. */
  readonly parts: readonly WritePart[];
  /** The steps of operations of features. */
  readonly operations: Operations;
  readonly #partsFor = new Map<string, readonly WritePart[]>();
  readonly #facts: ReadonlyMap<string, TableFacts>;
  readonly #references: ReadonlyMap<string, readonly ReferenceColumn[]>;
  readonly #totalOwners: TotalOwners;
  readonly #places: ReadonlyMap<string, number>;
  /** Whether any table has computed fields or rules. */
  readonly hasLogic: boolean;
  readonly #viewOf: ViewOf | undefined;
  readonly #changing: ReadonlySet<string>;
  readonly #reads = new Map<string, readonly NamedReads[]>();

  constructor(tables: readonly Table[], dialect: QueryDialect, features: readonly Feature[]) {
    this.tables = tables;
    this.dialect = dialect;
    this.#facts = new Map(tables.map((table) => [table.name, factsOf(table, dialect, features)]));
    this.#references = new Map(tables.map((table) => [table.name, referencesIn(table)]));
    this.#totalOwners = features.find(({ owners }) => owners)?.owners?.(tables) ?? new Map();
    this.#places = new Map(inTotalOrder(tables, this.#totalOwners).map(({ name }, place) => [name, place]));
    this.#viewOf = features.find(({ view }) => view)?.view;
    this.parts = partsOf(features);
    this.operations = Object.assign({}, ...features.map(({ writes }) => writes)) as Operations;
    this.hasLogic = tables.some(({ logic }) => logic);
    const changes = (table: Table): boolean => this.partsFor('create', table).some(({ changesRows }) => changesRows);
    this.#changing = new Set(tables.filter(changes).map(({ name }) => name));
  }

  /** @throws Error if the store was opened without this table */
  of(name: string, organization: number): TableSql {
    const facts = this.#facts.get(name);
    if (!facts) throw new Error(`The store was opened without a table "${name}".`);
    return new TableSql(facts, this.dialect, organization);
  }

  /** The parts of such writes of a table. */
  partsFor(kind: WriteKind, table: Table): readonly WritePart[] {
    return this.#partsFor.getOrInsertComputed(`${kind} ${table.name}`, () =>
      this.parts.filter((part) => part.isFor?.(kind, table, this) ?? true),
    );
  }

  /** Whether creates in a table change other rows before they store theirs. */
  changesRows(table: string): boolean {
    return this.#changing.has(table);
  }

  /** Statements that store the events of a write. */
  noteEvents(write: OrganizationWrite, events: readonly NewEvent[]): Statement[] {
    if (events.length === 0) return [];
    return this.parts.flatMap((part) => part.note?.(this, write, events) ?? []);
  }

  /** Records of a table as a projection shows them; undefined if it shows them whole. */
  view(sql: TableSql, projection: Projection | undefined): View | undefined {
    return projection && this.#viewOf?.(sql, projection, (table) => this.of(table, sql.organization));
  }

  /** The names of the tables of line items whose parents are in this table. */
  itemsOf(table: string): readonly string[] {
    return this.tables.filter(({ parent }) => parent?.table === table).map(({ name }) => name);
  }

  /** The records whose totals follow from the rows of a table. */
  totalOwners(table: string): readonly TotalOwner[] {
    return this.#totalOwners.get(table) ?? [];
  }

  /** Whether totals of the records that a column of a table names, or any column, follow from its rows. */
  hasTotals(table: string, column?: string): boolean {
    return this.totalOwners(table).some((owner) => column === undefined || owner.column === column);
  }

  /** The columns that parts set in each change of a row. */
  setByChanges(table: Table): readonly string[] {
    return this.partsFor('update', table).flatMap(({ sets }) => sets?.(table) ?? []);
  }

  /** The owners of totals that may follow from one of these fields, or from one that is computed again. */
  changedOwners(table: Table, changed: readonly string[]): TotalOwner[] {
    const owners = this.totalOwners(table.name);
    if (owners.length === 0) return [];
    const all = [...changed, ...this.setByChanges(table), ...Object.keys(table.logic?.computed ?? {})];
    return owners.filter(({ reads }) => all.some((field) => reads.has(field)));
  }

  /** The place of a table in the order of `inTotalOrder`. */
  readonly placeOf = (table: string): number => this.#places.get(table) ?? 0;

  /** The table of the parents of line items, if these can be locked. */
  lockingParents({ table, organization }: TableSql): TableSql | undefined {
    const parents = table.parent?.table === undefined ? undefined : this.of(table.parent.table, organization);
    return parents?.table.locks && parents;
  }

  /** How a write of line items locks their parents: no other one may change them, if it may do so itself. */
  parentLock(sql: TableSql, changesParents: boolean): LockStrength {
    if (changesParents) return 'exclusive';
    return this.lockingParents(sql) ? 'againstChange' : 'againstDelete';
  }

  /** The references in a table, each with the table that it names. */
  referencesOf(table: string): readonly ReferenceColumn[] {
    return this.#references.get(table) ?? [];
  }

  /** Whether a value of a reference is looked for in its table: an id with the prefix of none of several is in that of the first. */
  isOfTarget({ table, targets }: ReferenceColumn, id: string): boolean {
    if (targets.length === 1) return true;
    return table === (targets.find((name) => isIdOf(this.of(name, 0).table, id)) ?? targets[0]);
  }

  /** The references whose records rules of a write read. @param operation as events name it */
  readsOf({ name, logic }: Table, operation: string): readonly NamedReads[] {
    return this.#reads.getOrInsertComputed(`${operation} ${name}`, () => {
      const rules = logic ? [...logic.rules, ...(logic.transitions[operation] ?? [])] : [];
      const reads = rules.flatMap((rule) => Object.entries(rule.reads ?? {}));
      return this.referencesOf(name).flatMap((reference) => {
        const fields = reads.flatMap(([key, some]) => (key === referenceKey(reference.column) ? some : []));
        const lock = this.hasTotals(name, reference.column) ? 'exclusive' : 'againstChange';
        return fields.length > 0 ? [{ ...reference, fields: [...new Set(fields)], lock }] : [];
      });
    });
  }

  /** The references to the records of a table, each with the table that it is in. */
  referencesTo(table: string): readonly ReferenceColumn[] {
    return [...this.#references].flatMap(([name, references]) =>
      references.filter((one) => one.table === table).map((one) => ({ ...one, table: name })),
    );
  }
}

const referencesIn = ({ columns }: Table): ReferenceColumn[] =>
  columns.flatMap(({ name, references }) =>
    references
      ? targetsOf(references).map((table, _, targets) => ({ ...references, table, column: name, targets }))
      : [],
  );
