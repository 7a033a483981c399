import { transformFileSync } from '@swc/core';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(__dirname, '../..');

/** A compiled copy of the embedded store and of the scripts that run beside it, for worker threads and child processes. */
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
  const sources = [
    ...typescriptIn(join(root, 'src/embedded-mongo')),
    join(root, 'test/support/store-child.ts'),
  ];
  for (const source of sources) {
    const target = join(out, relative(root, source)).replace(/\.ts$/, '.js');
    mkdirSync(dirname(target), { recursive: true });
    const { code } = transformFileSync(source, {
      jsc: {
        target: 'es2023',
        parser: { syntax: 'typescript' },
        transform: { useDefineForClassFields: false },
      },
      module: { type: 'commonjs' },
    });
    writeFileSync(target, code);
  }
  return {
    entry: join(out, 'src/embedded-mongo/index.js'),
    child: join(out, 'test/support/store-child.js'),
    remove: () => rmSync(out, { recursive: true, force: true }),
  };
}

function typescriptIn(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}
