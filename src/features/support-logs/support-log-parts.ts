import type { Store, Tx } from '../../platform/store/store';
import { bytesOf } from '../../platform/store/stored-bytes';
import type { StoredBytes } from '../../platform/store/stored-bytes';
import { supportLogPartModel } from './support-log.model';
import type { SupportLogPartRecord, SupportLogRecord } from './support-log.model';

const PART_BYTES = 1024 * 1024;

type StoredPart = Omit<SupportLogPartRecord, 'bytes'> & { readonly bytes: StoredBytes };

const partIds = ({ _id, parts }: Pick<SupportLogRecord, '_id' | 'parts'>): string[] =>
  Array.from({ length: parts }, (_, nth) => `${_id}/${nth}`);

export type SupportLogParts = ReturnType<typeof createSupportLogParts>;

/** Stores support files in parts, so that only one part is in memory. */
export function createSupportLogParts(store: Store) {
  const records = supportLogPartModel(store);

  const remove = async (
    of: readonly Pick<SupportLogRecord, '_id' | 'parts'>[],
    tx?: Tx,
  ): Promise<void> => {
    await records.deleteMany({ _id: { $in: of.flatMap(partIds) } }, { session: tx?.session });
  };

  return {
    remove,

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
      let [gathered, bytes]: [Buffer[], number] = [[], 0];
      const store = async (): Promise<void> => {
        parts += 1;
        await records.create({
          _id: `${id}/${parts - 1}`,
          bytes: Buffer.concat(gathered),
          expiresAt,
        });
        [gathered, bytes] = [[], 0];
      };
      try {
        for await (const piece of pieces) {
          signal.throwIfAborted();
          gathered.push(piece);
          bytes += piece.length;
          size += piece.length;
          if (bytes >= PART_BYTES) await store();
        }
        if (bytes > 0) await store();
        return { size, parts };
      } catch (error) {
        await remove([{ _id: id, parts }]);
        throw error;
      }
    },

    /** @throws Error while iterating, if the file was deleted */
    async *read(
      of: Pick<SupportLogRecord, '_id' | 'parts'>,
    ): AsyncGenerator<Buffer, void, undefined> {
      for (const id of partIds(of)) {
        const part = await records.findById(id).lean<StoredPart>();
        if (!part) throw new Error(`A part of support file ${of._id} is gone.`);
        yield bytesOf(part.bytes);
      }
    },
  };
}
