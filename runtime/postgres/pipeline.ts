import { Query, type QueryArrayResult, type QueryConfig } from 'pg';

/** A prepared statement; its parameters are text. */
interface PreparedStatement {
  readonly name: string;
  readonly values: readonly (string | null)[];
}

/**
 * Prepared statements that are sent with one Sync message: the server answers them together, and after a failure executes
 * none of the others (https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY).
 */
export class Pipeline extends Query {
  /** @param callback gets a result for each statement, if there are at least two */
  constructor(
    statements: readonly PreparedStatement[],
    types: QueryConfig['types'],
    callback: (error: Error | null, results: QueryArrayResult[]) => void,
  ) {
    const config = { text: '', rowMode: 'array', types };
    super(config, callback as never);
    this.submit = (connection) => {
      for (const { name, values } of statements) {
        connection.bind({ statement: name, values: [...values] }, true);
        connection.describe({ type: 'P' }, true);
        connection.execute({}, true);
      }
      connection.sync();
    };
  }
}
