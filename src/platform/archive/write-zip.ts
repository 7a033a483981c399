import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A file that goes into an archive; its content is asked for when its turn has come. */
export interface FileToZip {
  /** As the archive has it: `runs/7/events.jsonl`. */
  readonly name: string;
  readonly content: () => AsyncIterable<string>;
}

/**
 * A zip archive of files, piece by piece: none of them is ever in memory as a whole, and none is read faster than the archive is.
 * @param at when its files were changed last
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
  for (const { name, content } of files) {
    zip.addReadStreamLazy(name, { mtime: at }, (give) => {
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
