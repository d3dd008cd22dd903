import { overloaded } from '../model/errors.ts';
import type { Page } from '../records/store.ts';
import { Timed, TimeLimit } from '../records/time-limit.ts';
import type { FoundPage } from './page-reader.ts';

type FindPage = (organization: number, table: string, page: Page, total?: number) => Promise<FoundPage | undefined>;

/** Pages of an organization that may wait: each takes up to 10 ms per million rows. */
export const maxWaitingSearches = 250;

class Search extends Timed {
  readonly request: Parameters<FindPage>;
  readonly result = Promise.withResolvers<FoundPage | undefined>();

  constructor(request: Parameters<FindPage>) {
    super(performance.now());
    this.request = request;
  }
}

/** Finds pages that take long to be found, one after the other: a page of one organization, then one of the next. */
export class PageFinder {
  readonly #findPage: FindPage;
  /** By organization, the next one first. */
  readonly #waiting = new Map<number, Search[]>();
  readonly #timeLimit: TimeLimit<Search>;
  #isBusy = false;

  /**
   * @param findPage finds one page on another thread
   * @param maxDuration milliseconds after which a search is given up
   */
  constructor(findPage: FindPage, maxDuration: number) {
    this.#findPage = findPage;
    this.#timeLimit = new TimeLimit(maxDuration, (search) => {
      const [organization] = search.request;
      const waiting = this.#waiting.get(organization)?.filter((other) => other !== search) ?? [];
      if (waiting.length > 0) this.#waiting.set(organization, waiting);
      else this.#waiting.delete(organization);
      search.result.reject(
        overloaded('The page could not be found in time: "after" takes less than a large "offset".'),
      );
    });
  }

  /** @throws ApiError `overloaded` if too many pages are waiting, or it takes too long */
  async find(...request: Parameters<FindPage>): Promise<FoundPage | undefined> {
    const [organization] = request;
    const waiting = this.#waiting.get(organization) ?? [];
    if (waiting.length >= maxWaitingSearches) {
      throw overloaded('Too many pages with large offsets are requested: "after" takes less.');
    }
    const search = new Search(request);
    waiting.push(search);
    this.#waiting.set(organization, waiting);
    this.#timeLimit.add(search);
    if (!this.#isBusy) void this.#next();
    return search.result.promise.finally(() => this.#timeLimit.delete(search));
  }

  async #next(): Promise<void> {
    this.#isBusy = true;
    for (const [organization, waiting] of this.#waiting) {
      const search = waiting.shift() as Search;
      // Behind the others: they come first.
      this.#waiting.delete(organization);
      if (waiting.length > 0) this.#waiting.set(organization, waiting);
      const { resolve, reject } = search.result;
      await this.#findPage(...search.request).then(resolve, reject);
    }
    this.#isBusy = false;
  }
}
