import { readService } from '../check/service.ts';
import type { Service } from '../model.ts';
import { formatDiagnostic, type Diagnostic } from '../diagnostic.ts';
import { readSpecs } from '../tree.ts';
import { type JudgedChange, judge } from './acceptance.ts';
import { changesBetween } from './api.ts';
import { type Base, GitError, readSpecsAt } from '../git.ts';
import { type CodeChanges, codeChanges } from './code.ts';
import { type DatabaseChanges, databaseChanges } from './database.ts';

/** All effects of an edit of the spec. */
export interface SpecChanges {
  readonly base: Base;
  /** False where the base has no spec. */
  readonly hasBaseSpec: boolean;
  readonly api: readonly JudgedChange[];
  /** The acceptances that accept nothing. */
  readonly warnings: readonly string[];
  readonly database: DatabaseChanges;
  readonly code: CodeChanges;
}

/** The files of a spec: contents by path. */
type Specs = ReadonlyMap<string, string>;

/** The effects of an edit, or the diagnostics of a spec that has errors. */
export type Comparison =
  { readonly changes: SpecChanges } | { readonly diagnostics: readonly Diagnostic[]; readonly specs: Specs };

/**
 * Compares the spec of the working tree with that of a commit, in full.
 *
 * @param root the project
 * @throws GitError where the base's spec has errors by the rules of today: nothing is guessed
 */
export async function compareWith(root: string, base: Base): Promise<Comparison> {
  const [before, after] = [readSpecsAt(root, base.commit), readSpecs(root)];
  const former = before.size === 0 ? undefined : readFormer(before, base);
  const { service, diagnostics } = readService(after);
  if (!service) return { diagnostics, specs: after };
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
  const { service, diagnostics } = readService(specs);
  if (service) return service;
  const [first, ...others] = diagnostics.filter(({ severity }) => severity === 'error');
  const what = first ? formatDiagnostic(first) : '';
  const more = others.length > 0 ? `, and ${others.length} more` : '';
  throw new GitError(`The spec of ${commit.slice(0, 12)} has errors for this generator: ${what}${more}`);
}

const isSame = (a: Specs, b: Specs): boolean =>
  a.size === b.size && [...a].every(([path, text]) => b.get(path) === text);

/** The generated files of both; none, where the specs are the same. */
async function filesOf(before: Specs, after: Specs): Promise<[Specs, Specs]> {
  if (isSame(before, after)) return [new Map(), new Map()];
  // Loading the printers takes longest.
  const { Generator } = await import('../generate.ts');
  const generator = new Generator();
  return [before.size === 0 ? new Map() : generator.generate(before).files, generator.generate(after).files];
}

/** The changes as JSON. */
export const printJson = ({ base, api, warnings, database, code }: SpecChanges): string =>
  `${JSON.stringify({ base, api, warnings, database, code }, null, 2)}\n`;
