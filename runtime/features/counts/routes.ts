import { endpointOf, type Handler, handlerOf, type NoInput } from '../../kernel/api/endpoint.ts';
import { type JsonResponse, respondRead } from '../../kernel/api/responses.ts';
import type { Routes } from '../../kernel/api/service.ts';
import type { Table } from '../../kernel/model/table.ts';
import { readCountQuery } from './query.ts';
import { type Counted, countRead } from './read.ts';

/** Adds a route for each list that is counted: GET `<list>/count`. It takes the permission of the list. */
export const mountCounts: Routes = (app, { tables }) => {
  for (const table of tables) {
    if (table.counts) app.get(`${endpointOf(table, 'list').pattern}/count`, respondCounts(table));
  }
};

/** Responds 200 with the counts. */
function respondCounts(table: Table): Handler<NoInput, JsonResponse<Counted>> {
  const list = endpointOf(table, 'list');
  return handlerOf({ ...list, pattern: `${list.pattern}/count` }, (c) => {
    const query = readCountQuery(c.req.url, table, c.env.parameters);
    const { records } = c.env.principal;
    return respondRead(c, table.maxBody, false, async () =>
      JSON.stringify(await records.ask(countRead, table.name, query)),
    );
  });
}
