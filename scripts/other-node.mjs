// Another Node than the one that runs: from the npm package of its binary, kept in node_modules/.cache. Nothing of it is a dependency.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../node_modules/.cache/node', import.meta.url));

/** The oldest Node that runs, and the release of each line that is tested; other versions are asked for in full. */
const TESTED = { 20: '20.19.0', 22: '22.23.3', 24: '24.21.0', 26: '26.10.0' };

/** `node` brings its binary by an install script; the package behind it, for one system, needs none. */
const platformPackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/**
 * The path of the binary of a Node: `24`, or `24.9.0`. Installed from the npm registry when it is not there yet.
 * @throws Error with a sentence for the person who asked
 */
export function otherNode(asked) {
  const version = TESTED[asked] ?? asked;
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new Error(
      `Which Node? Give one of ${Object.keys(TESTED).join(', ')}, or a version in full such as ${TESTED[24]}.`,
    );
  const folder = join(cache, version);
  const binary = join(
    folder,
    'node_modules',
    platformPackage,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (!existsSync(binary)) install(`${platformPackage}@${version}`, folder);
  return binary;
}

/** Installs to a temporary folder and renames it, so that an interrupted installation is never used. */
function install(wanted, folder) {
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(`${folder}.new-`);
  try {
    writeFileSync(join(fresh, 'package.json'), '{ "private": true }\n');
    const options = [
      '--ignore-scripts',
      '--no-save',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    // A shell finds npm on every system.
    const { status } = spawnSync(`npm install ${options.join(' ')} ${wanted}`, {
      cwd: fresh,
      shell: true,
      stdio: ['ignore', 2, 2],
    });
    if (status !== 0) throw new Error(`npm could not install ${wanted}.`);
    // Tests start it as other users, too.
    chmodSync(fresh, 0o755);
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
