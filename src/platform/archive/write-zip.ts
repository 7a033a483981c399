import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A file to add to an archive. `content` is called when the previous files are written. */
export interface FileToZip {
  /** Path within the archive: `runs/7/events.jsonl`. */
  readonly name: string;
  readonly content: () => AsyncIterable<string | Uint8Array>;
  /** False for content that is compressed or encrypted already. */
  readonly isCompressible?: boolean;
}

/**
 * Streams a zip archive of the files. Files are read one at a time, with back-pressure, so none is
 * held in memory as a whole.
 * @param at modification time of all entries
 * @throws while iterating: what reading a file throws
 */
export async function* writeZip(
  files: readonly FileToZip[],
  at: Date,
): AsyncGenerator<Buffer, void, undefined> {
  const zip = new ZipFile();
  const opened: Readable[] = [];
  const archive = zip.outputStream as Readable;
  const fail = (error: Error): void => void archive.destroy(error);
  zip.on('error', fail);
  for (const { name, content, isCompressible: compress = true } of files) {
    zip.addReadStreamLazy(name, { mtime: at, compress }, (give) => {
      const file = Readable.from(content()).on('error', fail);
      opened.push(file);
      give(null, file);
    });
  }
  zip.end();
  try {
    for await (const piece of archive) yield piece as Buffer;
  } finally {
    for (const file of opened) file.destroy();
  }
}
