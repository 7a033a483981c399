/**
 * A place where uploaded files lie. Their names are random and their content never changes, so that
 * files of two places with the same name are the same.
 */
export interface FileStore {
  /** For operators and for comparison: `database`, or `folder PATH`. */
  readonly place: string;
  /**
   * Resolves when the file is durable; until then it is not read. It may be saved several times.
   * @param name as `isUploadName` accepts it
   */
  save(name: string, content: Buffer): Promise<void>;
  /** Returns null if there is no such file. */
  read(name: string): Promise<Buffer | null>;
  /** Does nothing if there is no such file. */
  delete(name: string): Promise<void>;
  /** Names in ascending order. */
  list(): Promise<string[]>;
}

/** Returns whether uploads get such names. */
export const isUploadName = (name: string): boolean =>
  /^[0-9a-f]{32}\.(?:png|jpg|gif|webp)$/.test(name);

/**
 * The files of a service. They are saved in the first store, and are read from the others as well,
 * where an earlier configuration or a restored backup left them.
 */
export class ServiceFiles implements FileStore {
  /** @param stores the configured one first */
  constructor(readonly stores: readonly [FileStore, ...(readonly FileStore[])]) {}

  get place(): string {
    return this.stores[0].place;
  }

  save(name: string, content: Buffer): Promise<void> {
    return this.stores[0].save(name, content);
  }

  async read(name: string): Promise<Buffer | null> {
    // The first one again: the file may be moved there between the reads.
    for (const store of [...this.stores, this.stores[0]]) {
      const content = await store.read(name);
      if (content !== null) return content;
    }
    return null;
  }

  async delete(name: string): Promise<void> {
    for (const store of this.stores) await store.delete(name);
  }

  async list(): Promise<string[]> {
    const names = await Promise.all(this.stores.map((store) => store.list()));
    return [...new Set(names.flat())].sort();
  }
}
