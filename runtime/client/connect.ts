import { type Results, sendBatch, type Writes } from './batch.ts';
import { type ClientOptions, HttpRequests, type RequestOptions, type Requests } from './requests.ts';

/** The resources of a service, and batches of their writes. */
export type Connected<Resources> = Resources & {
  /**
   * Does up to 100 writes in one commit, in the order in which the callback calls them: all, or none. Gives what the
   * callback returns, with results in place of writes.
   *
   * @throws ApiFailure of the first write that cannot be done; `problem.operation` is its place from 0
   */
  batch<Returned>(write: (queue: Writes<Resources>) => Returned, options?: RequestOptions): Promise<Results<Returned>>;
};

/**
 * Makes the client of a service.
 *
 * @param basePath the path that all resources are under
 * @param resources makes the operations of all resources, over what sends their requests
 * @throws TypeError if the URL is none
 */
export function connect<Resources extends object>(
  options: ClientOptions,
  basePath: string,
  resources: (requests: Requests) => Resources,
): Connected<Resources> {
  const requests = new HttpRequests(options);
  return { ...resources(requests), batch: (write, sent) => sendBatch(requests, basePath, resources, write, sent) };
}
