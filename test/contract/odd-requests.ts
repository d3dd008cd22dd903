import type { Random } from '../support/random.ts';

/** A request that is refused, or changes nothing. */
export interface OddRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

const ids = [
  ['0', 'null', '__proto__', "' or 1=1 --", '\0', 'a\0', 'é🙂', 'a/b', '%', 'x'.repeat(3_000)],
  ['thing_00000000000000000000000000', 'thing_ZZZZZZZZZZZZZZZZZZZZZZZZZZ'],
].flat();

const queries = [
  ['limit=0', 'limit=1001', 'limit=-1', 'limit=1.5', 'limit=', 'limit=%31', 'limit=1&limit=1', 'limit=1000'],
  ['offset=-1', 'offset=9007199254740992', 'offset=9007199254740991', 'offset=1000000', 'ofset=1', '__proto__=1'],
  ['after=a&offset=1', 'after=a&after=b', 'after=%00', 'after=', 'parent_id=a', 'id=%00', 'id=%ff', '=', '&', ''],
].flat();

/** They are no JSON object, or have a field that there is not. */
const bodies = [
  ['', ' ', 'null', '[]', '"a"', '1', '{', '{"a":1}x', '{"a":1}', '\ufeff[]', "{'a':1}", '{"__proto__":{"a":1}}'],
  ['{"constructor":1}', '{"Id":1}', '{"1":1}', '{"x":"\\ud800"}', '{"x":"\\u0000"}', `{"x":"${'x'.repeat(65_537)}"}`],
].flat();

const types = ['text/plain', 'application/json; charset=latin1', 'application/jsonx', 'application/merge-patch+json'];

/** Makes a request to a resource. @param known the id of a record, if there is one */
export function oddRequest(random: Random, path: string, known = '0'): OddRequest {
  const strange = `${path}/${encodeURIComponent(random.of(ids))}`;
  const record = `${path}/${known}`;
  const body = random.of(bodies);
  const isCreate = random.chance(0.5);
  const written = { method: isCreate ? 'POST' : 'PATCH', path: isCreate ? path : record };
  return random.of<() => OddRequest>([
    () => ({ method: random.of(['GET', 'HEAD', 'DELETE']), path: strange }),
    () => ({ method: 'PATCH', path: strange, body: '{}' }),
    () => ({ method: random.of(['GET', 'GET', 'HEAD']), path: `${path}?${random.of(queries)}` }),
    () => ({ ...written, body }),
    () => ({ ...written, body: Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]) }),
    () => ({ ...written, body: '{"x":1}', headers: { 'content-type': random.of(types) } }),
    () => ({ method: random.of(['PUT', 'OPTIONS', 'HEAD']), path: random.of([path, record]) }),
    () => ({ method: random.of(['DELETE', 'PATCH']), path, body: '{}' }),
    () => ({ method: 'GET', path: random.of([`${path}/`, `${path}s`, path.toUpperCase(), `${path}/a/b/c`]) }),
    () => ({ method: 'GET', path: `${path}/${random.of(['%', '%ff'])}` }),
    () => ({ method: 'GET', path: record, headers: { authorization: random.of(['', 'Bearer wrong']) } }),
  ])();
}
