import type { ClientSession, Model, PipelineStage, ProjectionType } from 'mongoose';
import type {
  Filter,
  Update,
  Pipeline,
  FindOne,
  Find,
  ByIds,
  Each,
  Count,
  ChangeOptions,
  UpdateOfOne,
  UpdateOptions,
  Changed,
} from './collection-options';
import { RecordChanged } from './later-writes';
import { idOfFilter } from './record-memory';
import type { RawDocument, RecordId, RecordMemory, RecordSource } from './record-memory';
import type { RecordSchema } from './schema';
import { copyFields, copySomeFields } from './stored-fields';
import type { FieldCopies } from './stored-fields';
import type { Tx } from './transaction';

export type { Filter, Pipeline, Update } from './collection-options';
export { RecordChanged, unlessChanged } from './later-writes';

interface CollectionParts {
  /** Of records by id; null: all are read from the store. */
  readonly memory: RecordMemory | null;
  /** Of lists and counts. */
  readonly listMemory: RecordMemory | null;
  /** Each write is part of a transaction that tells other processes; null: none have to know. */
  readonly transactions: { transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> } | null;
}

/**
 * The records of one kind: all features read and write through it. Records are plain objects, and
 * frozen when they come from memory. Reads outside of a transaction may come from memory, where
 * they are never older than the last commit.
 */
export class Collection<R> {
  private readonly memory: RecordMemory | null;
  private readonly listMemory: RecordMemory | null;
  private readonly transactions: CollectionParts['transactions'];

  constructor(
    private readonly model: Model<R>,
    parts: CollectionParts,
  ) {
    ({ memory: this.memory, listMemory: this.listMemory, transactions: this.transactions } = parts);
  }

  /** Name of the records in cursors of lists. */
  get recordName(): string {
    return this.model.modelName;
  }

  get name(): string {
    return this.model.collection.name;
  }

  get schema(): RecordSchema<R> {
    return this.model.schema as RecordSchema<R>;
  }

  async byId(id: IdOf<R>, tx?: Tx): Promise<R | null> {
    if (!tx) return this.findOne({ _id: id });
    const session = await sessionOf(tx);
    return this.model.collection.findOne({ _id: id } as object, { session }) as Promise<R | null>;
  }

  /** Reads records by id in one query; returns them in the given order, null for missing ones. */
  async byIds(
    ids: readonly IdOf<R>[],
    { within, ...options }: ByIds<R> = {},
  ): Promise<(R | null)[]> {
    if (this.memory && !options.tx && !within) {
      const source = this.sourceOf(options.fields);
      return this.memory.records<R>(source, ids as readonly RecordId[], (missing) =>
        this.readRaw({ _id: { $in: missing } }, { projection: source.fields }),
      );
    }
    const filter = { ...within, _id: { $in: [...new Set(ids)] } } as Filter<R>;
    const records = await this.find(filter, options);
    const byId = new Map(records.map((record) => [(record as { _id: unknown })._id, record]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /** @typeParam T what is read of each record, if `fields` is set */
  async find<T = R>(
    filter: Filter<R> = {},
    { tx, fields, ...options }: Find<R> = {},
  ): Promise<T[]> {
    if (!this.listMemory || tx) {
      const session = await sessionOf(tx);
      return this.model
        .find(filter, fields, { ...options, session })
        .lean<T[]>()
        .exec();
    }
    const source = this.sourceOf(fields);
    return this.listMemory.list<T>(source, [filter, options], async () =>
      this.readRaw(this.model.find(filter).cast(this.model) as object, {
        ...options,
        projection: source.fields,
      }),
    );
  }

  async findOne<T = R>(filter: Filter<R>, options: FindOne<R> = {}): Promise<T | null> {
    const { tx, fields } = options;
    const id = this.memory && !tx ? idOfFilter(filter) : undefined;
    const [first = null] =
      id === undefined
        ? await this.find<T>(filter, { ...options, limit: 1 })
        : await this.byIds([id as IdOf<R>], { fields });
    return first as T | null;
  }

  /** Reads records one after the other, so that not all are in memory. Filters are not cast. */
  async *each<T = R>(
    filter: Filter<R>,
    { tx, fields: projection, ...options }: Each<R>,
  ): AsyncIterable<T> {
    const session = await sessionOf(tx);
    yield* this.model.collection.find(filter as object, {
      ...options,
      projection: projection as object | undefined,
      session,
    }) as AsyncIterable<unknown> as AsyncIterable<T>;
  }

  /**
   * Returns a function that tells whether a record did not change since this call. It never does for
   * records that are not remembered.
   */
  watch(id: IdOf<R>): () => boolean {
    return this.memory?.watch(this.name, id as RecordId) ?? (() => false);
  }

  async exists(filter: Filter<R>, tx?: Tx): Promise<boolean> {
    return (await this.findOne(filter, { fields: { _id: 1 } as ProjectionType<R>, tx })) !== null;
  }

  count(filter: Filter<R> = {}, { tx, ...options }: Count = {}): Promise<number> {
    return this.remembered(['count', filter, options], tx, async () => {
      const session = await sessionOf(tx);
      return this.model.countDocuments(filter, { ...options, session }).exec();
    });
  }

  /** Number of all records, as the store knows it without counting. */
  size(): Promise<number> {
    return this.remembered(['size'], undefined, () => this.model.estimatedDocumentCount().exec());
  }

  /** Runs all pipelines in one call of the store; returns the results of one after the other. */
  async aggregate<T = R>([first, ...others]: readonly Pipeline[]): Promise<T[]> {
    if (!first) return [];
    const union = others.map((pipeline) => ({ $unionWith: { coll: this.name, pipeline } }));
    return this.model.aggregate<T>([...first, ...union] as PipelineStage[]).exec();
  }

  /**
   * Inserts a record. Returns it as stored, with defaults of missing fields.
   * @throws TypeError a field is unknown, missing or has another type
   */
  async insert(record: R & object, tx?: Tx): Promise<R> {
    const stored = copyFields(this.copies, record);
    await this.write(idsOf([stored]), tx, (session) =>
      this.model.collection.insertOne(stored, { session, ignoreUndefined: true }),
    );
    return stored as R;
  }

  /** As `insert`, at the latest with the commit. */
  insertLater(record: R & object, tx: Tx): R {
    const stored = copyFields(this.copies, record);
    this.note(idsOf([stored]), tx);
    tx.later.insert(this.model.collection, stored);
    return stored as R;
  }

  /**
   * Outside of a transaction, a record that cannot be inserted does not keep the others out, except
   * in collections whose writes other processes have to know.
   * @throws TypeError see `insert`
   */
  async insertMany(records: readonly (R & object)[], tx?: Tx): Promise<void> {
    if (records.length === 0) return;
    const stored = records.map((record) => copyFields(this.copies, record));
    await this.write(idsOf(stored), tx, (session) =>
      this.model.collection.insertMany(stored, {
        ordered: session !== undefined,
        session,
        ignoreUndefined: true,
      }),
    );
  }

  /**
   * Sets some fields of a record (undefined: unchanged). Returns the stored record.
   * @throws RecordChanged it does not exist or is not as expected
   */
  async change(
    id: IdOf<R>,
    set: Partial<Omit<R, '_id'>>,
    tx: Tx,
    { removed = [], expected }: ChangeOptions<R> = {},
  ): Promise<R> {
    const stored = await this.write([id as RecordId], tx, (session) =>
      this.model.collection.findOneAndUpdate(
        { ...expected, _id: id } as object,
        this.updateOf(set, removed),
        { session, returnDocument: 'after', ignoreUndefined: true },
      ),
    );
    if (!stored)
      throw new RecordChanged(`Record ${String(id)} of ${this.name} is not as expected.`);
    return stored as unknown as R;
  }

  /**
   * Sets some fields of a record that matches `filter`, at the latest with the commit, which fails
   * with `RecordChanged` if none does.
   * @param filter not cast; undefined: the field is missing
   */
  changeLater(
    filter: Readonly<Partial<R>>,
    set: Partial<Omit<R, '_id'>>,
    tx: Tx,
    { removed = [] }: Pick<ChangeOptions<R>, 'removed'> = {},
  ): void {
    const conditions = Object.entries(filter).map(([name, value]) => [
      name,
      value === undefined ? { $exists: false } : value,
    ]);
    this.note(idsIn(filter), tx);
    tx.later.update(this.model.collection, {
      filter: Object.fromEntries(conditions) as object,
      update: this.updateOf(set, removed),
    });
  }

  /** One `updateOne`, at the latest with the commit. Filter and update are not cast. */
  updateLater({ filter, update, ...options }: UpdateOfOne<R> & UpdateOptions, tx: Tx): void {
    this.note(idsIn(filter), tx);
    tx.later.update(this.model.collection, { ...options, filter, update });
  }

  /** Returns the number of records that match: 0 or 1. */
  async updateOne(filter: Filter<R>, update: Update<R>, tx?: Tx): Promise<number> {
    const { matchedCount } = await this.write(idsIn(filter), tx, (session) =>
      this.model.updateOne(filter, update, { session }),
    );
    return matchedCount;
  }

  /** As `updateOne`; inserts a record if none matches. */
  async upsert(filter: Filter<R>, update: Update<R>, tx?: Tx): Promise<void> {
    await this.write(idsIn(filter), tx, (session) =>
      this.model.updateOne(filter, update, { session, upsert: true }),
    );
  }

  /** Returns the number of records that match. */
  async updateMany(filter: Filter<R>, update: Update<R>, tx?: Tx): Promise<number> {
    const { matchedCount } = await this.write(idsIn(filter), tx, (session) =>
      this.model.updateMany(filter, update, { session }),
    );
    return matchedCount;
  }

  /** Several `updateOne` in one call of the store. */
  async updateEach(
    updates: readonly (UpdateOfOne<R> & Pick<UpdateOptions, 'upsert'>)[],
    tx?: Tx,
  ): Promise<void> {
    const ids = updates.map(({ filter }) => idsIn(filter));
    await this.write(ids.includes(null) ? null : ids.flatMap((some) => some ?? []), tx, (session) =>
      this.model.bulkWrite(
        updates.map((updateOne) => ({ updateOne })) as Parameters<Model<R>['bulkWrite']>[0],
        { session },
      ),
    );
  }

  /** Updates the first record that matches, and returns it as it is then. */
  async findOneAndUpdate<T = R>(
    filter: Filter<R>,
    update: Update<R>,
    { tx, fields, sort, before = false }: Changed<R> = {},
  ): Promise<T | null> {
    return this.write(idsIn(filter), tx, (session) =>
      this.model
        .findOneAndUpdate(filter, update, {
          session,
          projection: fields ?? undefined,
          sort,
          returnDocument: before ? 'before' : 'after',
        })
        .lean<T | null>()
        .exec(),
    );
  }

  /** Returns the number of deleted records: 0 or 1. */
  async deleteOne(filter: Filter<R>, tx?: Tx): Promise<number> {
    const { deletedCount } = await this.write(idsIn(filter), tx, (session) =>
      this.model.deleteOne(filter as never, { session }),
    );
    return deletedCount;
  }

  /** Returns the number of deleted records. */
  async deleteMany(filter: Filter<R>, tx?: Tx): Promise<number> {
    const { deletedCount } = await this.write(idsIn(filter), tx, (session) =>
      this.model.deleteMany(filter, { session }),
    );
    return deletedCount;
  }

  async findOneAndDelete(filter: Filter<R>, tx?: Tx): Promise<R | null> {
    return this.write(idsIn(filter), tx, (session) =>
      this.model.findOneAndDelete(filter, { session }).lean<R | null>().exec(),
    );
  }

  /** @param ids of the records that may change; null: any of them */
  private async write<T>(
    ids: readonly RecordId[] | null,
    tx: Tx | undefined,
    work: (session: ClientSession | undefined) => PromiseLike<T>,
  ): Promise<T> {
    if (this.transactions && !tx)
      return this.transactions.transaction((own) => this.write(ids, own, work));
    this.note(ids, tx);
    return work(await sessionOf(tx));
  }

  private note(ids: readonly RecordId[] | null, tx: Tx | undefined): void {
    if (this.transactions) tx?.changed.add(this.name, ids);
  }

  private updateOf(set: Partial<Omit<R, '_id'>>, removed: readonly string[]): object {
    const unset = Object.fromEntries(removed.map((field) => [field, 1]));
    return {
      $set: copySomeFields(this.copies, set),
      ...(removed.length > 0 && { $unset: unset }),
    };
  }

  private get copies(): FieldCopies {
    return this.schema.copies;
  }

  private remembered<T>(
    operation: readonly unknown[],
    tx: Tx | undefined,
    read: () => Promise<T>,
  ): Promise<T> {
    return this.listMemory && !tx ? this.listMemory.result(this.name, operation, read) : read();
  }

  private sourceOf(fields: ProjectionType<R> | null | undefined): RecordSource {
    return { collection: this.name, fields: (fields as object | null | undefined) ?? null };
  }

  private readRaw(filter: object, options: object): Promise<RawDocument[]> {
    const rawOptions = { ...options, raw: true };
    return this.model.collection.find<RawDocument & object>(filter, rawOptions).toArray();
  }
}

type IdOf<R> = R extends { readonly _id: infer Id } ? Id : never;

/** The session of a transaction whose earlier writes were sent. */
async function sessionOf(tx: Tx | undefined): Promise<ClientSession | undefined> {
  await tx?.later.send();
  return tx?.session;
}

const idsOf = (records: readonly object[]): RecordId[] =>
  records.map((record) => (record as { _id: RecordId })._id);

/** Returns the ids that a filter names; null if it may match others. */
function idsIn(filter: object): readonly RecordId[] | null {
  const { _id: id } = filter as { readonly _id?: unknown };
  if (typeof id === 'number' || typeof id === 'string') return [id];
  const ids = (id as { readonly $in?: unknown } | null | undefined)?.$in;
  return Array.isArray(ids) ? (ids as RecordId[]) : null;
}
