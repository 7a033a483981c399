// Writes schema/schema.graphql, schema/openapi.json, the settings table of docs/configuration.md, the exit codes of docs/operations.md and the codes of docs/run-errors.md from the code, the version in the Dockerfile from package.json, and
// the typed operations of the tests and of the dashboard from codegen.yml.
// With --check nothing is written: it fails when a committed file differs from what the code says.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { foldersOf, translateSources } from './translation.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const check = process.argv.includes('--check');
const require = createRequire(import.meta.url);
const folder = mkdtempSync(join(root, 'node_modules', '.generate-'));
const compiled = check ? join(root, 'dist') : join(folder, 'dist');

/** `--check` reads the build, which the tests need as well. Otherwise there may be none: a build needs the generated files. */
async function compile() {
  if (check) {
    const build = [join(root, 'scripts/build.mjs'), '--if-needed'];
    execFileSync(process.execPath, build, { stdio: 'inherit', cwd: root });
    return;
  }
  await translateSources(foldersOf(compiled));
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'));
}

/** The settings as a Markdown table. */
function settingsTable(settings) {
  const rows = settings.map(
    ({ key, variable, meaning, accepts, default: fallback }) =>
      `| \`${key}\` | ${meaning} | ${fallback} | ${accepts} | \`${variable}\` |`,
  );
  return [
    '| key | meaning | default | accepts | environment |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function codesTable(codes, remedies) {
  const rows = Object.keys(codes)
    .sort()
    .map((code) => `| \`${code}\` | ${codes[code]} | ${remedies[code]} |`);
  return ['| code | what happened | what to do |', '|---|---|---|', ...rows].join('\n');
}

function exitCodesTable(codes) {
  return [
    '| code | meaning |',
    '|---|---|',
    ...Object.values(codes).map(({ code, meaning }) => `| ${code} | ${meaning} |`),
  ].join('\n');
}

/** Returns a page with the part between `<!-- name: ... -->` and `<!-- /name -->` replaced. */
function pageWith(file, name, tableOf) {
  const page = readFileSync(join(root, file), 'utf8');
  return page.replace(
    new RegExp(`(<!-- ${name}:.*?-->\\n)[\\s\\S]*?(\\n<!-- /${name} -->)`),
    (_all, start, end) => start + tableOf() + end,
  );
}

/** The Dockerfile with the version of package.json as a label. */
const imageWith = (version) =>
  readFileSync(join(root, 'Dockerfile'), 'utf8').replace(
    /(image\.version=)".*"/,
    (_all, label) => `${label}"${version}"`,
  );

try {
  await compile();
  require('reflect-metadata');
  const { describeApis } = require(join(compiled, 'app.js'));
  const { sdl, openapi } = await describeApis();
  const { describeSettings } = require(join(compiled, 'config/describe-settings.js'));
  const { RUN_ERROR_CODES } = require(join(compiled, 'features/runs/run-error-codes.js'));
  const { RUN_ERROR_REMEDIES } = require(join(compiled, 'features/runs/run-error-remedies.js'));
  const { EXIT_CODES } = require(join(compiled, 'platform/exit-codes.js'));
  const { version } = require('../package.json');
  const files = {
    'schema/schema.graphql': `${sdl.trimEnd()}\n`,
    'schema/openapi.json': `${JSON.stringify(openapi, null, 2)}\n`,
    'docs/configuration.md': pageWith('docs/configuration.md', 'settings', () =>
      settingsTable(describeSettings('hypha')),
    ),
    'docs/operations.md': pageWith('docs/operations.md', 'exit codes', () =>
      exitCodesTable(EXIT_CODES),
    ),
    Dockerfile: imageWith(version),
    'docs/run-errors.md': pageWith('docs/run-errors.md', 'run error codes', () =>
      codesTable(RUN_ERROR_CODES, RUN_ERROR_REMEDIES),
    ),
  };
  const stale = Object.entries(files).filter(
    ([file, text]) =>
      !existsSync(join(root, file)) || readFileSync(join(root, file), 'utf8') !== text,
  );
  if (!check) {
    mkdirSync(join(root, 'schema'), { recursive: true });
    for (const [file, text] of stale) writeFileSync(join(root, file), text);
    console.log(
      stale.length
        ? `Wrote ${stale.map(([file]) => file).join(', ')}`
        : 'The generated files were up to date.',
    );
  } else if (stale.length) {
    console.error(
      `${stale.map(([file]) => file).join(' and ')} drifted from the code. Run \`npm run generate\` and commit the result.`,
    );
    process.exitCode = 1;
  }
  if (existsSync(join(root, 'codegen.yml'))) {
    const codegen = require.resolve('@graphql-codegen/cli/package.json');
    const { bin } = require(codegen);
    execFileSync(
      process.execPath,
      [
        join(dirname(codegen), bin['graphql-codegen']),
        '--config',
        'codegen.yml',
        ...(check ? ['--check'] : []),
      ],
      { stdio: 'inherit', cwd: root },
    );
  }
} catch (error) {
  if (error.status === undefined) console.error(error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
