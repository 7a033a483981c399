import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { createCache } from '../../platform/cache';
import type { Contained } from '../../platform/contained/tasks';
import type { Collection } from '../../platform/store/collection';
import type { Store, Tx } from '../../platform/store/store';
import { bytesOf } from '../../platform/store/stored-bytes';
import type { StoredBytes } from '../../platform/store/stored-bytes';
import type { InvokerDefinition } from './invoker';
import type { InvokerTasks } from './invoker-tasks';
import { sourceSchema } from './invoker.model';
import type { SourceRecord, SourceRef } from './invoker.model';

/** Approximate size of a definition in memory for each byte of its XML. */
const MEMORY_FACTOR = 8;

const expand = promisify(inflate);

/** Stores compressed XML, which is never changed, and caches its parsed definitions. */
export class InvokerSources {
  private readonly sources: Collection<SourceRecord>;
  private readonly definitions = createCache<Promise<InvokerDefinition>>('invokerDefinitions');

  constructor(
    store: Store,
    private readonly contained: Contained<InvokerTasks>,
  ) {
    this.sources = store.collection<SourceRecord>('InvokerSource', sourceSchema, 'invoker_sources');
  }

  async write(record: SourceRecord, tx: Tx): Promise<void> {
    await this.sources.insert(record, tx);
  }

  async remove({ id }: SourceRef, tx: Tx): Promise<void> {
    await this.sources.deleteOne({ _id: id }, tx);
  }

  /** Returns the text, or null if it was replaced or deleted. */
  async read({ id }: SourceRef, tx?: Tx): Promise<string | null> {
    const source = await this.sources.findOne<{ readonly bytes: StoredBytes }>({ _id: id }, { tx });
    return source && (await expand(bytesOf(source.bytes))).toString();
  }

  /**
   * Returns the parsed definition, or null if it was replaced or deleted. Concurrent callers share
   * one read.
   * @param tx the transaction that wrote it
   */
  async definition(ref: SourceRef, tx?: Tx): Promise<InvokerDefinition | null> {
    const cached = this.definitions.get(ref.id);
    if (cached) return cached;
    const text = await this.read(ref, tx);
    if (text === null) return null;
    const reading = this.definitions.get(ref.id) ?? this.define(text);
    this.definitions.set(ref.id, reading, { size: Math.max(1, ref.bytes * MEMORY_FACTOR) });
    reading.catch(() => this.definitions.delete(ref.id));
    return reading;
  }

  /** Transferred as JSON. */
  private async define(text: string): Promise<InvokerDefinition> {
    const options = { size: text.length, isPatient: true };
    const json = await this.contained.run('invokerDefinition', text, options);
    return JSON.parse(json.toString()) as InvokerDefinition;
  }
}
