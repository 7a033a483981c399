import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file of a package that a page loads, and where it is served. */
export interface VendorFile {
  /** Below `/vendor/`. */
  readonly path: string;
  readonly package: string;
  readonly file: string;
}

/**
 * Everything the pages take from packages. Copied to `dist/public/vendor` by the build, because graphiql and react are development
 * packages; read from node_modules where nothing was built.
 */
export const VENDOR_FILES: readonly VendorFile[] = [
  { path: 'react/react.js', package: 'react', file: 'umd/react.production.min.js' },
  { path: 'react/LICENSE', package: 'react', file: 'LICENSE' },
  { path: 'react/react-dom.js', package: 'react-dom', file: 'umd/react-dom.production.min.js' },
  { path: 'graphiql/graphiql.js', package: 'graphiql', file: 'graphiql.min.js' },
  { path: 'graphiql/graphiql.css', package: 'graphiql', file: 'graphiql.min.css' },
  { path: 'graphiql/LICENSE', package: 'graphiql', file: 'LICENSE' },
  { path: 'graphql-ws/client.js', package: 'graphql-ws', file: 'dist/client.js' },
  { path: 'graphql-ws/common-CGW11Fyb.js', package: 'graphql-ws', file: 'dist/common-CGW11Fyb.js' },
  { path: 'graphql-ws/LICENSE.md', package: 'graphql-ws', file: 'LICENSE.md' },
  { path: 'swagger-ui/swagger-ui.js', package: 'swagger-ui-dist', file: 'swagger-ui-bundle.js' },
  { path: 'swagger-ui/swagger-ui.css', package: 'swagger-ui-dist', file: 'swagger-ui.css' },
  { path: 'swagger-ui/LICENSE', package: 'swagger-ui-dist', file: 'LICENSE' },
  // What is in the script of the dashboard.
  { path: 'preact/LICENSE', package: 'preact', file: 'LICENSE' },
  { path: 'signals/LICENSE', package: '@preact/signals', file: 'LICENSE' },
  { path: 'uplot/LICENSE', package: 'uplot', file: 'LICENSE' },
];

/** Codings in which a build keeps texts ready beside their files, the best first, and what their names end with. */
export const READY_CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/** Our own files, served below `/assets/`. They stand beside this file, in the sources and in the build. */
export const OWN_FILES = [
  'page.css',
  'start.css',
  'docs.css',
  'docs.js',
  'graphiql.css',
  'graphiql.js',
  'base.js',
  'fetcher.js',
  'session.js',
  'sign-in.js',
  'subscription.js',
  'icon.svg',
] as const;

export const ownFile = (name: string): string => join(__dirname, 'public', name);

/** What a build makes of `dashboard/`; served below `/assets/`, too. */
export const MADE_FILES = ['dashboard.js', 'dashboard.css'] as const;

/** They stand beside our own files in a build, and nowhere else. */
export function madeFile(name: string): string {
  const own = ownFile(name);
  return existsSync(own) ? own : join(__dirname, '..', '..', 'dist', 'pages', 'public', name);
}

/** The folder of an installed package. Found through a file, since not every package exports its package.json. */
function packageFolder(name: string): string {
  const require = createRequire(__filename);
  const folders = require.resolve.paths(name) ?? [];
  const found = folders.map((folder) => join(folder, name)).find((folder) => existsSync(folder));
  if (found === undefined)
    throw new Error(
      `The package ${name} is not installed: build first (npm run build), or install with development packages.`,
    );
  return found;
}

/** Where a vendor file lies in node_modules. */
export const installedFile = (file: VendorFile): string =>
  join(packageFolder(file.package), file.file);

/** Where a vendor file is read from: the build's copy where there is one. */
export function vendorFile(file: VendorFile): string {
  const copy = join(dirname(__dirname), 'public', 'vendor', file.path);
  return existsSync(copy) ? copy : installedFile(file);
}
