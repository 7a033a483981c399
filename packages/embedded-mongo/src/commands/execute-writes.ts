import type { Collection } from '../catalog/collection';
import { StoreError } from '../errors';
import { runQuery } from '../query/run-query';
import { KeyLockedError } from '../storage/key-locks';
import type { LockHolder } from '../storage/key-locks';
import type { WriteView } from '../storage/views';
import { TimeSlice } from '../time-slices';
import type { Doc } from '../values/values';
import {
  MatchKeys,
  NO_CHANGE,
  addResults,
  continueStatement,
  startStatement,
} from '../write/statement';
import type { Progress, Statement, WriteResult } from '../write/statement';
import { insertDocument } from '../write/write-document';
import { flagOption, namespaceOf, openForReading, runWriter } from './context';
import type { Context, WriteKind } from './context';

/** A statement of a command, a document to insert, or the error of an invalid statement. */
export type Task = Statement | { readonly insert: Doc } | StoreError;

/** How long a writer waits for a conflicting transaction; then it writes, and the transaction fails. */
const LOCK_WAIT_MS = 5_000;
/** Maximum delay before a retry of a statement whose document changed before it was written. */
const MAX_RETRY_DELAY_MS = 100;
/** Maximum length of error texts in one reply; like MongoDB, further errors have no text. */
const MAX_ERROR_TEXT_LENGTH = 1_000_000;

/**
 * Executes the statements of a command in order. Each document is changed atomically, and other
 * commands may run in between, so that a large command makes many small commits. With `ordered`
 * (the default), the first failure ends it.
 * @throws StoreError ends the command: conflict in a transaction, or timeout
 */
export async function executeAll(
  context: Context,
  kind: WriteKind,
  tasks: readonly Task[],
  onResult: (index: number, result: WriteResult) => void,
): Promise<{ writeErrors?: Doc[] }> {
  const errors = new WriteErrors();
  const isOrdered = flagOption(context.command, 'ordered', true);
  const writer = new LockWaitingWriter(context, kind);
  for (let next = 0; next < tasks.length;) {
    const { completed, started } = await writer.write((view, collection) =>
      runSlice(tasks, next, isOrdered, view, collection),
    );
    const all =
      started === undefined
        ? completed
        : [...completed, await complete(context, writer, started.statement, started.progress)];
    for (const [at, { result, failure }] of all.entries()) {
      if (failure === undefined) onResult(next + at, result);
      else errors.add(next + at, failure);
    }
    next += all.length;
    if (isOrdered && all.at(-1)?.failure !== undefined) break;
    if (next < tasks.length) await context.timer.yieldIfDue();
  }
  return errors.reply;
}

/** Executes one statement. @throws StoreError also what would be in `writeErrors` */
export async function executeOne(
  context: Context,
  kind: WriteKind,
  statement: Statement,
): Promise<WriteResult> {
  const writer = new LockWaitingWriter(context, kind);
  let progress: Progress;
  do
    progress = await writer.write((view, collection) =>
      attempt(collection, (existing) => startStatement(view, existing, statement, new TimeSlice())),
    );
  while (progress.lockedBy !== undefined && progress.remaining === undefined);
  const { result, failure } = await complete(context, writer, statement, progress);
  if (failure !== undefined) throw failure;
  return result;
}

interface SliceResult {
  readonly completed: readonly Progress[];
  /** The next statement, if it has started but not completed. */
  readonly started?: { readonly statement: Statement; readonly progress: Progress };
  readonly lockedBy?: LockHolder;
}

/** Executes at least one statement, and more while the time slice lasts. */
function runSlice(
  tasks: readonly Task[],
  from: number,
  isOrdered: boolean,
  view: WriteView,
  collection: Collection | undefined,
): SliceResult {
  const slice = new TimeSlice();
  const completed: Progress[] = [];
  for (let index = from; index < tasks.length && (index === from || !slice.isOver()); index++) {
    const task = tasks[index];
    const progress = attempt(collection, (existing) => runTask(task, view, existing, slice));
    const { lockedBy } = progress;
    if (progress.remaining !== undefined)
      return { completed, started: { statement: task as Statement, progress }, lockedBy };
    if (lockedBy !== undefined) return { completed, lockedBy };
    completed.push(progress);
    if (isOrdered && progress.failure !== undefined) break;
  }
  return { completed };
}

function runTask(task: Task, view: WriteView, collection: Collection, slice: TimeSlice): Progress {
  if (task instanceof StoreError) throw task;
  if (!('insert' in task)) return startStatement(view, collection, task, slice);
  insertDocument(view, collection, task.insert);
  return { result: { matched: 1, modified: 0 } };
}

/** Returns statement errors as a result; throws errors that end the command. */
function attempt(
  collection: Collection | undefined,
  write: (existing: Collection) => Progress,
): Progress {
  if (collection === undefined) return { result: NO_CHANGE };
  try {
    return write(collection);
  } catch (error) {
    if (error instanceof KeyLockedError) return { result: NO_CHANGE, lockedBy: error.by };
    if (!(error instanceof StoreError) || error.labels !== undefined) throw error;
    return { result: NO_CHANGE, failure: error };
  }
}

/**
 * Completes a statement that did not fit into one time slice. Another command may insert the
 * document of an upsert after the search, so the upsert searches once more, as in MongoDB.
 */
async function complete(
  context: Context,
  writer: LockWaitingWriter,
  statement: Statement,
  started: Progress,
): Promise<Progress> {
  if (started.remaining !== 'unknown') return changeRemaining(context, writer, statement, started);
  let isFirstUpsert = true;
  for (let delayMs = 0; ; delayMs = Math.min(MAX_RETRY_DELAY_MS, delayMs + 1)) {
    await context.timer.sleep(delayMs);
    const idKeys = await findKeys(context, statement);
    const progress =
      idKeys.length > 0
        ? await changeRemaining(context, writer, statement, {
            result: NO_CHANGE,
            remaining: { idKeys, from: 0 },
          })
        : await writer.write((view, collection) =>
            attempt(collection, (existing) => ({
              result: statement.changeWithoutMatch(view, existing),
            })),
          );
    const { failure, lockedBy, result } = progress;
    if (isFirstUpsert && idKeys.length === 0 && failure?.codeName === 'DuplicateKey') {
      isFirstUpsert = false;
      continue;
    }
    const hasLostMatch = statement.query.limit === 1 && idKeys.length > 0 && result.matched === 0;
    if (failure !== undefined || (!hasLostMatch && lockedBy === undefined)) return progress;
  }
}

async function findKeys(context: Context, { query }: Statement): Promise<readonly Buffer[]> {
  const { view, collection } = openForReading(context, namespaceOf(context));
  const keys = new MatchKeys();
  await context.timer.forEach(runQuery(view, collection, query), keys.add);
  return keys.idKeys;
}

async function changeRemaining(
  context: Context,
  writer: LockWaitingWriter,
  statement: Statement,
  started: Progress,
): Promise<Progress> {
  let progress = started;
  while (typeof progress.remaining === 'object') {
    const { result, remaining } = progress;
    await context.timer.yieldIfDue();
    const next = await writer.write((view, collection) =>
      attempt(collection, (existing) =>
        continueStatement(view, existing, statement, remaining, new TimeSlice()),
      ),
    );
    progress = { ...next, result: addResults(result, next.result) };
  }
  return progress;
}

/** Writer of one command. Waits for a conflicting transaction; if it does not end in time, overrides its locks. */
class LockWaitingWriter {
  private overridesLocks = false;

  constructor(
    private readonly context: Context,
    private readonly kind: WriteKind,
  ) {}

  async write<T extends { readonly lockedBy?: LockHolder }>(
    write: (view: WriteView, collection: Collection | undefined) => T,
  ): Promise<T> {
    const { context, kind, overridesLocks } = this;
    const result = await runWriter(context, namespaceOf(context), kind, write, overridesLocks);
    if (result.lockedBy !== undefined) {
      let hasEnded = false;
      const ended = result.lockedBy.ended.then(() => void (hasEnded = true));
      await context.timer.waitFor(ended, LOCK_WAIT_MS);
      this.overridesLocks = !hasEnded;
    }
    return result;
  }
}

class WriteErrors {
  private readonly errors: Doc[] = [];
  private textLength = 0;

  add(index: number, { code, message, extra }: StoreError): void {
    this.textLength += message.length;
    const text =
      this.textLength > MAX_ERROR_TEXT_LENGTH ? { errmsg: '' } : { errmsg: message, ...extra };
    this.errors.push({ index, code, ...text });
  }

  get reply(): { writeErrors?: Doc[] } {
    return this.errors.length === 0 ? {} : { writeErrors: this.errors };
  }
}
