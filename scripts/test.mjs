// Runs the suite with jest and ends with one plain line of counts. `--long` runs the *.long.ts tests in place of the *.test.ts ones;
// `--node=24` runs under that Node. Other arguments go to jest.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { otherNode } from './other-node.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const EX_USAGE = 64;
/** What test/support/long.ts puts in front of a test that a long run leaves to `npm test`. */
const NOT_LONG = '(npm test) ';

const args = process.argv.slice(2);
const version = args.find((argument) => argument.startsWith('--node='))?.slice('--node='.length);
const isLong = args.includes('--long');
const jestArguments = args.filter(
  (argument) => argument !== '--long' && !argument.startsWith('--node='),
);

let node = process.execPath;
try {
  if (version !== undefined) node = otherNode(version);
} catch (error) {
  console.error(error.message);
  process.exit(EX_USAGE);
}

// The end-to-end tests start the compiled service, as `npm start` does.
const build = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-needed'], {
  cwd: root,
  stdio: 'inherit',
});
if (build.status !== 0) {
  report({ passed: [], failed: ['the build'], skipped: [] }, 1);
  process.exit();
}

const folder = mkdtempSync(join(tmpdir(), 'hypha-jest-'));
const resultsFile = join(folder, 'results.json');
try {
  const { status } = spawnSync(
    node,
    [jest, '--json', `--outputFile=${resultsFile}`, ...jestArguments],
    {
      cwd: root,
      // jest prints the JSON on stdout too; its readable report goes to stderr.
      stdio: ['ignore', 'ignore', 'inherit'],
      // Tests that start `node` get the same one.
      env: {
        ...process.env,
        PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
        HYPHA_LONG_TESTS: isLong ? '1' : '0',
        NODE_ENV: 'test',
      },
    },
  );
  report(readResults(resultsFile), status ?? 1);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Names of the tests, by outcome. A file that does not load counts as one failed test. */
function readResults(file) {
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: [], failed: ['jest, which wrote no report'], skipped: [] };
  }
  const results = { passed: [], failed: [], skipped: [] };
  for (const { name, status, assertionResults } of report.testResults) {
    const counted = assertionResults.filter(({ title }) => !title.startsWith(NOT_LONG));
    const named = (...statuses) =>
      counted.filter((test) => statuses.includes(test.status)).map(({ fullName }) => fullName);
    const failed = named('failed');
    results.passed.push(...named('passed'));
    results.failed.push(...(status === 'failed' && failed.length === 0 ? [name] : failed));
    results.skipped.push(...named('pending', 'todo'));
  }
  return results;
}

function report({ passed, failed, skipped }, status) {
  for (const test of skipped) console.log(`skipped: ${test}`);
  for (const test of failed) console.log(`failed: ${test}`);
  console.log(`Tests: ${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped`);
  process.exitCode = status;
}
