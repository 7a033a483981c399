import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FileToZip } from '../../platform/archive/write-zip';
import type { Report } from '../../platform/control/command';
import type { PassphraseKey } from '../../platform/crypto/sealed-stream';
import type { EntryFacts } from './manifest';
import { linesOf } from './ndjson';

/** The entries of an archive that is written, with their sizes and hashes. */
export class ArchiveEntries {
  readonly entries: EntryFacts[] = [];
  documents = 0;
  total = 0;

  constructor(
    readonly key: PassphraseKey | null,
    private readonly report: Report,
  ) {}

  lines(name: string, records: () => AsyncIterable<object>): FileToZip {
    return this.entry(name, (count) =>
      linesOf(records(), () => {
        count();
        this.documents += 1;
        this.report({ done: this.documents, total: Math.max(this.total, this.documents) });
      }),
    );
  }

  file(name: string, content: () => AsyncIterable<Buffer>): FileToZip {
    return this.entry(name, () => {
      this.report({ done: this.documents, total: Math.max(this.total, this.documents) });
      return content();
    });
  }

  private entry(name: string, content: (count: () => void) => AsyncIterable<Buffer>): FileToZip {
    const { key, entries } = this;
    return {
      name,
      isCompressible: key === null,
      async *content() {
        const hash = createHash('sha256');
        let [documents, bytes] = [0, 0];
        const source = content(() => {
          documents += 1;
        });
        for await (const piece of key === null ? source : key.seal(name, compressed(source))) {
          hash.update(piece);
          bytes += piece.length;
          yield piece;
        }
        entries.push({ name, documents, bytes, sha256: hash.digest('hex') });
      },
    };
  }
}

const compressed = (source: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  pipeline(Readable.from(source), createGzip(), () => undefined);

/** Writes a file that only its owner can read, and flushes it to disk. */
export async function writeDurably(
  path: string,
  content: AsyncIterable<Buffer>,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  // A killed export leaves the file.
  await rm(path, { force: true });
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const piece of content) {
      hash.update(piece);
      bytes += piece.length;
      await file.writeFile(piece);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest('hex') };
}
