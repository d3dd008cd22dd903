import { readService } from '../check/service.ts';
import type { Service } from '../model.ts';
import { formatProblem, type Problem } from '../problem.ts';
import { readSpecs } from '../tree.ts';
import { type JudgedChange, judge } from './acceptance.ts';
import { changesBetween } from './api.ts';
import { type Base, BaseError, readBaseSpecs } from './base.ts';
import { type CodeChanges, codeChanges } from './code.ts';
import { type DatabaseChanges, databaseChanges } from './database.ts';

/** All that an edit of the spec does. */
export interface SpecChanges {
  readonly base: Base;
  /** False where the base has no spec. */
  readonly hasBaseSpec: boolean;
  readonly api: readonly JudgedChange[];
  /** What is odd about the accepted breaks. */
  readonly warnings: readonly string[];
  readonly database: DatabaseChanges;
  readonly code: CodeChanges;
}

/** Texts of a spec by path. */
type Specs = ReadonlyMap<string, string>;

/** What an edit does, or the problems of a spec that is wrong. */
export type Report =
  { readonly changes: SpecChanges } | { readonly problems: readonly Problem[]; readonly specs: Specs };

/**
 * Compares the spec of the working tree with that of a commit, in full.
 *
 * @param root the project
 * @throws BaseError where the base's spec has mistakes by the rules of today: nothing is guessed
 */
export async function compareWith(root: string, base: Base): Promise<Report> {
  const [before, after] = [readBaseSpecs(root, base), readSpecs(root)];
  const former = before.size === 0 ? undefined : readFormer(before, base);
  const { service, problems } = readService(after);
  if (!service) return { problems, specs: after };
  const { changes, warnings } = judge(changesBetween(former, service), former, service);
  return {
    changes: {
      base,
      hasBaseSpec: former !== undefined,
      api: changes,
      warnings,
      database: databaseChanges(former, service),
      code: codeChanges(root, ...(await filesOf(before, after))),
    },
  };
}

function readFormer(specs: Specs, { commit }: Base): Service {
  const { service, problems } = readService(specs);
  if (service) return service;
  const [first, ...others] = problems.filter(({ severity }) => severity === 'error');
  const problem = first ? formatProblem(first) : '';
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  throw new BaseError(`The spec of ${commit.slice(0, 12)} has problems for this generator: ${problem}${more}`);
}

const isSame = (a: Specs, b: Specs): boolean =>
  a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);

/** The generated files of both; none, where the texts are the same. */
async function filesOf(before: Specs, after: Specs): Promise<[Specs, Specs]> {
  if (isSame(before, after)) return [new Map(), new Map()];
  // What prints code takes longest to load.
  const { Generator } = await import('../generate.ts');
  const generator = new Generator();
  return [before.size === 0 ? new Map() : generator.generate(before).files, generator.generate(after).files];
}

/** The changes as JSON. */
export const printJson = ({ base, api, warnings, database, code }: SpecChanges): string =>
  `${JSON.stringify({ base, api, warnings, database, code }, null, 2)}\n`;
