// V8 takes the code cache of a script only under the flags it was made with: they are set before, when it is made and when it is used.
import './platform/heap-growth';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** The check sums of the source and of what V8 compiled, before the latter: 32 bits each, little-endian. */
const HEAD_BYTES = 8;

const cacheOf = (file: string): string => `${file}.cache`;

/**
 * The exports of a program whose modules, with those of its packages, a build made one file of. Null: there is no such file.
 * Its code cache spares V8 most of the compilation. Another Node, or one with other V8 flags, takes no notice of it.
 */
export function loadBundle<T>(file: string): T | null {
  return existsSync(file) ? (evaluate(compile(file), file) as T) : null;
}

/** Keeps beside a bundle what V8 compiled until all of its modules were loaded. For the build. */
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

/** Apart from the evaluation: the bytes of both files, 18 MB, are not held while that makes everything else old. */
function compile(file: string): Script {
  const source = readFileSync(file);
  return scriptOf(file, source, readCache(file, source));
}

/** V8 itself looks at lengths, versions and flags alone: of a file that a power cut left half, or of a source that was changed, it would die. */
function readCache(file: string, source: Buffer): Buffer | undefined {
  if (!existsSync(cacheOf(file))) return undefined;
  const bytes = readFileSync(cacheOf(file));
  if (bytes.length <= HEAD_BYTES) return undefined;
  const cached = bytes.subarray(HEAD_BYTES);
  return crc32(source) === bytes.readUInt32LE(0) && crc32(cached) === bytes.readUInt32LE(4)
    ? cached
    : undefined;
}

/** Bundles are ASCII: as Latin-1 V8 holds one byte a character. */
const scriptOf = (file: string, source: Buffer, cachedData?: Buffer): Script =>
  new Script(
    `(function (exports, require, module, __filename, __dirname) { ${source.toString('latin1')}\n})`,
    { filename: file, cachedData },
  );

/** As Node evaluates a CommonJS module; what it exports. */
function evaluate(script: Script, file: string): unknown {
  const module = { exports: {} };
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  run(module.exports, createRequire(file), module, file, dirname(file));
  return module.exports;
}
