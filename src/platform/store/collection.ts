import type { Model, PipelineStage, ProjectionType, QueryFilter, UpdateQuery } from 'mongoose';
import { idOfFilter } from './record-memory';
import type { RawDocument, RecordId, RecordMemory, RecordSource } from './record-memory';
import type { RecordSchema } from './schema';
import { copyFields, copySomeFields } from './stored-fields';
import type { FieldCopies } from './stored-fields';
import type { Tx } from './transaction';

/** Conditions on the fields of a record. Unknown fields are rejected. */
export type Filter<R> = QueryFilter<R>;

export type Update<R> = UpdateQuery<R>;

export type Pipeline = readonly PipelineStage[];

type Keys = Readonly<Record<string, 1 | -1>>;

interface FieldsOf<R> {
  readonly tx?: Tx;
  /** Fields to read: `{ title: 1 }`, or all but some: `{ content: 0 }`. Default: all. */
  readonly fields?: ProjectionType<R> | null;
}

interface FindOne<R> extends FieldsOf<R> {
  readonly sort?: Keys;
}

interface Find<R> extends FindOne<R> {
  readonly skip?: number;
  readonly limit?: number;
  /** Index to use. */
  readonly hint?: Keys;
}

interface ByIds<R> extends FieldsOf<R> {
  /** Records that do not match this filter are treated as missing. */
  readonly within?: Readonly<Record<string, unknown>>;
}

interface Each<R> extends FindOne<R> {
  /** Records that are read from the store at once. */
  readonly batchSize: number;
}

interface Count {
  readonly tx?: Tx;
  readonly limit?: number;
  readonly hint?: Keys;
}

interface ChangeOptions<R> {
  /** Fields to remove. */
  readonly removed?: readonly (keyof R & string)[];
  /** Values that the record must have. */
  readonly expected?: Partial<Omit<R, '_id'>>;
}

interface Changed<R> extends FindOne<R> {
  /** Returns the record as it was before. */
  readonly before?: boolean;
}

/** A record was changed or deleted since it was read. */
export class RecordChanged extends Error {}

/**
 * The records of one kind: all features read and write through it. Records are plain objects, and
 * frozen when they come from memory. Reads outside of a transaction may come from memory, where
 * they are never older than the last commit.
 */
export class Collection<R> {
  /**
   * @param memory of records by id; null: all are read from the store
   * @param listMemory of lists and counts
   */
  constructor(
    private readonly model: Model<R>,
    private readonly memory: RecordMemory | null,
    private readonly listMemory: RecordMemory | null,
  ) {}

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

  byId(id: IdOf<R>, tx?: Tx): Promise<R | null> {
    if (!tx) return this.findOne({ _id: id });
    const { session } = tx;
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
  find<T = R>(filter: Filter<R> = {}, { tx, fields, ...options }: Find<R> = {}): Promise<T[]> {
    if (!this.listMemory || tx)
      return this.model
        .find(filter, fields, { ...options, session: tx?.session })
        .lean<T[]>()
        .exec();
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
  each<T = R>(
    filter: Filter<R>,
    { tx, fields: projection, ...options }: Each<R>,
  ): AsyncIterable<T> {
    return this.model.collection.find(filter as object, {
      ...options,
      projection: projection as object | undefined,
      session: tx?.session,
    }) as AsyncIterable<unknown> as AsyncIterable<T>;
  }

  /**
   * Returns a function that tells whether a record did not change since this call; null if the store
   * does not tell.
   */
  watch(id: IdOf<R>): (() => boolean) | null {
    return this.memory && this.memory.watch(this.name, id as RecordId);
  }

  async exists(filter: Filter<R>, tx?: Tx): Promise<boolean> {
    return (await this.findOne(filter, { fields: { _id: 1 } as ProjectionType<R>, tx })) !== null;
  }

  count(filter: Filter<R> = {}, { tx, ...options }: Count = {}): Promise<number> {
    return this.remembered(['count', filter, options], tx, () =>
      this.model.countDocuments(filter, { ...options, session: tx?.session }).exec(),
    );
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
    await this.model.collection.insertOne(stored, { session: tx?.session, ignoreUndefined: true });
    return stored as R;
  }

  /**
   * Outside of a transaction, a record that cannot be inserted does not keep the others out.
   * @throws TypeError see `insert`
   */
  async insertMany(records: readonly (R & object)[], tx?: Tx): Promise<void> {
    if (records.length > 0)
      await this.model.collection.insertMany(
        records.map((record) => copyFields(this.copies, record)),
        { ordered: tx !== undefined, session: tx?.session, ignoreUndefined: true },
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
    const unset = Object.fromEntries(removed.map((field) => [field, 1]));
    const stored = await this.model.collection.findOneAndUpdate(
      { ...expected, _id: id } as object,
      { $set: copySomeFields(this.copies, set), ...(removed.length > 0 && { $unset: unset }) },
      { session: tx.session, returnDocument: 'after', ignoreUndefined: true },
    );
    if (!stored)
      throw new RecordChanged(`Record ${String(id)} of ${this.name} is not as expected.`);
    return stored as unknown as R;
  }

  /** Returns the number of records that match: 0 or 1. */
  async updateOne(filter: Filter<R>, update: Update<R>, tx?: Tx): Promise<number> {
    const options = { session: tx?.session };
    return (await this.model.updateOne(filter, update, options)).matchedCount;
  }

  /** As `updateOne`; inserts a record if none matches. */
  async upsert(filter: Filter<R>, update: Update<R>, tx?: Tx): Promise<void> {
    await this.model.updateOne(filter, update, { session: tx?.session, upsert: true });
  }

  /** Returns the number of records that match. */
  async updateMany(filter: Filter<R>, update: Update<R>, tx?: Tx): Promise<number> {
    return (await this.model.updateMany(filter, update, { session: tx?.session })).matchedCount;
  }

  /** Several `updateOne` in one call of the store. */
  async updateEach(
    updates: readonly {
      readonly filter: Filter<R>;
      readonly update: Update<R>;
      readonly upsert?: boolean;
    }[],
    tx?: Tx,
  ): Promise<void> {
    await this.model.bulkWrite(
      updates.map((updateOne) => ({ updateOne })) as Parameters<Model<R>['bulkWrite']>[0],
      { session: tx?.session },
    );
  }

  /** Updates the first record that matches, and returns it as it is then. */
  findOneAndUpdate<T = R>(
    filter: Filter<R>,
    update: Update<R>,
    { tx, fields, sort, before = false }: Changed<R> = {},
  ): Promise<T | null> {
    return this.model
      .findOneAndUpdate(filter, update, {
        session: tx?.session,
        projection: fields ?? undefined,
        sort,
        returnDocument: before ? 'before' : 'after',
      })
      .lean<T | null>()
      .exec();
  }

  /** Returns the number of deleted records: 0 or 1. */
  async deleteOne(filter: Filter<R>, tx?: Tx): Promise<number> {
    return (await this.model.deleteOne(filter as never, { session: tx?.session })).deletedCount;
  }

  /** Returns the number of deleted records. */
  async deleteMany(filter: Filter<R>, tx?: Tx): Promise<number> {
    return (await this.model.deleteMany(filter, { session: tx?.session })).deletedCount;
  }

  findOneAndDelete(filter: Filter<R>, tx?: Tx): Promise<R | null> {
    return this.model.findOneAndDelete(filter, { session: tx?.session }).lean<R | null>().exec();
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
