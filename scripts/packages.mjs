// The workspaces in packages/ that are compiled into a build of the service. Their files go to node_modules/<name> inside the build,
// where Node finds them by the name of the package: a build needs nothing from packages/.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

export const PACKAGES = [{ name: '@hypha/embedded-mongo', folder: 'packages/embedded-mongo' }];

/** Folder of the compiled files of a package. */
export const compiledPackage = (outDir, { name }) => join(outDir, 'node_modules', name);

/** Arguments of the compiler for each package. */
export const packageCompilations = (outDir) =>
  PACKAGES.map((each) => [
    '-p',
    join(root, each.folder, 'tsconfig.json'),
    '--outDir',
    compiledPackage(outDir, each),
  ]);

/** Arguments of the compiler: for the service and for each package. */
export const compilations = (outDir) => [
  ['-p', join(root, 'tsconfig.build.json'), '--outDir', outDir],
  ...packageCompilations(outDir),
];
