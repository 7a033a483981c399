// Checks schema/openapi.json, or the given file, with what `redocly lint` runs. Errors fail, and warnings too: there are none.
import { fileURLToPath } from 'node:url';
import { createConfig, lint } from '@redocly/openapi-core';

const ref = process.argv[2] ?? fileURLToPath(new URL('../schema/openapi.json', import.meta.url));
const rules = {
  // Literal segments win over parameters (docs/adr/0005); the documented paths are what they are.
  'no-ambiguous-paths': 'off',
  // Not among the recommended rules.
  'operation-tag-defined': 'error',
};

const problems = await lint({
  ref,
  config: await createConfig({ extends: ['recommended'], rules }),
});
for (const { ruleId, message, location } of problems)
  console.error(`${ruleId}: ${message} (${location[0]?.pointer ?? ''})`);
if (problems.length > 0) process.exitCode = 1;
else console.log('The OpenAPI description is valid.');
