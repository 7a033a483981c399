// Runs the suite with jest and ends with one plain line of counts. `--long` adds the *.long.ts tests; other arguments go to jest.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const long = process.argv.includes('--long');
const rest = process.argv.slice(2).filter((argument) => argument !== '--long');
const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
const folder = mkdtempSync(join(tmpdir(), 'hypha-jest-'));
const results = join(folder, 'results.json');

// The end-to-end tests start the service as a newcomer does: compiled.
const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-needed'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) process.exit(1);

const run = spawnSync(process.execPath, [jest, '--json', `--outputFile=${results}`, ...rest], {
  cwd: root,
  // jest prints the JSON on stdout as well; people read its report on stderr.
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, HYPHA_LONG_TESTS: long ? '1' : '0', NODE_ENV: 'test' },
});

let report;
try {
  report = JSON.parse(readFileSync(results, 'utf8'));
} catch {
  console.error('jest wrote no report.');
  process.exit(run.status ?? 1);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
const skipped = report.numPendingTests + report.numTodoTests;
// A file that does not load fails the run without a failed test: it is counted as one.
const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
for (const suite of report.testResults) {
  for (const test of suite.assertionResults.filter(({ status }) => status === 'pending')) console.log(`skipped: ${test.fullName}`);
}
console.log(`Tests: ${report.numPassedTests} passed, ${failed} failed, ${skipped} skipped`);
process.exit(run.status ?? 1);
