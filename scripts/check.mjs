// `npm run check`: all the checks, two at a time, each told of as a whole when it is done. `npm run check:<name>` is one of them.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const AT_ONCE = 2;

/** The longest first, so that no core waits for it in the end. */
const ORDER = ['lint', 'types', 'generated'];
const rank = (name) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
const waiting = Object.keys(scripts).filter((name) => name.startsWith('check:')).map((name) => name.slice('check:'.length)).sort((a, b) => rank(a) - rank(b));

function check(name) {
  const begin = performance.now();
  const child = spawn('npm', ['run', '--silent', `check:${name}`], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0' } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => { output += text; });
  return new Promise((resolve) => child.once('close', (code) => {
    const failed = code !== 0;
    console.log(`${failed ? 'FAILED' : 'ok    '} ${name} (${((performance.now() - begin) / 1000).toFixed(1)} s)`);
    if (failed) console.log(output);
    resolve(failed);
  }));
}

const failures = await Promise.all(Array.from({ length: AT_ONCE }, async () => {
  let failed = false;
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) failed = (await check(name)) || failed;
  return failed;
}));
process.exit(failures.includes(true) ? 1 : 0);
