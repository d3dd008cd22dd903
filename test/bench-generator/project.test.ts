import { expect, test } from 'vitest';
import { readService } from '../../generator/check/service.ts';
import { specsOf } from './project.ts';

test('copies of the specs are a spec without errors', () => {
  const { service, diagnostics } = readService(specsOf(110));
  expect(diagnostics).toEqual([]);
  expect(service?.resources).toHaveLength(110);
});
