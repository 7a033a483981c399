// The suite under one Node: builds when that is needed, runs jest, and says what came of it. Nothing is printed but jest's own report.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const jest = createRequire(import.meta.url).resolve('jest/bin/jest');

/** More files than this do not fail because a machine is slow. */
const MOST_RETRIED = 8;

/**
 * `node` is the binary, `long` adds the *.long.ts tests, `rest` goes to jest. With `retry`, files that fail are run once more when nothing
 * else runs, and what counts is that. Answers the names of the tests by what came of them; `retried` are those that failed only the first time.
 */
export function runTests({ node = process.execPath, long = false, retry = false, rest = [] }) {
  // The end-to-end tests start the service as a newcomer does: compiled.
  const built = spawnSync(process.execPath, [join(root, 'scripts/build.mjs'), '--if-needed'], { cwd: root, stdio: 'inherit' });
  if (built.status !== 0) return { passed: [], failed: ['the build'], skipped: [], retried: [], status: 1 };

  const first = runJest({ node, long, args: rest });
  const failing = first.files.filter(({ path, failed }) => path !== null && failed.length > 0).map(({ path }) => path);
  if (!retry || failing.length === 0 || failing.length > MOST_RETRIED) return { ...together(first.files), retried: [], status: first.status };

  console.error(`Run once more, alone: ${failing.join(', ')}`);
  const second = runJest({ node, long, args: ['--maxWorkers=1', '--runTestsByPath', ...failing] });
  const passing = new Set(second.files.flatMap(({ path, passed, failed }) => (failed.length > 0 ? passed : [path, ...passed])));
  return {
    ...together([...first.files.filter(({ failed }) => failed.length === 0), ...second.files]),
    retried: together(first.files).failed.filter((test) => passing.has(test)),
    status: second.status,
  };
}

/** What came of each file, and jest's own status. */
function runJest({ node, long, args }) {
  const folder = mkdtempSync(join(tmpdir(), 'hypha-jest-'));
  const results = join(folder, 'results.json');
  try {
    const { status } = spawnSync(node, [jest, '--json', `--outputFile=${results}`, ...args], {
      cwd: root,
      // jest prints the JSON on stdout as well; people read its report on stderr.
      stdio: ['ignore', 'ignore', 'inherit'],
      // What the tests start by the name `node` is the same one.
      env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}`, HYPHA_LONG_TESTS: long ? '1' : '0', NODE_ENV: 'test' },
    });
    return { files: filesOf(results), status: status ?? 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function filesOf(results) {
  let report;
  try {
    report = JSON.parse(readFileSync(results, 'utf8'));
  } catch {
    console.error('jest wrote no report.');
    return [{ path: null, passed: [], failed: ['jest'], skipped: [] }];
  }
  return report.testResults.map(({ name, status, assertionResults }) => {
    const named = (...statuses) => assertionResults.filter((test) => statuses.includes(test.status)).map(({ fullName }) => fullName);
    const failed = named('failed');
    // A file that does not load fails without a failed test: it is counted as one.
    if (status === 'failed' && failed.length === 0) failed.push(name);
    return { path: name, passed: named('passed'), failed, skipped: named('pending', 'todo') };
  });
}

const together = (files) => ({
  passed: files.flatMap(({ passed }) => passed),
  failed: files.flatMap(({ failed }) => failed),
  skipped: files.flatMap(({ skipped }) => skipped),
});
