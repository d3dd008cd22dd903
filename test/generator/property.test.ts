import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';

import { generate } from '../../generator/generate.ts';
import { compareGenerated, readGenerated, writeGenerated } from '../../generator/cli/generated-files.ts';
import { readSpecs } from '../../generator/read/spec-files.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import { resources, service, type Written } from './arbitrary.ts';
import { yamlOf } from '../support/yaml.ts';

/** An edit of a project between two runs of the generator. */
type Edit =
  | { readonly do: 'write'; readonly resource: Written }
  | { readonly do: 'remove'; readonly index: number }
  | { readonly do: 'move'; readonly index: number; readonly to: string }
  | { readonly do: 'break'; readonly index: number }
  | { readonly do: 'foreign'; readonly path: string };

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 3, arbitrary: resources.map((all) => ({ do: 'write' as const, resource: all[0] as Written })) },
  { weight: 2, arbitrary: fc.nat(9).map((index) => ({ do: 'remove' as const, index })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.nat(9), fc.stringMatching(/^moved\/[a-z]{3,6}$/))
      .map(([index, to]) => ({ do: 'move' as const, index, to: `spec/${to}.yaml` })),
  },
  { weight: 1, arbitrary: fc.nat(9).map((index) => ({ do: 'break' as const, index })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('notes.md', 'sales/mine.ts', 'sales/deep/mine.json', 'app.test.ts')
      .map((path) => ({ do: 'foreign' as const, path })),
  },
);

function filesUnder(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(repeatable);

test('random edits leave no stale file, touch no foreign one, and write nothing when the spec is wrong', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 2, maxLength: 8 }), async (edits) => {
      const root = mkdtempSync(join(tmpdir(), 'edits-'));
      try {
        const foreign = new Map<string, string>();
        write(root, 'spec/service.yaml', yamlOf(service));
        mkdirSync(join(root, 'generated'));
        for (const step of edits) {
          const specs = readSpecs(root);
          const paths = [...specs.keys()].filter((path) => path !== 'spec/service.yaml');
          const chosen = 'index' in step ? paths[step.index % Math.max(1, paths.length)] : undefined;
          if (step.do === 'write') write(root, step.resource.path, yamlOf(step.resource.data));
          if (step.do === 'foreign') {
            foreign.set(step.path, 'mine');
            write(root, `generated/${step.path}`, 'mine');
          }
          if (step.do === 'move' && chosen !== undefined) {
            write(root, step.to, specs.get(chosen) ?? '');
            rmSync(join(root, chosen));
          }
          if (step.do === 'remove' && chosen !== undefined) rmSync(join(root, chosen));
          if (step.do === 'break' && chosen !== undefined) write(root, chosen, 'kind: recrod\n');

          const before = filesUnder(join(root, 'generated'));
          const { files, diagnostics } = await generate(readSpecs(root));
          if (diagnostics.some(({ severity }) => severity === 'error')) {
            expect(files.size).toBe(0);
            expect(filesUnder(join(root, 'generated'))).toEqual(before);
            continue;
          }
          writeGenerated(root, files, compareGenerated(readGenerated(root), files));
          const after = filesUnder(join(root, 'generated'));
          expect(after).toEqual(new Map([...files, ...foreign].toSorted(([a], [b]) => (a < b ? -1 : 1))));
          const again = compareGenerated(readGenerated(root), files);
          expect([again.changed, again.stale]).toEqual([[], []]);
        }
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    }),
    { numRuns: rounds(6, 30, 600), seed },
  );
});
