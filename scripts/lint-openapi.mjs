// Judges schema/openapi.json by what others check descriptions with: the structure (what `swagger-cli validate` runs), Redocly's
// recommended rules (what `redocly lint` runs) and Spectral's rules for OpenAPI. Errors fail, and warnings too: there are none.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const file = process.argv[2] ?? fileURLToPath(new URL('../schema/openapi.json', import.meta.url));
const require = createRequire(import.meta.url);

/** Warnings that do not hold here, each with the reason. */
const REDOCLY_OFF = {
  // Literal segments win over parameters (docs/adr/0005); the documented paths are what they are.
  'no-ambiguous-paths': 'off',
};
const SPECTRAL_OFF = {
  // There is no address to write to that every installation shares.
  'info-contact': 'off',
};

async function structure() {
  const { default: parser } = await import('@apidevtools/swagger-parser');
  try {
    await parser.validate(JSON.parse(readFileSync(file, 'utf8')));
    return [];
  } catch (error) {
    return [`structure: ${error.message}`];
  }
}

async function redocly() {
  const { createConfig, lint } = await import('@redocly/openapi-core');
  const problems = await lint({
    ref: file,
    config: await createConfig({ extends: ['recommended'], rules: REDOCLY_OFF }),
  });
  return problems.map(
    ({ ruleId, message, location }) =>
      `redocly ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  );
}

async function spectral() {
  const { Document, Spectral } = require('@stoplight/spectral-core');
  const { Json } = require('@stoplight/spectral-parsers');
  const { oas } = require('@stoplight/spectral-rulesets');
  const judge = new Spectral();
  judge.setRuleset({ extends: [[oas, 'recommended']], rules: SPECTRAL_OFF });
  const problems = await judge.run(new Document(readFileSync(file, 'utf8'), Json, file));
  return problems.map(
    ({ code, message, path }) => `spectral ${code}: ${message} (#/${path.join('/')})`,
  );
}

const problems = [...(await structure()), ...(await redocly()), ...(await spectral())];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log('The OpenAPI description passes all three validators.');
