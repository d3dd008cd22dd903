import { errorCodes } from '../../../generator/model/error-codes.ts';
import type { Document } from '../../document/document.ts';
import { expectProblem } from '../../support/problem.ts';
import type { Answer } from '../../support/server.ts';
import type { Fuzzed } from './request.ts';

/** Statuses that any request may get, whatever the document says of its operation. */
const anywhere = new Set([400, 404, 405, 408, 413, 414, 415, 417, 429, 431, 503]);

const longestProblem = 65_536; // bytes
const mostErrors = 100;

/** @returns what is wrong with an answer, in a line; undefined where nothing is. */
export function faultOf(document: Document, { method, target, operation }: Fuzzed, answer: Answer): string | undefined {
  const { status, body, text, headers } = answer;
  if (status >= 500 && status !== 503) return `is ${status}`;
  if (operation && !(status in operation.responses) && !anywhere.has(status))
    return `is ${status}, which the document does not say`;
  if (method === 'HEAD') return text === '' ? undefined : 'has a body';
  // Records with selected fields lack the others.
  const isPartial = status === 200 && /[?&]fields=/.test(target);
  const fault = operation && document.faultOf(operation, status, body, isPartial);
  if (fault !== undefined) return `does not match the document: ${fault}`;
  if (status < 400) return undefined;
  const { code, errors = [] } = body as { code?: string; errors?: unknown[] };
  // The document names the codes of hooks.
  const isKnown = code !== undefined && (status === 422 || errorCodes.has(code));
  if (!isKnown) return `has the code ${code}, which is not in the table`;
  if (text.length > longestProblem) return `is a problem of ${text.length} bytes`;
  if (errors.length > mostErrors) return `lists ${errors.length} errors`;
  if (status === 405 && !headers.has('allow')) return 'is 405 without Allow';
  try {
    expectProblem(answer, errorCodes.get(code)?.status ?? 422, code);
  } catch (error) {
    return (error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 500);
  }
  return undefined;
}
