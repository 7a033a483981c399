// The suite under one Node: builds when that is needed, runs jest, and says what came of it. Nothing is printed but jest's own report.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const jest = createRequire(import.meta.url).resolve('jest/bin/jest');

/** `node` is the binary, `long` adds the *.long.ts tests, `rest` goes to jest. */
export function runTests({ node = process.execPath, long = false, rest = [] }) {
  // The end-to-end tests start the service as a newcomer does: compiled.
  const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-needed'], { cwd: root, stdio: 'inherit' });
  if (built.status !== 0) return { passed: 0, failed: 1, skipped: 0, skippedTests: [], status: 1 };

  const folder = mkdtempSync(join(tmpdir(), 'hypha-jest-'));
  const results = join(folder, 'results.json');
  try {
    const { status } = spawnSync(node, [jest, '--json', `--outputFile=${results}`, ...rest], {
      cwd: root,
      // jest prints the JSON on stdout as well; people read its report on stderr.
      stdio: ['ignore', 'ignore', 'inherit'],
      // What the tests start by the name `node` is the same one.
      env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}`, HYPHA_LONG_TESTS: long ? '1' : '0', NODE_ENV: 'test' },
    });
    return { ...countsOf(results), status: status ?? 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countsOf(results) {
  let report;
  try {
    report = JSON.parse(readFileSync(results, 'utf8'));
  } catch {
    console.error('jest wrote no report.');
    return { passed: 0, failed: 1, skipped: 0, skippedTests: [] };
  }
  const tests = report.testResults.flatMap((suite) => suite.assertionResults);
  return {
    passed: report.numPassedTests,
    // A file that does not load fails the run without a failed test: it is counted as one.
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    skipped: report.numPendingTests + report.numTodoTests,
    skippedTests: tests.filter(({ status }) => status === 'pending').map(({ fullName }) => fullName),
  };
}
