import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from '../measure/results-file';

/** The folder with the package.json of the peers. */
const FOLDER = join(ROOT, 'bench/peers');

/** Loads a package that only the benchmark of the peers depends on. */
export const requirePeer: NodeJS.Require = createRequire(join(FOLDER, 'package.json'));

/** Returns whether a package of the peers is installed and can be loaded. */
export function isInstalled(name: string): boolean {
  try {
    requirePeer.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Installs the versions of the lock file, unless they are installed. Offline, nothing is installed. */
export function installPeers(): void {
  const { dependencies } = requirePeer('./package.json') as { dependencies: object };
  if (Object.keys(dependencies).every(isInstalled)) return;
  console.log('  installing the peers into bench/peers/node_modules');
  try {
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: FOLDER,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch {
    console.log(
      '  The peers could not be installed: only those that need no package are measured.',
    );
  }
}
