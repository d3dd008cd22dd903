import { createConfig, lintFromString } from '@redocly/openapi-core';

const rules = createConfig({ extends: ['recommended'] });

/** The faults that a checker finds in an OpenAPI document. */
export async function openApiFaults(source: string): Promise<string[]> {
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config: await rules });
  return problems.map(({ severity, ruleId, message, location }) => {
    return `${severity} ${ruleId} at ${location[0]?.pointer}: ${message}`;
  });
}
