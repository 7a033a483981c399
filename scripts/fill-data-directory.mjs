// Writes a data directory for test/migrations/data-directories.long.ts: starts the built service, fills it through its APIs, and packs what it
// stored as test/migrations/data/VERSION.zip, with what the APIs showed in VERSION.json. Run it for each release.
// It never changes a data directory that a release wrote; before the release, --replace writes it again.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { translateWithService } from './translation.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(import.meta.url);
const folder = join(root, 'test/migrations/data');
const { version } = require('../package.json');
const file = join(folder, `${version}.zip`);
if (existsSync(file) && !process.argv.includes('--replace')) {
  console.error(
    `${relative(root, file)} exists. Raise the version in package.json, or write it again with --replace.`,
  );
  process.exit(1);
}
const build = [join(root, 'scripts/build.mjs'), '--if-needed'];
if (spawnSync(process.execPath, build, { stdio: 'inherit' }).status !== 0) process.exit(1);

const compiled = mkdtempSync(join(root, 'node_modules', '.fill-'));
try {
  await translateWithService(['test/support'], compiled);
  cpSync(join(root, 'schema'), join(compiled, 'schema'), { recursive: true });
  require('reflect-metadata');
  const { writeDataDirectory } = require(join(compiled, 'test/support/store/data-directory.js'));
  const { archive, written } = await writeDataDirectory(join(root, 'dist/main.js'));
  mkdirSync(folder, { recursive: true });
  const json = await format(JSON.stringify(written), { parser: 'json', printWidth: 100 });
  writeFileSync(join(folder, `${version}.json`), json);
  writeFileSync(file, archive);
  console.log(`${relative(root, file)}: ${archive.length} bytes`);
} finally {
  rmSync(compiled, { recursive: true, force: true });
}
process.exit(0);
