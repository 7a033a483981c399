import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_LIMITS } from '../../config/config';
import { Refused } from '../errors/errors';
import { inTurns } from '../json/turns';
import { IMAGE_TYPES, imageKind } from './image-kind';
import type { ImageKind } from './image-kind';

/** A stored file, as it is served. */
export interface StoredFile {
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** Images that people uploaded, under names that tell nothing and cannot be guessed. */
export interface Uploads {
  /** Most bytes a file may have; the doors read no more. */
  readonly limit: number;
  /** @throws Refused WRONG_FORMAT no PNG, JPEG, GIF or WebP */
  requireImage(bytes: Buffer): Promise<void>;
  /**
   * Keeps an image; on disk before it answers. Its kind is read from its content: the name and type it came with are not looked at.
   * @returns the name to keep in a record
   * @throws Refused WRONG_FORMAT no PNG, JPEG, GIF or WebP
   */
  save(bytes: Buffer): Promise<string>;
  /** Null: no such file, or a name that none can have. */
  read(name: string): Promise<StoredFile | null>;
  /** Removes a file that no record names any more. Never fails: one that stays behind takes room and does no harm. */
  discard(name: string | null): Promise<void>;
}

const NAME = /^[0-9a-f]{32}\.(png|jpg|gif|webp)$/;

/** @param dir made at the first upload */
export function createUploads(dir: string, limit: number = DEFAULT_LIMITS.uploadBytes): Uploads {
  return {
    limit,
    requireImage: async (bytes) => void await kindOf(bytes),
    async save(bytes) {
      const kind = await kindOf(bytes);
      const name = `${randomBytes(16).toString('hex')}.${kind}`;
      await mkdir(dir, { recursive: true, mode: 0o700 });
      await writeWhole(join(dir, name), bytes);
      await syncDirectory(dir);
      return name;
    },
    async read(name) {
      const kind = NAME.exec(name)?.[1] as ImageKind | undefined;
      if (!kind) return null;
      try {
        return { bytes: await readFile(join(dir, name)), contentType: IMAGE_TYPES[kind] };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    async discard(name) {
      if (name !== null && NAME.test(name)) await unlink(join(dir, name)).catch(() => undefined);
    },
  };
}

async function kindOf(bytes: Buffer): Promise<ImageKind> {
  const kind = await inTurns((turn) => imageKind(bytes, turn));
  if (!kind) throw new Refused('WRONG_FORMAT', 'The file is not a complete PNG, JPEG, GIF or WebP image.', { path: ['file'] });
  return kind;
}

/** Under another name first: a crash leaves the whole file or none. */
async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const draft = `${file}.part`;
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
}

async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';
