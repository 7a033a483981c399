// `npm run check`: all checks, two at a time. Prints each as it begins and as it ends, with its output if it fails. `npm run check:<name>` is one of them.
// `npm run check -- --changed`: format, types and lint of the files that differ from `main`, committed or not. Files that import them are not checked.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const MAX_AT_ONCE = 2;

/** The longest first, so that no core waits for it in the end. */
const LONGEST_FIRST = ['types', 'generated', 'format', 'lint'];
const rank = (name) =>
  LONGEST_FIRST.includes(name) ? LONGEST_FIRST.indexOf(name) : LONGEST_FIRST.length;
const allChecks = () =>
  Object.keys(scripts)
    .filter((name) => name.startsWith('check:'))
    .map((name) => ({
      name: name.slice('check:'.length),
      command: ['npm', 'run', '--silent', name],
    }));

/** The tools of these checks take files, and leave out by their own settings what the whole check leaves out. */
const CHECKS_OF_FILES = [
  { name: 'format', files: /./, command: 'prettier --check --log-level warn --ignore-unknown' },
  {
    name: 'types',
    files: /^(?:src|packages|dashboard|bench|examples|test)\/.*\.tsx?$/,
    command: 'oxlint --type-aware --type-check',
  },
  {
    name: 'lint',
    files: /^(?:src|packages\/[^/]+\/src)\/.*\.ts$/,
    command: 'eslint --max-warnings 0',
  },
  {
    name: 'graphql',
    files: /\.graphql$/,
    command: 'eslint -c eslint.graphql.config.mjs --max-warnings 0',
  },
];

const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** Files that differ from the point where this branch left `main`: committed, changed and new ones. */
function changedFiles() {
  let base = 'HEAD';
  try {
    base = git('merge-base', 'main', 'HEAD').trim();
  } catch {
    console.log('No branch `main`: files that differ from the last commit are checked.');
  }
  const changed = git('diff', '--name-only', '-z', '--diff-filter=d', base);
  const added = git('ls-files', '--others', '--exclude-standard', '-z');
  return `${changed}${added}`.split('\0').filter((file) => file !== '');
}

function checksOfChangedFiles() {
  const changed = changedFiles();
  console.log(`${changed.length} files differ from main.`);
  return CHECKS_OF_FILES.map(({ name, files, command }) => {
    const chosen = changed.filter((file) => files.test(file));
    return { name, files: chosen, command: ['npx', ...command.split(' '), ...chosen] };
  }).filter(({ files }) => files.length > 0);
}

const queue = (process.argv.includes('--changed') ? checksOfChangedFiles() : allChecks()).sort(
  (a, b) => rank(a.name) - rank(b.name),
);

/** Runs one check; true if it passes. */
function check({ name, command: [program, ...args] }) {
  const startedAt = performance.now();
  console.log(`check ${name}: started`);
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  return new Promise((resolve) =>
    child.once('close', (code) => {
      const isPassed = code === 0;
      console.log(
        `check ${name}: ${isPassed ? 'passed' : 'FAILED'} after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
      );
      if (!isPassed) console.log(output);
      resolve(isPassed);
    }),
  );
}

const results = await Promise.all(
  Array.from({ length: MAX_AT_ONCE }, async () => {
    let isPassed = true;
    for (let next = queue.shift(); next !== undefined; next = queue.shift())
      isPassed = (await check(next)) && isPassed;
    return isPassed;
  }),
);
process.exit(results.every(Boolean) ? 0 : 1);
