import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { changesBetween } from '../../../generator/changes/api.ts';
import { readService } from '../../../generator/check/service.ts';
import type { Service } from '../../../generator/model/model.ts';
import { describeEngine, engines } from '../../support/databases.ts';
import { afterOf, type Edit, groupOf, specOf } from './edit.ts';
import { Play } from './play.ts';
import { archiveEdits } from './archives.ts';
import { numberEdits } from './numbers.ts';
import { referenceEdits } from './references.ts';
import { renameEdits } from './renames.ts';
import { stampEdits } from './stamps.ts';
import { totalEdits } from './totals.ts';
import { transitionEdits } from './transitions.ts';
import { valueEdits } from './values.ts';

const edits: readonly Edit[] = [
  ...transitionEdits,
  ...totalEdits,
  ...stampEdits,
  ...archiveEdits,
  ...referenceEdits,
  ...numberEdits,
  ...valueEdits,
  ...renameEdits,
];

function read(texts: Readonly<Record<string, string | null>>): Service {
  const about = 'name: things\ntitle: Things\ndoc: Keeps things.\nversion: 1.0.0\nlicense: MIT\n';
  const files = [...specOf(texts, 0)].map(([path, text]) => [`spec/${path}.yaml`, text] as const);
  const { service, diagnostics } = readService(new Map([['spec/service.yaml', about], ...files]));
  if (!service) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return service;
}

test('there are at least 60 edits', () => {
  expect(new Set(edits.map(({ edit }) => edit)).size).toBe(edits.length);
  expect(edits.length).toBeGreaterThanOrEqual(60);
});

test.each(edits)('$edit: npm run changes says what it breaks', (edit) => {
  const found = changesBetween(read(edit.before), read(afterOf(edit))).map(
    ({ id, verdict }) => `${verdict === 'breaking' ? '!' : ''}${id.replace('e0/', '')}`,
  );
  expect(found.join(', ')).toBe(edit.changes);
});

/** The edits that are tried together. One that is refused late keeps the others from being looked at. */
const groups = Map.groupBy(edits, (edit) => (edit.isLate ? `late: ${edit.edit}` : groupOf(edit)));

for (const engine of engines) {
  describeEngine(engine, 'edits of specs whose tables hold rows', () => {
    describe.each([...groups])('%s', (_, own) => {
      let play: Play;
      beforeAll(async () => {
        play = await Play.of(own, groupOf(own[0] as Edit), await engine.create());
        await play.run();
      }, 180_000);
      afterAll(() => play?.[Symbol.asyncDispose]());

      test.each(own)('$edit', (edit) => play.expect(edit));
    });
  });
}
