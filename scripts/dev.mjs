// `npm run dev`: the service from src/, started again after every change. Files are translated one by one (a moment each), and a compiler
// beside it says what is wrong with types: a service with a wrong type still runs, as in the tests.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { PACKAGES, compiledPackage } from './packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const out = join(root, '.dev');
/** Folders of sources, with the folder that each is translated to. */
const FOLDERS = [
  { source: join(root, 'src'), target: out },
  ...PACKAGES.map((each) => ({
    source: join(root, each.folder, 'src'),
    target: compiledPackage(out, each),
  })),
];
/** Editors write a file in several steps, and several files at once. */
const SETTLED_MS = 40;

const { transform: options } = require('../jest.config.cjs');
const [, translation] = options['^.+\\.ts$'];
const { transformFile } = await import('@swc/core');

const tell = (text) => process.stderr.write(`[dev] ${text}\n`);

/** Translates a file, copies what is none of TypeScript, and removes what is gone. */
async function bring({ source, target: folder, file }) {
  const target = join(folder, file).replace(/\.ts$/, '.js');
  await mkdir(dirname(target), { recursive: true });
  try {
    if (!file.endsWith('.ts')) return await copyFile(join(source, file), target);
    const { code } = await transformFile(join(source, file), {
      ...translation,
      swcrc: false,
      configFile: false,
      sourceMaps: 'inline',
    });
    await writeFile(target, code);
  } catch (error) {
    if (error.code !== 'ENOENT' && !String(error.message).includes('No such file')) throw error;
    await rm(target, { force: true });
  }
}

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
    tell(`The service ended with ${code}; the next change starts it again.`);
  });
}

async function stop() {
  const ending = service;
  service = null;
  if (!ending) return;
  ending.child.kill('SIGTERM');
  await ending.exit;
}

/** By path of the source. */
const changed = new Map();
let work = Promise.resolve();
let timer = null;

async function again() {
  const files = [...changed.values()];
  changed.clear();
  if (files.length === 0 || stopping) return;
  const begin = performance.now();
  try {
    await Promise.all(files.map(bring));
  } catch (error) {
    tell(`${error.message}\nThe service that runs is the one before this change.`);
    return;
  }
  await stop();
  if (stopping) return;
  start();
  tell(
    `${files.map(({ file }) => file).join(', ')}: started again after ${Math.round(performance.now() - begin)} ms`,
  );
}

await rm(out, { recursive: true, force: true });
for (const { source, target } of FOLDERS) {
  const files = (await readdir(source, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(source.length + 1));
  await Promise.all(files.map((file) => bring({ source, target, file })));
}
const { copyAssets, makeDashboard } = await import('./copy-assets.mjs');
await copyAssets(out);

for (const { source, target } of FOLDERS)
  watch(source, { recursive: true }, (_event, file) => {
    if (!file || !/\.(?:ts|js|css|svg|html)$/.test(file)) return;
    changed.set(join(source, file), { source, target, file });
    clearTimeout(timer);
    timer = setTimeout(() => {
      work = work.then(again);
    }, SETTLED_MS);
  });
// The dashboard is read from its files: a browser that loads it anew has the change, and the service goes on.
let dashboardTimer = null;
watch(join(root, 'dashboard'), { recursive: true }, () => {
  clearTimeout(dashboardTimer);
  dashboardTimer = setTimeout(() => {
    work = work
      .then(() => makeDashboard(out))
      .then(
        () => tell('The dashboard was made again.'),
        (error) => tell(error.message),
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
