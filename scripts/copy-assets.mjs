// Copies what the pages load into a build: files of packages to public/vendor, our own to pages/public.
import { cp, copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `outDir` holds the compiled sources already: they say which files are wanted. */
export async function copyAssets(outDir) {
  const { VENDOR_FILES, installedFile } = createRequire(import.meta.url)(join(outDir, 'pages', 'assets.js'));
  await Promise.all(VENDOR_FILES.map(async (file) => {
    const target = join(outDir, 'public', 'vendor', file.path);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(installedFile(file), target);
  }));
  await cp(join(root, 'src', 'pages', 'public'), join(outDir, 'pages', 'public'), { recursive: true });
}
