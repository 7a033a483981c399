import { createRequire } from 'node:module';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A package file that a page loads. */
interface VendorFile {
  readonly path: string;
  readonly package: string;
  readonly file: string;
}

/**
 * All package files of the pages. The build copies them to `dist/public/vendor`, because graphiql
 * and react are development dependencies; without a build they are read from node_modules.
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
  // Licences of packages in the dashboard bundle.
  { path: 'preact/LICENSE', package: 'preact', file: 'LICENSE' },
  { path: 'signals/LICENSE', package: '@preact/signals', file: 'LICENSE' },
  { path: 'uplot/LICENSE', package: 'uplot', file: 'LICENSE' },
  { path: 'codemirror/LICENSE', package: '@codemirror/view', file: 'LICENSE' },
];

/** Codings of files that the build precompresses, best first, with their file suffixes. */
export const READY_CODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;

/**
 * Own files, served below `/assets/`. They are next to this file in the sources and in the build.
 */
export const OWN_FILES = [
  'page.css',
  'start.css',
  'docs.css',
  'docs.js',
  'graphiql.css',
  'graphiql.js',
  'graphiql-tabs.js',
  'base.js',
  'forgot-password.js',
  'set-password.css',
  'set-password.js',
  'fetcher.js',
  'session.js',
  'sign-in.js',
  'subscription.js',
  'icon.svg',
  'icon-failures.svg',
] as const;

export const ownFile = (name: string): string => join(__dirname, 'public', name);

/** The schema of this version in the schema language. The folder is part of every installation. */
export const SCHEMA_FILE = join(__dirname, '..', '..', 'schema', 'schema.graphql');

/**
 * Returns whether the build of `dashboard/` makes files of this name: the script, the style sheet,
 * and the parts that are loaded on demand, with a hash in their names.
 */
export const isBuiltFile = (name: string): boolean =>
  /^dashboard(?:-[A-Za-z0-9-]+)?\.(?:js|css)$/.test(name);

/**
 * Returns the built files by name. In a build they are next to the own files, otherwise in `dist`.
 */
export function builtFiles(): ReadonlyMap<string, string> {
  const folder = existsSync(ownFile('dashboard.js'))
    ? ownFile('.')
    : join(__dirname, '..', '..', 'dist', 'pages', 'public');
  const names = existsSync(folder) ? readdirSync(folder).filter(isBuiltFile) : [];
  return new Map(names.map((name) => [name, join(folder, name)]));
}

/**
 * Returns the folder of an installed package. Searched by path, because not every package exports
 * its package.json.
 */
function packageFolder(name: string): string {
  const require = createRequire(__filename);
  const folders = require.resolve.paths(name) ?? [];
  const path = folders.map((folder) => join(folder, name)).find((folder) => existsSync(folder));
  if (path === undefined)
    throw new Error(
      `The package ${name} is not installed: build first (npm run build), or install with development packages.`,
    );
  return path;
}

/** Returns the path of a vendor file in node_modules. */
export const installedFile = (file: VendorFile): string =>
  join(packageFolder(file.package), file.file);

/** Returns the path of a vendor file, preferring the copy of the build. */
export function vendorFile(file: VendorFile): string {
  const copy = join(dirname(__dirname), 'public', 'vendor', file.path);
  return existsSync(copy) ? copy : installedFile(file);
}
