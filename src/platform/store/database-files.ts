import type { FileStore } from '../files/file-store';
import type { Collection } from './collection';
import { schemaOf } from './schema';
import { isDuplicateKey } from './store';
import type { Store } from './store';
import { bytesOf } from './stored-bytes';
import type { StoredBytes } from './stored-bytes';

/** GridFS: other tools read the files, such as `mongofiles --prefix=uploads`. */
interface FileRecord {
  /** The same as the name. */
  readonly _id: string;
  readonly filename: string;
  /** Bytes. */
  readonly length: number;
  readonly chunkSize: number;
  readonly uploadDate: Date;
}

interface ChunkRecord {
  /** Name of the file and number of the chunk: `name/0`. */
  readonly _id: string;
  readonly files_id: string;
  readonly n: number;
  readonly data: Buffer;
}

type StoredChunk = Omit<ChunkRecord, 'data'> & { readonly data: StoredBytes };

/** As the drivers cut files: a chunk and its other fields fit into 256 KiB. */
const CHUNK_BYTES = 255 * 1024;

const fileSchema = schemaOf<FileRecord>({
  _id: String,
  filename: String,
  length: Number,
  chunkSize: Number,
  uploadDate: Date,
});

const chunkSchema = schemaOf<ChunkRecord>({
  _id: String,
  files_id: String,
  n: Number,
  data: Buffer,
});
chunkSchema.index({ files_id: 1, n: 1 }, { unique: true });

/**
 * Files in the database, in the layout of GridFS. Unlike `GridFSBucket` of the driver, a file is
 * written in a transaction: a process that is killed leaves no chunks.
 */
export class DatabaseFiles implements FileStore {
  readonly place = 'database';
  private readonly files: Collection<FileRecord>;
  private readonly chunks: Collection<ChunkRecord>;

  constructor(private readonly store: Store) {
    this.files = store.collection('UploadedFile', fileSchema, 'uploads.files');
    this.chunks = store.collection('UploadedChunk', chunkSchema, 'uploads.chunks');
  }

  async save(name: string, content: Buffer): Promise<void> {
    const file = {
      _id: name,
      filename: name,
      length: content.length,
      chunkSize: CHUNK_BYTES,
      uploadDate: new Date(),
    };
    const chunks = Array.from({ length: Math.ceil(content.length / CHUNK_BYTES) }, (_, n) => ({
      _id: `${name}/${n}`,
      files_id: name,
      n,
      data: content.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES),
    }));
    try {
      await this.store.transaction(async (tx) => {
        await this.files.insert(file, tx);
        await this.chunks.insertMany(chunks, tx);
      });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  async read(name: string): Promise<Buffer | null> {
    const file = await this.files.byId(name);
    if (!file) return null;
    const chunks = await this.chunks.find<StoredChunk>({ files_id: name }, { sort: { n: 1 } });
    const content = Buffer.concat(chunks.map(({ data }) => bytesOf(data)));
    if (content.length === file.length) return content;
    if ((await this.files.byId(name)) === null) return null;
    throw new Error(`The file ${name} in the database lacks chunks.`);
  }

  async delete(name: string): Promise<void> {
    await this.store.transaction(async (tx) => {
      if ((await this.files.deleteOne({ _id: name }, tx)) > 0)
        await this.chunks.deleteMany({ files_id: name }, tx);
    });
  }

  async list(): Promise<string[]> {
    const files = await this.files.find<Pick<FileRecord, '_id'>>(
      {},
      { fields: { _id: 1 }, sort: { _id: 1 } },
    );
    return files.map(({ _id }) => _id);
  }
}
