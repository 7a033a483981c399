import type { Collection } from '../catalog/collection';
import { StoreError, unsupported } from '../errors';
import type { ReadView, WriteView } from '../storage/views';
import type { Store } from '../store';
import type { CommandTimer } from '../time-slices';
import type { SessionFields } from '../transactions/sessions';
import type { Transaction } from '../transactions/transaction';
import { toDouble } from '../values/compare';
import { isDocument, isNumeric } from '../values/values';
import type { Doc } from '../values/values';
import type { Reply } from '../wire/messages';

/** A command in execution. */
export interface Context {
  readonly store: Store;
  readonly name: string;
  readonly database: string;
  readonly command: Doc;
  readonly session: SessionFields;
  readonly transaction?: Transaction;
  readonly timer: CommandTimer;
}

/** Splits a list of names. */
export const words = (text: string): string[] => text.split(' ');

export interface Command {
  /** Supported options; others are rejected, so that nothing is ignored silently. */
  readonly options: readonly string[] | 'any';
  /** Allowed in a multi-statement transaction. */
  readonly transactional?: boolean;
  /** A retryable write, which must not be executed twice. */
  readonly retryable?: boolean;
  run(context: Context): Promise<Reply>;
}

/** Returns `database.collection` of a command such as `{ find: 'users' }`. */
export function namespaceOf({ database, command, name }: Context): string {
  const collection = command[name];
  if (typeof collection !== 'string') throw unsupported(`${name} without a collection is`);
  return requireNamespace(database, collection);
}

export function requireNamespace(database: string, collection: string): string {
  if (!/^[^/\\. "$\0]{1,63}$/.test(database))
    throw new StoreError('InvalidNamespace', `Invalid database name: '${database}'`);
  if (collection === '' || collection.startsWith('.') || /[$\0]/.test(collection))
    throw new StoreError('InvalidNamespace', `Invalid collection name: '${collection}'`);
  if (collection.startsWith('system.')) throw unsupported(`the collection ${collection} is`);
  return `${database}.${collection}`;
}

/** Returns the view to read from and the collection, if it exists. */
export function openForReading(
  { store, transaction }: Context,
  namespace: string,
): { readonly view: () => ReadView; readonly collection: Collection | undefined } {
  const collection = store.catalog.get(namespace);
  const view = (): ReadView => {
    requireSameIndexes(collection, store.catalog.get(namespace));
    return transaction === undefined ? store.kv.committed : transaction.view;
  };
  transaction?.use(namespace);
  return { view, collection };
}

/** Fails if the collection or an index was dropped: continuing would silently skip documents. */
function requireSameIndexes(before: Collection | undefined, now: Collection | undefined): void {
  if (before === now || before === undefined) return;
  const isUnchanged =
    now?.id === before.id &&
    before.indexes.every((index) => now.indexes.some(({ id }) => id === index.id));
  if (!isUnchanged)
    throw new StoreError(
      'QueryPlanKilled',
      `${before.namespace} or one of its indexes was dropped while it was read`,
    );
}

/** Whether a command adds documents, and creates their collection, or only changes and deletes documents. */
export type WriteKind = 'creates' | 'changes';

const DROPPED = Symbol('dropped in between');

/**
 * Runs a writer in the transaction of the command, or in its own commit. For `creates`, creates a
 * missing collection first, outside of any transaction; within one this is rejected.
 */
export async function runWriter<T>(
  { store, transaction }: Context,
  namespace: string,
  kind: WriteKind,
  write: (view: WriteView, collection: Collection | undefined) => T,
  overridesLocks = false,
): Promise<T> {
  if (transaction !== undefined) {
    transaction.use(namespace);
    const collection = store.catalog.get(namespace);
    if (collection === undefined && kind === 'creates') {
      throw unsupported(
        `creating the collection ${namespace} inside a transaction (create it before) is`,
        'OperationNotSupportedInTransaction',
      );
    }
    return write(transaction.view, collection);
  }
  for (;;) {
    if (kind === 'creates') await store.catalog.ensure(namespace);
    const result = await store.kv.write(
      (view) => {
        const collection = store.catalog.get(namespace);
        return collection === undefined && kind === 'creates'
          ? DROPPED
          : { value: write(view, collection) };
      },
      { reserve: store.necessary, overridesLocks },
    );
    if (result !== DROPPED) return result.value;
  }
}

export function documentOption(command: Doc, option: string): Doc | undefined {
  const value = command[option];
  if (value === undefined) return undefined;
  if (!isDocument(value)) throw new StoreError('TypeMismatch', `"${option}" must be an object`);
  return value;
}

export function documentsOption(command: Doc, option: string): Doc[] {
  const value = arrayOption(command, option);
  if (!value.every(isDocument))
    throw new StoreError('TypeMismatch', `"${option}" must be an array of objects`);
  return value;
}

export function arrayOption(command: Doc, option: string): unknown[] {
  const value = command[option];
  if (!Array.isArray(value)) throw new StoreError('TypeMismatch', `"${option}" must be an array`);
  return value;
}

/** Returns `otherwise` if missing. Accepts numbers like MongoDB. */
export function flagOption(command: Doc, option: string, otherwise = false): boolean {
  const value = command[option];
  if (value === undefined) return otherwise;
  if (typeof value === 'boolean') return value;
  if (isNumeric(value)) return toDouble(value) !== 0;
  throw new StoreError('TypeMismatch', `"${option}" must be a boolean`);
}

/** Reads a count option such as `limit`. */
export function countOption(command: Doc, option: string, otherwise = 0): number {
  const value = command[option];
  if (value === undefined || value === null) return otherwise;
  const number = Number(value);
  if (!Number.isFinite(number))
    throw new StoreError('TypeMismatch', `"${option}" must be a number`);
  if (number < 0)
    throw new StoreError(
      51024,
      `BSON field '${option}' value must be >= 0, actual value '${number}'`,
    );
  return Math.floor(number);
}

/** Index requested by the client, by name or key. */
export function hintOption(command: Doc): string | Doc | undefined {
  const { hint } = command;
  if (hint === undefined || (isDocument(hint) && Object.keys(hint).length === 0)) return undefined;
  if (typeof hint !== 'string' && !isDocument(hint))
    throw new StoreError('FailedToParse', 'Hint must be a string or an object');
  return hint;
}

const EFFECTIVE_OPTIONS = words(
  'min max returnKey showRecordId tailable awaitData noCursorTimeout explain bypassDocumentValidation sampleRate',
);

/** Rejects options that would have an effect. */
export function rejectUnsupportedOptions(command: Doc, commandName: string): void {
  const collation = command.collation as Doc | undefined;
  if (collation != null && collation.locale !== 'simple')
    throw unsupported(`a collation other than simple (${commandName}) is`);
  if (isDocument(command.let) && Object.keys(command.let).length > 0)
    throw unsupported(`"let" (${commandName}) is`);
  for (const option of EFFECTIVE_OPTIONS) {
    const value = command[option];
    if (
      value !== undefined &&
      value !== false &&
      !(isDocument(value) && Object.keys(value).length === 0)
    )
      throw unsupported(`"${option}" (${commandName}) is`);
  }
}
