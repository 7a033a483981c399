// Translates src/ and packages/ into dist/, and makes the dashboard's files. With --if-needed only when the sources changed since; without development packages, or without
// sources, a prebuilt dist/ is used. A build is written to .dist-new and then renamed to dist/; a build that is killed leaves at most files that the
// next build or start removes. Of concurrent builds one runs and the others wait for it.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
/** Folder of a build in progress. The process that created it builds, and touches it while it runs. */
const draft = join(root, '.dist-new');
const owner = join(draft, '.owner');
const REPLACED = /^\.dist-old-/;
const TOUCH_MS = 1_000;
const SILENCE_MS = 10_000;
const LOOK_AGAIN_MS = 100;

/** What a build reads: a configuration file below src/ is none of it. */
const isSource = (file) =>
  file.endsWith('.ts') ||
  ['src/pages/public/', 'src/features/invokers/shipped/', 'dashboard/'].some((folder) =>
    file.startsWith(join(root, folder)),
  );

function sourcesHash() {
  const hash = createHash('sha256');
  const files = ['src', 'dashboard', 'packages/embedded-mongo/src']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isSource)
    .sort();
  const scripts = [
    'scripts/build.mjs',
    'scripts/bundle.mjs',
    'scripts/copy-assets.mjs',
    'scripts/dashboard.mjs',
    'scripts/translation.mjs',
    '.swcrc',
    'package-lock.json',
  ].map((file) => join(root, file));
  for (const file of [...files, ...scripts]) {
    hash
      .update(file.slice(root.length))
      .update('\0')
      .update(existsSync(file) ? readFileSync(file) : '')
      .update('\0');
  }
  return hash.digest('hex');
}

const builtFrom = () => readOr(join(dist, '.build-stamp'), null);

function readOr(file, other) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return other;
  }
}

function isCompilerInstalled() {
  try {
    createRequire(import.meta.url).resolve('@swc/core');
    return true;
  } catch {
    return false;
  }
}

function end(code, message) {
  if (message) console.error(message);
  process.exit(code);
}

/** Returns whether the process that builds has ended before it finished. */
function isAbandoned() {
  try {
    if (Date.now() - statSync(draft).mtimeMs > SILENCE_MS) return true;
    const pid = Number(readOr(owner, ''));
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Takes a folder away from its name at once, however long removing it takes. Null: there is none. */
function moveAway(folder) {
  const away = join(root, `.dist-old-${process.pid}-${Date.now()}`);
  try {
    renameSync(folder, away);
    return away;
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

const remove = (folder) => folder && rmSync(folder, { recursive: true, force: true });
const discard = (folder) => remove(moveAway(folder));

function removeRemains() {
  for (const name of readdirSync(root).filter((each) => REPLACED.test(each)))
    remove(join(root, name));
  if (existsSync(draft) && isAbandoned()) discard(draft);
}

/** Returns true if this process may build; false while another one builds. */
function takeDraft() {
  try {
    mkdirSync(draft);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isAbandoned()) discard(draft);
    return false;
  }
  writeFileSync(owner, String(process.pid));
  return true;
}

/** Prints what the build does now, after the seconds since the process started. */
const say = (step) =>
  console.log(`${(performance.now() / 1_000).toFixed(1).padStart(6)} s  ${step}`);

async function build(currentHash) {
  let isOurs = true;
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]) {
    process.once(signal, () => {
      if (isOurs) discard(draft);
      process.exit(code);
    });
  }
  const touching = setInterval(() => utimesSync(draft, new Date(), new Date()), TOUCH_MS);
  try {
    console.log('Building, as after each change of the sources:');
    say('translate the sources');
    const { foldersOf, translateSources } = await import('./translation.mjs');
    await translateSources(foldersOf(draft));
    say('make the pages and the dashboard');
    const { copyAssets } = await import('./copy-assets.mjs');
    await copyAssets(draft);
    say('describe the REST API');
    execFileSync(
      process.execPath,
      ['-e', `require(${JSON.stringify(join(draft, 'app.js'))}).writeOpenApi()`],
      { stdio: 'inherit', env: {} },
    );
    say('put the service into one file');
    const { bundle } = await import('./bundle.mjs');
    await bundle(draft);
    writeFileSync(join(draft, '.build-stamp'), currentHash);
    const earlier = moveAway(dist);
    renameSync(draft, dist);
    isOurs = false;
    rmSync(join(dist, '.owner'));
    remove(earlier);
    say('built');
    return 0;
  } finally {
    clearInterval(touching);
    if (isOurs) discard(draft);
  }
}

async function main() {
  // As src/required-node.ts has it, for who starts what is built.
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    end(
      1,
      `Hypha needs Node 20.19 or newer; this is ${process.versions.node} (${process.execPath}).`,
    );
  if (!existsSync(join(root, 'src'))) {
    if (builtFrom() !== null) return 0;
    end(1, `There is no build in ${dist}, and no src/ to make one of: copy a built dist/ here.`);
  }
  const currentHash = sourcesHash();
  const isWanted = () => process.argv.includes('--if-needed') && builtFrom() === currentHash;
  if (isWanted()) return 0;

  if (!isCompilerInstalled()) {
    if (builtFrom() === null)
      end(
        1,
        `There is no build in ${dist}, and the compiler is not installed: run \`npm ci && npm run build\` once, or bring a built dist/.`,
      );
    console.warn(
      'The sources changed since dist/ was built, and the compiler is not installed: starting the earlier build.',
    );
    return 0;
  }
  removeRemains();
  while (!takeDraft()) {
    await pause(LOOK_AGAIN_MS);
    if (isWanted()) return 0;
  }
  // Another process may have finished this build in the meantime: check again.
  if (isWanted()) {
    discard(draft);
    return 0;
  }
  return build(currentHash);
}

main().then(end, (error) => {
  const isRefused = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'].includes(error.code);
  end(
    1,
    isRefused
      ? `The build cannot be written to ${root}: ${error.message}. Build as a user who may write there, or bring a built dist/.`
      : error.name === 'TranslationError'
        ? error.message
        : error,
  );
});
