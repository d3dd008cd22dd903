import type { Answer, TestServer } from '../support/server.ts';

type Request = TestServer['request'];

/** Headers that each answer has of its own. Which pages are long enough for pieces is up to the engine. */
const ownHeaders = new Set(['date', 'x-request-id', 'content-length', 'transfer-encoding']);

const idPattern = /(?<![a-z_\d])[a-z][a-z_\d]*_[\dA-HJKMNP-TV-Z]{26}/g;
// In words, a long text is cut.
const cutIdPattern = /_[\dA-HJKMNP-TV-Z]{1,26}…/g;
const timePattern = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
// The order of the records that refer to one is up to the engine.
const referrersPattern = /(?<=\(|"ids":\[")the id \d+(?:(?:, |",")the id \d+)+/g;
const requestIdPattern = /"request_id":"[^"]*"/g;

const day = 86_400_000;

/** A server that keeps what it answers, in words that another server has, too, if it gets the same requests. */
export class Transcript implements Pick<TestServer, 'request'> {
  readonly answers: string[] = [];
  readonly #server: Pick<TestServer, 'request'>;
  /** By their first appearance. */
  readonly #ids = new Map<string, number>();

  constructor(server: Pick<TestServer, 'request'>) {
    this.#server = server;
  }

  readonly request = async (...[method, path, ...rest]: Parameters<Request>): Promise<Answer> => {
    const answer = await this.#server.request(method, path, ...rest);
    const headers = [...answer.headers].filter(([name]) => !ownHeaders.has(name)).map((header) => header.join(': '));
    const all = [method, path, `${answer.status}`, ...headers, answer.text].join('\n');
    this.answers.push(
      all
        .replaceAll(idPattern, (id) => `the id ${this.#ids.getOrInsertComputed(id, () => this.#ids.size)}`)
        .replaceAll(referrersPattern, (ids) =>
          ids
            .split(/, |","/)
            .toSorted()
            .join(', '),
        )
        .replaceAll(cutIdPattern, '_…')
        .replaceAll(requestIdPattern, '"request_id":"its own"')
        .replaceAll(timePattern, (time) => (Math.abs(Date.parse(time) - Date.now()) < day ? 'now' : time)),
    );
    return answer;
  };
}
