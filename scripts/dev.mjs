// `npm run dev`: the service from src/, started again after every change. Files are translated one by one (a moment each), and a separate
// compiler reports type errors: a service with a type error still runs, as in the tests.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { foldersOf, translateFile, translateSources } from './translation.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const out = join(root, '.dev');
/** Editors write a file in several steps, and several files at once. */
const SETTLED_MS = 40;

const printLine = (text) => process.stderr.write(`[dev] ${text}\n`);

let service = null;
let stopping = false;

function start() {
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', join(out, 'main.js'), ...process.argv.slice(2)],
    { cwd: root, stdio: 'inherit' },
  );
  const exit = new Promise((resolve) => child.once('exit', resolve));
  service = { child, exit };
  void exit.then((code) => {
    if (service?.child !== child || stopping) return;
    service = null;
    printLine(`The service ended with ${code}; the next change starts it again.`);
  });
}

async function stop() {
  const ending = service;
  service = null;
  if (!ending) return;
  ending.child.kill('SIGTERM');
  await ending.exit;
}

/** Folder and file, by path of the source. */
const changed = new Map();
let work = Promise.resolve();
let timer = null;

async function again() {
  const files = [...changed.values()];
  changed.clear();
  if (files.length === 0 || stopping) return;
  const begin = performance.now();
  try {
    await Promise.all(files.map(([folder, file]) => translateFile(folder, file)));
  } catch (error) {
    printLine(`${error.message}\nThe service that runs is the one before this change.`);
    return;
  }
  await stop();
  if (stopping) return;
  start();
  printLine(
    `${files.map(([, file]) => file).join(', ')}: started again after ${Math.round(performance.now() - begin)} ms`,
  );
}

await rm(out, { recursive: true, force: true });
await translateSources(foldersOf(out));
const { copyAssets, makeDashboard } = await import('./copy-assets.mjs');
await copyAssets(out);

for (const folder of foldersOf(out))
  watch(folder.source, { recursive: true }, (_event, file) => {
    if (!file || !/\.(?:ts|js|css|svg|html)$/.test(file)) return;
    changed.set(join(folder.source, file), [folder, file]);
    clearTimeout(timer);
    timer = setTimeout(() => {
      work = work.then(again);
    }, SETTLED_MS);
  });
// The dashboard is read from its files: reloading the page shows the change, without a restart of the service.
let dashboardTimer = null;
watch(join(root, 'dashboard'), { recursive: true }, () => {
  clearTimeout(dashboardTimer);
  dashboardTimer = setTimeout(() => {
    work = work
      .then(() => makeDashboard(out))
      .then(
        () => printLine('The dashboard was made again.'),
        (error) => printLine(error.message),
      );
  }, SETTLED_MS);
});
start();

const types = spawn(
  process.execPath,
  [
    require.resolve('typescript/bin/tsc'),
    '-p',
    join(root, 'tsconfig.json'),
    '--noEmit',
    '--watch',
    '--preserveWatchOutput',
  ],
  { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] },
);
// The service comes first.
setPriority(types.pid, constants.priority.PRIORITY_LOW);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    types.kill();
    void work.then(stop).then(() => process.exit(0));
  });
}
