import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/**
 * CRC sums of the source and of the code cache, stored before the cache: 32 bits each,
 * little-endian.
 */
const HEAD_BYTES = 8;

const cacheOf = (file: string): string => `${file}.cache`;

/**
 * Returns the exports of a bundled program, or null if there is no bundle. Its code cache saves
 * most of the compilation; a Node with another version or other V8 flags ignores it.
 */
export function loadBundle<T>(file: string): T | null {
  return existsSync(file) ? (evaluate(compile(file), file) as T) : null;
}

/** Writes the V8 code cache of a bundle after all its modules were loaded. For the build. */
export function cacheBundle(file: string): void {
  const source = readFileSync(file);
  const script = scriptOf(file, source);
  evaluate(script, file);
  const cached = script.createCachedData();
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(crc32(source), 0);
  head.writeUInt32LE(crc32(cached), 4);
  writeFileSync(cacheOf(file), Buffer.concat([head, cached]));
}

/**
 * Separate from the evaluation, so that the file contents (18 MB) are released before it and not
 * promoted to the old generation.
 */
function compile(file: string): Script {
  const source = readFileSync(file);
  return scriptOf(file, source, readCache(file, source));
}

/**
 * V8 checks only lengths, versions and flags: it would crash on a truncated cache or one of another
 * source.
 */
function readCache(file: string, source: Buffer): Buffer | undefined {
  if (!existsSync(cacheOf(file))) return undefined;
  const bytes = readFileSync(cacheOf(file));
  if (bytes.length <= HEAD_BYTES) return undefined;
  const cached = bytes.subarray(HEAD_BYTES);
  return crc32(source) === bytes.readUInt32LE(0) && crc32(cached) === bytes.readUInt32LE(4)
    ? cached
    : undefined;
}

/** Bundles are ASCII: as Latin-1, V8 uses one byte for each character. */
const scriptOf = (file: string, source: Buffer, cachedData?: Buffer): Script =>
  new Script(
    `(function (exports, require, module, __filename, __dirname) { ${source.toString('latin1')}\n})`,
    { filename: file, cachedData },
  );

/** Evaluates a CommonJS module and returns its exports. */
function evaluate(script: Script, file: string): unknown {
  const module = { exports: {} };
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  run(module.exports, createRequire(file), module, file, dirname(file));
  return module.exports;
}
