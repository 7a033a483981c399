import { transformFileSync } from '@swc/core';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(__dirname, '../../../..');
const sources = resolve(__dirname, '../../src');

/** A compiled copy of the package and of store-child.ts, for worker threads and child processes. */
export interface StoreBuild {
  /** Module to require for `openEmbeddedStore`. */
  readonly entry: string;
  /** Program for a child process: see store-child.ts. */
  readonly child: string;
  remove(): void;
}

export function buildStore(): StoreBuild {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const out = mkdtempSync(join(cache, 'store-build-'));
  const compiled = join(out, 'node_modules/@hypha/embedded-mongo');
  for (const source of typescriptIn(sources))
    compile(source, join(compiled, relative(sources, source)));
  compile(join(__dirname, 'store-child.ts'), join(out, 'store-child.ts'));
  return {
    entry: join(compiled, 'index.js'),
    child: join(out, 'store-child.js'),
    remove: () => rmSync(out, { recursive: true, force: true }),
  };
}

function compile(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  const { code } = transformFileSync(source, {
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript' },
      transform: { useDefineForClassFields: false },
    },
    module: { type: 'commonjs' },
  });
  writeFileSync(target.replace(/\.ts$/, '.js'), code);
}

function typescriptIn(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}
