import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../errors';

/** LMDB's magic number in the first page. */
const MAGIC = 0xbeefc0de;
/** Offsets in a page of LMDB; a page begins with a header of 24 bytes. */
const HEADER_BYTES = 24;
const FLAGS_AT = 18;
const LOWER_AT = 20;
/** Offsets in a meta page: page size, roots of the trees of free pages and of data. */
const PAGE_SIZE_AT = HEADER_BYTES + 24;
const ROOTS_AT = [HEADER_BYTES + 64, HEADER_BYTES + 112];
const LAST_PAGE_AT = HEADER_BYTES + 120;
const TRANSACTION_AT = HEADER_BYTES + 128;
const META_BYTES = TRANSACTION_AT + 8;

const NODE_HEADER_BYTES = 8;
/** Number of the first page, transaction, number of pages. */
const PAGE_REFERENCE_BYTES = 24;
const BRANCH = 0x01;
const LEAF = 0x02;
/** Flag of a node whose value has pages of its own. */
const BIG_DATA = 0x01;
const NO_ROOT = 0xffff_ffff_ffff_ffffn;
const MIN_PAGE_BYTES = 512;
const MAX_PAGE_BYTES = 65_536;
const MAX_DEPTH = 32;

interface Meta {
  readonly pageSize: number;
  readonly transaction: bigint;
  readonly lastPage: bigint;
  readonly roots: readonly bigint[];
}

/**
 * Checks the data file before LMDB maps it: reading beyond the end of a file that was cut ends the
 * process without a message. A missing or empty file is a new store.
 * @throws StoreError with the name of the file
 */
export function checkDataFile(dir: string): void {
  const file = join(dir, 'data.mdb');
  if (!existsSync(file)) return;
  const descriptor = openSync(file, 'r');
  try {
    if (fstatSync(descriptor).size > 0) checkContent(descriptor, file, dir);
  } finally {
    closeSync(descriptor);
  }
}

/** Room for the reader slots of kv.ts. */
const LOCK_FILE_BYTES = 80 * 1024;

/**
 * Creates LMDB's lock file with all its blocks. It would be sparse, and using a new part of it on a
 * full disk ends the process.
 */
export function ensureLockFile(dir: string): void {
  const file = join(dir, 'lock.mdb');
  if (existsSync(file)) return;
  try {
    writeFileSync(file, Buffer.alloc(LOCK_FILE_BYTES), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    rmSync(file, { force: true });
    throw error;
  }
}

function checkContent(descriptor: number, file: string, dir: string): void {
  for (;;) {
    const meta = latestMeta(descriptor);
    if (meta === undefined)
      throw new StoreError(
        'DamagedData',
        `${file} is damaged or is not a file of the embedded store; ${replaceIt(dir)}`,
      );
    // Read after the meta page, which is written last.
    const { size } = fstatSync(descriptor);
    const expected = Number(meta.lastPage + 1n) * meta.pageSize;
    // Free pages at the end may never have been written.
    if (size >= expected || hasAllPages(descriptor, meta, size)) return;
    // A process that uses the store may have changed pages while they were read.
    if (latestMeta(descriptor)?.transaction === meta.transaction)
      throw new StoreError(
        'DamagedData',
        `${file} was cut: it has ${size} bytes of ${expected}, and pages of data are missing; ${replaceIt(dir)}`,
      );
  }
}

const replaceIt = (dir: string): string => `replace ${dir} with a backup`;

/** Returns the meta page of the last commit. */
function latestMeta(descriptor: number): Meta | undefined {
  const first = metaAt(descriptor, 0);
  if (first === undefined) return undefined;
  const second = metaAt(descriptor, first.pageSize);
  if (second === undefined) return undefined;
  return second.transaction > first.transaction ? second : first;
}

function metaAt(descriptor: number, position: number): Meta | undefined {
  const bytes = Buffer.alloc(META_BYTES);
  if (readSync(descriptor, bytes, 0, META_BYTES, position) < META_BYTES) return undefined;
  const pageSize = bytes.readUInt32LE(PAGE_SIZE_AT);
  if (bytes.readUInt32LE(HEADER_BYTES) !== MAGIC) return undefined;
  if (pageSize < MIN_PAGE_BYTES || pageSize > MAX_PAGE_BYTES) return undefined;
  return {
    pageSize,
    transaction: bytes.readBigUInt64LE(TRANSACTION_AT),
    lastPage: bytes.readBigUInt64LE(LAST_PAGE_AT),
    roots: ROOTS_AT.map((at) => bytes.readBigUInt64LE(at)),
  };
}

/** Returns whether all pages of the trees are within the file. */
function hasAllPages(descriptor: number, { pageSize, roots }: Meta, size: number): boolean {
  const isWithin = (page: bigint, count = 1n): boolean =>
    Number(page + count) * pageSize <= size && page >= 0n;
  const hasSubtree = (page: bigint, depth: number): boolean => {
    if (!isWithin(page) || depth > MAX_DEPTH) return false;
    const bytes = Buffer.alloc(pageSize);
    if (readSync(descriptor, bytes, 0, pageSize, Number(page) * pageSize) < pageSize) return false;
    const flags = bytes.readUInt16LE(FLAGS_AT);
    if ((flags & (BRANCH | LEAF)) === 0) return false;
    for (const node of nodesOf(bytes)) {
      if ((flags & BRANCH) !== 0) {
        if (!hasSubtree(BigInt(bytes.readUIntLE(node, 6)), depth + 1)) return false;
      } else if ((bytes.readUInt16LE(node + 4) & BIG_DATA) !== 0) {
        const value = node + NODE_HEADER_BYTES + bytes.readUInt16LE(node + 6);
        if (value + PAGE_REFERENCE_BYTES > pageSize) return false;
        if (!isWithin(bytes.readBigUInt64LE(value), bytes.readBigUInt64LE(value + 16)))
          return false;
      }
    }
    return true;
  };
  return roots.every((root) => root === NO_ROOT || hasSubtree(root, 0));
}

/** Returns the offsets of the nodes of a page. */
function* nodesOf(page: Buffer): Iterable<number> {
  const count = page.readUInt16LE(LOWER_AT) / 2;
  for (let index = 0; index < count; index++) {
    const at = HEADER_BYTES + page.readUInt16LE(HEADER_BYTES + index * 2);
    if (at + NODE_HEADER_BYTES > page.length) return;
    yield at;
  }
}
