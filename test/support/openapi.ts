import { createConfig, lintFromString } from '@redocly/openapi-core';

const rules = createConfig({ extends: ['recommended'] });

/** What a checker of OpenAPI documents finds wrong in one. */
export async function openApiFaults(source: string): Promise<string[]> {
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config: await rules });
  return problems.map(({ severity, ruleId, message, location }) => {
    return `${severity} ${ruleId} at ${location[0]?.pointer}: ${message}`;
  });
}
