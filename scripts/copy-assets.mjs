// Copies what the pages load into a build: files of packages to public/vendor, our own to pages/public, with what is made of dashboard/; and keeps texts ready in the
// codings that browsers take. The invokers that come with the service, too.
import { cp, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { bundleDashboard } from './dashboard.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The best that takes no time to speak of: quality 11 saves a tenth more and takes twenty times as long. */
const PACKERS = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
};
const TEXT = /\.(?:js|css|svg)$/;
/** Shorter files gain nothing. */
const SHORTEST_BYTES = 1_024;

async function pack(file, codings) {
  const bytes = await readFile(file);
  if (bytes.length <= SHORTEST_BYTES) return;
  await Promise.all(
    codings.map(async ([coding, suffix]) => writeFile(file + suffix, await PACKERS[coding](bytes))),
  );
}

/** The dashboard alone, where the rest is there already. */
export async function makeDashboard(outDir) {
  const { READY_CODINGS } = createRequire(import.meta.url)(join(outDir, 'pages', 'assets.js'));
  for (const file of await bundleDashboard(join(outDir, 'pages', 'public')))
    await pack(file, READY_CODINGS);
}

/** `outDir` holds the compiled sources already: they say which files are wanted. */
export async function copyAssets(outDir) {
  const { VENDOR_FILES, READY_CODINGS, installedFile } = createRequire(import.meta.url)(
    join(outDir, 'pages', 'assets.js'),
  );
  await Promise.all(
    VENDOR_FILES.map(async (file) => {
      const target = join(outDir, 'public', 'vendor', file.path);
      await mkdir(dirname(target), { recursive: true });
      await copyFile(installedFile(file), target);
      if (TEXT.test(target)) await pack(target, READY_CODINGS);
    }),
  );
  const own = join(outDir, 'pages', 'public');
  await cp(join(root, 'src', 'pages', 'public'), own, { recursive: true });
  await bundleDashboard(own);
  await Promise.all(
    (await readdir(own))
      .filter((name) => TEXT.test(name))
      .map((name) => pack(join(own, name), READY_CODINGS)),
  );
  const invokers = join('features', 'invokers', 'shipped');
  await cp(join(root, 'src', invokers), join(outDir, invokers), { recursive: true });
}
