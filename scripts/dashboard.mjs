// Makes the files of the live dashboard from dashboard/ and the packages it takes: the script, the style sheet, and the parts that are loaded on demand.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Bundles the dashboard into `folder`, next to the other files of the pages. Returns the written files. */
export async function bundleDashboard(folder) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { dashboard: join('dashboard', 'index.tsx') },
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: 'dashboard-[name]-[hash]',
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'eof',
    tsconfig: join('dashboard', 'tsconfig.json'),
    logLevel: 'warning',
    metafile: true,
  });
  return Object.keys(metafile.outputs).map((file) => join(root, file));
}
