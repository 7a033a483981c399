import type { PipelineStage, ProjectionType, QueryFilter, UpdateQuery } from 'mongoose';
import type { LaterUpdate } from './later-writes';
import type { Tx } from './transaction';

/** Conditions on the fields of a record. Unknown fields are rejected. */
export type Filter<R> = QueryFilter<R>;

export type Update<R> = UpdateQuery<R>;

export type Pipeline = readonly PipelineStage[];

export type Keys = Readonly<Record<string, 1 | -1>>;

export interface FieldsOf<R> {
  readonly tx?: Tx;
  /** Fields to read: `{ title: 1 }`, or all but some: `{ content: 0 }`. Default: all. */
  readonly fields?: ProjectionType<R> | null;
}

export interface FindOne<R> extends FieldsOf<R> {
  readonly sort?: Keys;
}

export interface Find<R> extends FindOne<R> {
  readonly skip?: number;
  readonly limit?: number;
  /** Index to use. */
  readonly hint?: Keys;
}

export interface ByIds<R> extends FieldsOf<R> {
  /** Records that do not match this filter are treated as missing. */
  readonly within?: Readonly<Record<string, unknown>>;
}

export interface Each<R> extends FindOne<R> {
  /** Records that are read from the store at once. */
  readonly batchSize: number;
}

export interface Count {
  readonly tx?: Tx;
  readonly limit?: number;
  readonly hint?: Keys;
}

export interface ChangeOptions<R> {
  /** Fields to remove. */
  readonly removed?: readonly (keyof R & string)[];
  /** Values that the record must have. */
  readonly expected?: Partial<Omit<R, '_id'>>;
}

export interface UpdateOfOne<R> {
  readonly filter: Filter<R>;
  readonly update: Update<R>;
}

export type UpdateOptions = Pick<LaterUpdate, 'upsert' | 'isOptional'>;

export interface Changed<R> extends FindOne<R> {
  /** Returns the record as it was before. */
  readonly before?: boolean;
}
