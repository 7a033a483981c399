// Compiles src/ into dist/. With --if-needed only when the sources changed since; without development packages a prebuilt dist/ is used.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const stamp = join(dist, '.build-stamp');

function sourcesHash() {
  const hash = createHash('sha256');
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const scripts = ['scripts/build.mjs', 'scripts/copy-assets.mjs', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'].map((file) => join(root, file));
  for (const file of [...files, ...scripts]) {
    hash.update(file.slice(root.length)).update('\0').update(existsSync(file) ? readFileSync(file) : '').update('\0');
  }
  return hash.digest('hex');
}

function compiler() {
  try {
    return createRequire(import.meta.url).resolve('typescript/bin/tsc');
  } catch {
    return null;
  }
}

const wanted = sourcesHash();
const built = existsSync(stamp) ? readFileSync(stamp, 'utf8') : null;
if (process.argv.includes('--if-needed') && built === wanted) process.exit(0);

const tsc = compiler();
if (!tsc) {
  if (built !== null) {
    if (built !== wanted) console.warn('The sources changed since dist/ was built, and the compiler is not installed: starting the earlier build.');
    process.exit(0);
  }
  console.error('dist/ is not built and the compiler is not installed. Run `npm ci && npm run build` once, or bring a built dist/.');
  process.exit(1);
}

const fresh = join(root, `dist.new-${process.pid}`);
try {
  console.log('Building…');
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', fresh], { stdio: 'inherit', cwd: root });
  const { copyAssets } = await import('./copy-assets.mjs');
  await copyAssets(fresh);
  writeFileSync(join(fresh, '.build-stamp'), wanted);
  rmSync(dist, { recursive: true, force: true });
  renameSync(fresh, dist);
} catch (error) {
  rmSync(fresh, { recursive: true, force: true });
  if (error.status === undefined) console.error(error);
  process.exit(1);
}
