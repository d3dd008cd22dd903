import type { FieldError, ServerProblem } from '../../../client/failure.ts';
import { titleOf } from './text.ts';
import { texts } from './texts.ts';
import type { Concerned } from './texts/wording.ts';

/** The errors of a problem. */
export const errorsIn = (problem: ServerProblem | undefined): readonly FieldError[] =>
  problem && 'errors' in problem ? problem.errors : [];

/** Why the service has refused a request, in sentences: by the code, or in the words of the service. */
export function problemText(problem: ServerProblem): string {
  const errors = errorsIn(problem);
  const words: Readonly<Partial<Record<string, (concerned: Concerned) => string>>> = texts.problems;
  const concerned = {
    fields: errors.map(({ pointer }) => titleOf(pointer.slice(pointer.lastIndexOf('/') + 1))),
    errors: errors.length + ('errors_omitted' in problem ? (problem.errors_omitted ?? 0) : 0),
    resources: ('referenced_by' in problem ? problem.referenced_by : []).map(({ resource }) =>
      titleOf(resource.slice(resource.lastIndexOf('/') + 1)),
    ),
  };
  // The messages of several rules say more than their number.
  const own = errors.filter(({ code }) => code === 'rule_violated').map(({ message }) => message);
  return words[problem.code]?.(concerned) ?? (own.length > 0 ? own.join(' ') : problem.detail);
}
