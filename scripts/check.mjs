// `npm run check`: all checks, two at a time. Prints each as it begins and as it ends, with its output if it fails. `npm run check:<name>` is one of them.
import { spawn } from 'node:child_process';
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
const queue = Object.keys(scripts)
  .filter((name) => name.startsWith('check:'))
  .map((name) => name.slice('check:'.length))
  .sort((a, b) => rank(a) - rank(b));

/** Runs one check; true if it passes. */
function check(name) {
  const startedAt = performance.now();
  console.log(`check ${name}: started`);
  const child = spawn('npm', ['run', '--silent', `check:${name}`], {
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
    for (let name = queue.shift(); name !== undefined; name = queue.shift())
      isPassed = (await check(name)) && isPassed;
    return isPassed;
  }),
);
process.exit(results.every(Boolean) ? 0 : 1);
