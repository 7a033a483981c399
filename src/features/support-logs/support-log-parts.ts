import type { Collection } from '../../platform/store/collection';
import type { Store, Tx } from '../../platform/store/store';
import { bytesOf } from '../../platform/store/stored-bytes';
import type { StoredBytes } from '../../platform/store/stored-bytes';
import { supportLogPartCollection } from './support-log.model';
import type { SupportLogPartRecord, SupportLogRecord } from './support-log.model';

const PART_BYTES = 1024 * 1024;

type StoredPart = Omit<SupportLogPartRecord, 'bytes'> & { readonly bytes: StoredBytes };
type FileParts = Pick<SupportLogRecord, '_id' | 'parts'>;

const partIds = ({ _id, parts }: FileParts): string[] =>
  Array.from({ length: parts }, (_, nth) => `${_id}/${nth}`);

/** Stores support files in parts, so that only one part is in memory. */
export class SupportLogParts {
  private readonly records: Collection<SupportLogPartRecord>;

  constructor(store: Store) {
    this.records = supportLogPartCollection(store);
  }

  /**
   * Stores the pieces until the signal aborts; on failure removes the stored parts. `size` is in
   * bytes.
   */
  async write(
    id: number,
    pieces: AsyncIterable<Buffer>,
    expiresAt: Date,
    signal: AbortSignal,
  ): Promise<{ readonly size: number; readonly parts: number }> {
    let [size, parts] = [0, 0];
    let [buffered, bufferedBytes]: [Buffer[], number] = [[], 0];
    const flush = async (): Promise<void> => {
      parts += 1;
      const bytes = Buffer.concat(buffered);
      await this.records.insert({ _id: `${id}/${parts - 1}`, bytes, expiresAt });
      [buffered, bufferedBytes] = [[], 0];
    };
    try {
      for await (const piece of pieces) {
        signal.throwIfAborted();
        buffered.push(piece);
        bufferedBytes += piece.length;
        size += piece.length;
        if (bufferedBytes >= PART_BYTES) await flush();
      }
      if (bufferedBytes > 0) await flush();
      return { size, parts };
    } catch (error) {
      await this.remove([{ _id: id, parts }]);
      throw error;
    }
  }

  /** @throws Error while iterating, if the file was deleted */
  async *read(file: FileParts): AsyncGenerator<Buffer, void, undefined> {
    for (const id of partIds(file)) {
      const part = await this.records.findOne<StoredPart>({ _id: id });
      if (!part) throw new Error(`A part of support file ${file._id} was deleted.`);
      yield bytesOf(part.bytes);
    }
  }

  async remove(files: readonly FileParts[], tx?: Tx): Promise<void> {
    const ids = files.flatMap(partIds);
    await this.records.deleteMany({ _id: { $in: ids } }, tx);
  }
}
