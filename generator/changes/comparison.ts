import { readService } from '../check/service.ts';
import type { Service } from '../model/model.ts';
import { type Diagnostic, formatDiagnostic, isError } from '../read/diagnostic.ts';
import { readSpecs } from '../read/spec-files.ts';
import { type JudgedChange, judge } from './acceptance.ts';
import { changesBetween } from './api.ts';
import { placesInHooks } from './hooks.ts';
import { type Base, GitError, readSpecsAt } from '../read/git.ts';
import { databaseChanges, type Databases } from './database.ts';

/** All effects of an edit of the spec. */
export interface SpecChanges {
  readonly base: Base;
  /** False where the base has no spec. */
  readonly hasBaseSpec: boolean;
  readonly api: readonly JudgedChange[];
  /** Warnings about acceptances without effect. */
  readonly warnings: readonly string[];
  readonly database: Databases;
  /** The places in files of hooks that may no longer compile. */
  readonly hooks: readonly string[];
}

/** The files of a spec: contents by path. */
type Specs = ReadonlyMap<string, string>;

/** The effects of an edit, or the diagnostics of a spec with errors. */
export type Comparison =
  { readonly changes: SpecChanges } | { readonly diagnostics: readonly Diagnostic[]; readonly specs: Specs };

/**
 * Compares the spec of the working tree with that of a commit, in full.
 *
 * @param root the project
 * @throws GitError where this generator finds errors in the base's spec
 */
export function compareWith(root: string, base: Base): Comparison {
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
      hooks: placesInHooks(changes, after),
    },
  };
}

function readFormer(specs: Specs, { commit }: Base): Service {
  const { service, diagnostics } = readService(specs);
  if (service) return service;
  const [first, ...moreErrors] = diagnostics.filter(isError);
  const what = first ? formatDiagnostic(first) : '';
  const more = moreErrors.length > 0 ? `, and ${moreErrors.length} more` : '';
  throw new GitError(`The spec of ${commit.slice(0, 12)} has errors for this generator: ${what}${more}`);
}

/** The changes as JSON. */
export const printJson = ({ base, api, warnings, database, hooks }: SpecChanges): string =>
  `${JSON.stringify({ base, api, warnings, database, hooks }, null, 2)}\n`;
