// Translates TypeScript to JavaScript file by file, with the settings of .swcrc: for builds, for `npm run dev` and, through @swc/jest, for
// the tests. Types are stripped, not checked; `npm run check` does that.
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformFile } from '@swc/core';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The packages below packages/ that are part of a build of the service. Their files go to node_modules/<name> inside the build, where Node
 * finds them by the name of the package: a build needs nothing from packages/.
 */
const PACKAGES = [{ name: '@hypha/embedded-mongo', folder: 'packages/embedded-mongo' }];

/** Folders of sources, and the folders of a build that their files go to. */
export const foldersOf = (outDir) => [
  { source: join(root, 'src'), target: outDir },
  ...PACKAGES.map(({ name, folder }) => ({
    source: join(root, folder, 'src'),
    target: join(outDir, 'node_modules', name),
  })),
];

/**
 * Translates the service to src/ of a folder, and these folders of the repository next to it, for programs that use both. The packages are
 * there twice: in src/ for the service, and for the programs, which are outside of it.
 */
export async function translateWithService(folders, outDir) {
  const [, ...packages] = foldersOf(outDir);
  await translateSources([
    ...foldersOf(join(outDir, 'src')),
    ...packages,
    ...folders.map((folder) => ({ source: join(root, folder), target: join(outDir, folder) })),
  ]);
  await copyFile(join(root, 'package.json'), join(outDir, 'package.json'));
}

/** A syntax error; the message shows the place. */
class TranslationError extends Error {
  name = 'TranslationError';
}

/** Translates a file of a folder, copies one that is not TypeScript, and removes the result of one that does not exist any more. */
export async function translateFile({ source, target: folder }, file) {
  const target = join(folder, file).replace(/\.ts$/, '.js');
  await mkdir(dirname(target), { recursive: true });
  try {
    if (!file.endsWith('.ts')) return await copyFile(join(source, file), target);
    const { code, map } = await transformFile(join(source, file), {
      cwd: root,
      sourceMaps: true,
      inlineSourcesContent: false,
      sourceFileName: relative(dirname(target), join(source, file)),
    });
    await writeFile(`${target}.map`, map);
    await writeFile(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`);
  } catch (error) {
    const message = String(error.message);
    if (error.code === 'ENOENT' || message.includes('No such file'))
      await rm(target, { force: true });
    else throw new TranslationError(message.split('\n\nCaused by')[0].trim(), { cause: error });
  }
}

/** Translates all sources of these folders, without installed packages. */
export async function translateSources(folders) {
  for (const folder of folders) {
    const entries = await readdir(folder.source, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.source.length + 1))
      .filter((file) => !file.split(sep).includes('node_modules'));
    await Promise.all(files.map((file) => translateFile(folder, file)));
  }
}
