import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { fromBuffer, open } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { BadInput, TooLarge } from '../errors/errors';
import { isVisible } from '../text/characters';

/** Limits for an archive from an untrusted source. */
export interface ZipLimits {
  readonly entries: number;
  /** Limit of the unpacked size of one entry. */
  readonly entryBytes: number;
  /** Limit of the unpacked size of all entries. */
  readonly totalBytes: number;
}

export const ZIP_LIMITS: ZipLimits = {
  entries: 1_000,
  entryBytes: 20 * 1024 * 1024,
  totalBytes: 200 * 1024 * 1024,
};

/** A file of an archive with its complete content. */
interface ZippedFile {
  /** Path within the archive: `invokers/demo.xml`. */
  readonly name: string;
  readonly bytes: Buffer;
  /** Number of entries of the archive, including directories; used to report progress. */
  readonly entries: number;
}

const LONGEST_NAME = 255;
/** Programs of Windows separate folders by backslashes; yauzl reads these as slashes. */
const READING = { lazyEntries: true, strictFileNames: false, validateEntrySizes: true } as const;
const isDirectory = (name: string): boolean => name.endsWith('/');
/** macOS adds a file with extended attributes for each file. */
const isAttributeCopy = (name: string): boolean =>
  name.startsWith('__MACOSX/') || /(?:^|\/)\._[^/]*$/.test(name);

/**
 * Yields the files of a zip archive one at a time, so that only one is in memory. Skips
 * directories.
 * Names are unique and cannot point outside the archive. Inflates on the libuv thread pool and
 * enforces the limits on the actual bytes, not on the sizes that the archive declares.
 * @throws BadInput ZIP_FILE_REQUIRED not a zip archive; ZIP_INVALID truncated, corrupt, encrypted,
 *   or with invalid names
 * @throws TooLarge the archive exceeds `limits`
 */
export async function* readZip(
  archive: Buffer,
  limits: ZipLimits = ZIP_LIMITS,
): AsyncGenerator<ZippedFile, void, void> {
  const zip = await opened(archive);
  if (zip.entryCount > limits.entries)
    throw new TooLarge(`The archive may have ${limits.entries} entries at most.`);
  const seen = new Set<string>();
  let room = limits.totalBytes;
  for (let entry = await nextEntry(zip); entry; entry = await nextEntry(zip)) {
    const { fileName: name } = entry;
    requireName(name);
    if (seen.has(name)) throw broken(`It has two entries called ${name}.`);
    seen.add(name);
    if (isDirectory(name) || isAttributeCopy(name)) continue;
    const bytes = await unpacked(zip, entry, room, limits);
    room -= bytes.length;
    yield { name, bytes, entries: zip.entryCount };
  }
}

/**
 * Returns the total unpacked size that the archive declares, which `readZip` enforces. Returns
 * Infinity if the archive cannot be read or has too many entries; `readZip` reports the error.
 */
export async function zipSize(archive: Buffer): Promise<number> {
  try {
    const zip = await opened(archive);
    if (zip.entryCount > ZIP_LIMITS.entries) return Infinity;
    let size = archive.length;
    for (let entry = await nextEntry(zip); entry; entry = await nextEntry(zip))
      size += entry.uncompressedSize;
    return size;
  } catch (error) {
    if (error instanceof BadInput) return Infinity;
    throw error;
  }
}

/** A zip archive of any size on the disk. Its entries are read one after the other, as streams. */
export class ZipOnDisk {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  /**
   * Opens the file and reads the list of its entries.
   * @throws BadInput ZIP_INVALID not a zip archive, truncated, or with invalid names
   * @throws Error of the file system
   */
  static async open(path: string): Promise<ZipOnDisk> {
    await access(path, constants.R_OK);
    const zip = await openedFile(path);
    try {
      const entries = new Map<string, Entry>();
      for (let entry = await nextEntry(zip); entry; entry = await nextEntry(zip)) {
        requireName(entry.fileName);
        if (entries.has(entry.fileName))
          throw broken(`It has two entries called ${entry.fileName}.`);
        entries.set(entry.fileName, entry);
      }
      return new ZipOnDisk(zip, entries);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  get names(): readonly string[] {
    return [...this.entries.keys()];
  }

  /** Unpacked size of an entry as the archive declares it, which reading enforces; 0 if missing. */
  sizeOf(name: string): number {
    return this.entries.get(name)?.uncompressedSize ?? 0;
  }

  /** @throws BadInput ZIP_INVALID the entry is missing or damaged */
  async *read(name: string): AsyncGenerator<Buffer, void, void> {
    const entry = this.entries.get(name);
    if (!entry) throw broken(`It has no ${name}.`);
    if (entry.isEncrypted()) throw broken(`${name} is encrypted.`);
    let sum = 0;
    try {
      for await (const chunk of await contentOf(this.zip, entry)) {
        sum = crc32(chunk, sum);
        yield chunk;
      }
    } catch (error) {
      throw broken(`${name}: ${sentence(error as Error)}`);
    }
    if (sum !== entry.crc32) throw broken(`${name} is damaged: its check sum differs.`);
  }

  close(): void {
    this.zip.close();
  }
}

const broken = (message: string): BadInput =>
  new BadInput('ZIP_INVALID', `The archive cannot be read. ${message}`, { path: ['file'] });

const sentence = (error: Error): string =>
  `${error.message.charAt(0).toUpperCase()}${error.message.slice(1, 300).replace(/\.$/, '')}.`;

/** Checks the signature of a zip archive (also that of an empty one). */
export const isZip = (bytes: Buffer): boolean =>
  ['PK\u0003\u0004', 'PK\u0005\u0006'].includes(bytes.toString('latin1', 0, 4));

function opened(archive: Buffer): Promise<ZipFile> {
  if (!isZip(archive))
    throw new BadInput('ZIP_FILE_REQUIRED', 'The file is no zip archive.', { path: ['file'] });
  return new Promise((resolve, reject) => {
    fromBuffer(archive, READING, (error, zip) => {
      if (error) reject(broken(sentence(error)));
      else resolve(zip);
    });
  });
}

function openedFile(path: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    open(path, { ...READING, autoClose: false }, (error, zip) => {
      if (error) reject(broken(sentence(error)));
      else resolve(zip);
    });
  });
}

/** Returns null after the last entry. */
function nextEntry(zip: ZipFile): Promise<Entry | null> {
  return new Promise((resolve, reject) => {
    const settled = (settle: () => void): void => {
      zip.removeAllListeners('entry').removeAllListeners('end').removeAllListeners('error');
      settle();
    };
    zip.once('entry', (entry: Entry) => settled(() => resolve(entry)));
    zip.once('end', () => settled(() => resolve(null)));
    zip.once('error', (error: Error) => settled(() => reject(broken(sentence(error)))));
    zip.readEntry();
  });
}

/** Checks what yauzl does not: it already rejects absolute names and `..`. */
function requireName(name: string): void {
  if (name.length > LONGEST_NAME || !name.isWellFormed() || !isVisible(name))
    throw broken('A name in it is too long, or has characters that cannot be seen.');
}

/** @param room bytes of `totalBytes` that are left */
async function unpacked(
  zip: ZipFile,
  entry: Entry,
  room: number,
  { entryBytes, totalBytes }: ZipLimits,
): Promise<Buffer> {
  const limit = Math.min(room, entryBytes);
  const tooLarge = (): TooLarge =>
    new TooLarge(
      entryBytes <= room
        ? `A file of an archive may have ${entryBytes} bytes at most when it is unpacked; ${entry.fileName} has more.`
        : `The files of an archive may have ${totalBytes} bytes at most together when they are unpacked; with ${entry.fileName} they have more.`,
    );
  if (entry.isEncrypted()) throw broken(`${entry.fileName} is encrypted.`);
  if (entry.uncompressedSize > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let [size, sum] = [0, 0];
  try {
    for await (const chunk of await contentOf(zip, entry)) {
      size += chunk.length;
      if (size > limit) throw tooLarge();
      sum = crc32(chunk, sum);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof TooLarge) throw error;
    throw broken(`${entry.fileName}: ${sentence(error as Error)}`);
  }
  if (sum !== entry.crc32) throw broken(`${entry.fileName} is damaged: its check sum differs.`);
  return Buffer.concat(chunks);
}

function contentOf(zip: ZipFile, entry: Entry): Promise<AsyncIterable<Buffer>> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, stream) => {
      if (error) reject(error);
      else resolve(stream);
    });
  });
}
