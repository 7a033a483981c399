import { randomBytes } from 'node:crypto';
import { extname } from 'node:path';
import { Refused } from '../errors/errors';
import { isUploadName } from './file-store';
import type { FileStore } from './file-store';
import { gifTable, skipBlocks, withoutMetadata } from './image-metadata';
import type { ImageKind, ImageReader, ImageSize } from './image-size';
import { webpSize } from './image-size';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Chunk names as numbers, for speed: a file may have a million chunks. */
const IDAT = 0x49444154;
const IEND = 0x49454e44;

/** Walks the chunks: IHDR first, some IDAT, IEND last with nothing behind it. */
function pngSize(bytes: Buffer): ImageSize | null {
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) return null;
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  let hasData = false;
  for (let at = 8; at < bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    const type = bytes.readUInt32BE(at + 4);
    if (type === IDAT) hasData = true;
    if (type === IEND) return hasData && end === bytes.length ? size : null;
    at = end;
  }
  return null;
}

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/**
 * Walks the segments to the first scan, then checks for an end marker; cameras add data after it.
 */
function jpegSize(bytes: Buffer): ImageSize | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  let size: ImageSize | null = null;
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) return null;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return null;
    if (isFrame(marker))
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + length;
    if (marker === 0xda)
      return at < bytes.length && bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) >= at ? size : null;
  }
}

/** Walks the blocks: at least one image, and the trailer last with nothing behind it. */
function gifSize(bytes: Buffer): ImageSize | null {
  const signature = bytes.toString('latin1', 0, 6);
  if (signature !== 'GIF87a' && signature !== 'GIF89a') return null;
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  let hasImage = false;
  for (let at = 13 + gifTable(bytes.readUInt8(10)); ;) {
    const block = bytes.readUInt8(at);
    if (block === 0x3b) return hasImage && at + 1 === bytes.length ? size : null;
    if (block === 0x21) {
      at = skipBlocks(bytes, at + 2);
    } else if (block === 0x2c) {
      hasImage = true;
      // Descriptor, colour table, one byte of code size, then the data.
      at = skipBlocks(bytes, at + 10 + gifTable(bytes.readUInt8(at + 9)) + 1);
    } else {
      return null;
    }
  }
}

const IMAGE_TYPES: Readonly<Record<ImageKind, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};

/** Limit against decompression bombs: a few kilobytes can declare gigabytes of pixels. */
const MOST_PIXELS = 100_000_000;

const READERS: readonly (readonly [ImageKind, ImageReader])[] = [
  ['png', pngSize],
  ['jpg', jpegSize],
  ['gif', gifSize],
  ['webp', webpSize],
];

/**
 * Detects the image type from the content only: signature and a complete structure. Returns null
 * if the type is not accepted or the file is truncated or has trailing data.
 */
export function imageKind(bytes: Buffer): ImageKind | null {
  for (const [kind, read] of READERS) {
    const size = readSafely(read, bytes);
    if (size)
      return size.width > 0 && size.height > 0 && size.width * size.height <= MOST_PIXELS
        ? kind
        : null;
  }
  return null;
}

const PAST_THE_END: ReadonlySet<string> = new Set(['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS']);

/** Returns null on a read past the end: the file is truncated. */
function readSafely(read: ImageReader, bytes: Buffer): ImageSize | null {
  try {
    return read(bytes);
  } catch (error) {
    if (PAST_THE_END.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

/** A stored file with its content type. */
interface StoredFile {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** Uploaded images, stored under random names. */
export interface Uploads {
  /** Maximum size of a file; the APIs read no more. */
  readonly limit: number;
  /** @throws Refused WRONG_FORMAT not PNG, JPEG, GIF or WebP */
  requireImage(bytes: Buffer): Promise<void>;
  /**
   * Stores an image without its metadata; resolves when it is durable. Detects the type from the
   * content; the name and content type of the upload are ignored.
   * @returns the name to store in a record
   * @throws Refused WRONG_FORMAT not PNG, JPEG, GIF or WebP
   */
  save(bytes: Buffer): Promise<string>;
  /**
   * Stores an image and passes its name to `write`; deletes it again if `write` fails. Null stores
   * nothing.
   * @throws Refused WRONG_FORMAT not PNG, JPEG, GIF or WebP
   */
  withSaved<R>(bytes: Buffer | null, write: (name: string | null) => Promise<R>): Promise<R>;
  /** Returns null if the name is invalid or the file does not exist. */
  read(name: string): Promise<StoredFile | null>;
  /** Deletes a file that no record references. Never rejects: a leftover file is harmless. */
  discard(name: string | null): Promise<void>;
}

export function createUploads(files: FileStore, limit: number): Uploads {
  const uploads: Uploads = {
    limit,
    requireImage: async (bytes) => void kindOf(bytes),
    async save(bytes) {
      const kind = kindOf(bytes);
      const name = `${randomBytes(16).toString('hex')}.${kind}`;
      await files.save(name, withoutMetadata(bytes, kind));
      return name;
    },
    async withSaved(bytes, write) {
      const name = bytes && (await uploads.save(bytes));
      try {
        return await write(name);
      } catch (error) {
        await uploads.discard(name);
        throw error;
      }
    },
    async read(name) {
      const bytes = isUploadName(name) ? await files.read(name) : null;
      return bytes && { bytes, contentType: IMAGE_TYPES[extname(name).slice(1) as ImageKind] };
    },
    async discard(name) {
      if (name !== null && isUploadName(name)) await files.delete(name).catch(() => undefined);
    },
  };
  return uploads;
}

function kindOf(bytes: Buffer): ImageKind {
  const kind = imageKind(bytes);
  if (!kind)
    throw new Refused('WRONG_FORMAT', 'The file is not a complete PNG, JPEG, GIF or WebP image.', {
      path: ['file'],
    });
  return kind;
}
