import type { Collection } from '../catalog';
import { Blocked } from '../claims';
import type { Claimant } from '../claims';
import { runQuery } from '../exec';
import { StoreError } from '../semantics/errors';
import type { Doc } from '../semantics/values';
import { Slice } from '../slice';
import { FoundKeys, NOTHING_DONE, begin, goOn, sum } from '../statements';
import type { Done, Insertion, Statement, Step } from '../statements';
import type { WriteView } from '../views';
import { flagOption, namespaceOf, reading, writing } from './context';
import type { Context, WriteKind } from './context';

/** A statement of a command, or the error of an invalid one. */
export type Task = Statement | Insertion | StoreError;

/**
 * How long a writer waits for a conflicting transaction; then it writes, and the transaction fails.
 */
const PATIENCE_MS = 5_000;
/** Maximum delay before a retry of a statement whose document changed before it was written. */
const MAX_RETRY_PAUSE_MS = 100;
/** Maximum length of error texts in one reply; like MongoDB, further errors have no text. */
const MOST_ERROR_TEXT = 1_000_000;

/**
 * Executes the statements of a command in order. Each document is changed atomically, and other
 * commands may run in between, so that a large command makes many small commits. With `ordered`
 * (the default), the first failure ends it. `took` is called with each completed result.
 * @throws StoreError ends the command: conflict in a transaction, or timeout
 */
export async function carryOut(
  context: Context,
  kind: WriteKind,
  tasks: readonly Task[],
  took: (index: number, done: Done) => void,
): Promise<{ writeErrors?: Doc[] }> {
  const failures = new Failures();
  const ordered = flagOption(context.command, 'ordered', true);
  const writer = new PatientWriter(context, kind);
  for (let next = 0; next < tasks.length;) {
    const { ended, rest } = await writer.write((view, collection) =>
      runSlice(tasks, next, ordered, view, collection),
    );
    const steps =
      rest === undefined
        ? ended
        : [...ended, await finish(context, writer, rest.statement, rest.step)];
    for (const [at, { done, failure }] of steps.entries()) {
      if (failure === undefined) took(next + at, done);
      else failures.add(next + at, failure);
    }
    next += steps.length;
    if (ordered && steps.at(-1)?.failure !== undefined) break;
    if (next < tasks.length) await context.pace.pause();
  }
  return failures.reply;
}

/** The same for one statement. @throws StoreError also what would be in `writeErrors` */
export async function carryOutOne(
  context: Context,
  kind: WriteKind,
  statement: Statement,
): Promise<Done> {
  const writer = new PatientWriter(context, kind);
  let step: Step;
  do
    step = await writer.write((view, collection) =>
      attempt(collection, (present) => begin(view, present, statement, new Slice())),
    );
  while (step.blockedBy !== undefined && step.rest === undefined);
  const { done, failure } = await finish(context, writer, statement, step);
  if (failure !== undefined) throw failure;
  return done;
}

interface SliceDone {
  /** Results of completed statements. */
  readonly ended: readonly Step[];
  /** The next statement, if it has started. */
  readonly rest?: { readonly statement: Statement; readonly step: Step };
  readonly blockedBy?: Claimant;
}

/** Executes at least one statement, and more while the time slice lasts. */
function runSlice(
  tasks: readonly Task[],
  from: number,
  ordered: boolean,
  view: WriteView,
  collection: Collection | undefined,
): SliceDone {
  const slice = new Slice();
  const ended: Step[] = [];
  for (let index = from; index < tasks.length && (index === from || !slice.isOver()); index++) {
    const task = tasks[index];
    const step = attempt(collection, (present) => run(task, view, present, slice));
    if (step.rest !== undefined)
      return { ended, rest: { statement: task as Statement, step }, blockedBy: step.blockedBy };
    if (step.blockedBy !== undefined) return { ended, blockedBy: step.blockedBy };
    ended.push(step);
    if (ordered && step.failure !== undefined) break;
  }
  return { ended };
}

function run(task: Task, view: WriteView, collection: Collection, slice: Slice): Step {
  if (task instanceof StoreError) throw task;
  return 'insert' in task ? task.insert(view, collection) : begin(view, collection, task, slice);
}

/** Returns statement errors as a result; throws errors that end the command. */
function attempt(collection: Collection | undefined, write: (present: Collection) => Step): Step {
  if (collection === undefined) return { done: NOTHING_DONE };
  try {
    return write(collection);
  } catch (error) {
    if (error instanceof Blocked) return { done: NOTHING_DONE, blockedBy: error.by };
    if (!(error instanceof StoreError) || error.labels !== undefined) throw error;
    return { done: NOTHING_DONE, failure: error };
  }
}

/** Continues a statement that did not fit into one time slice. */
async function finish(
  context: Context,
  writer: PatientWriter,
  statement: Statement,
  begun: Step,
): Promise<Step> {
  if (begun.rest !== 'unknown') return changeRest(context, writer, statement, begun);
  for (let pauseMs = 0; ; pauseMs = Math.min(MAX_RETRY_PAUSE_MS, pauseMs + 1)) {
    await context.pace.sleep(pauseMs);
    const idKeys = await findKeys(context, statement);
    const step =
      idKeys.length > 0
        ? await changeRest(context, writer, statement, {
            done: NOTHING_DONE,
            rest: { idKeys, from: 0 },
          })
        : await writer.write((view, collection) =>
            attempt(collection, (present) => ({ done: statement.otherwise(view, present) })),
          );
    const lost = statement.query.limit === 1 && idKeys.length > 0 && step.done.matched === 0;
    if (step.failure !== undefined || (!lost && step.blockedBy === undefined)) return step;
  }
}

async function findKeys(context: Context, { query }: Statement): Promise<readonly Buffer[]> {
  const { view, collection } = reading(context, namespaceOf(context));
  const keys = new FoundKeys();
  await context.pace.each(runQuery(view, collection, query), keys.add);
  return keys.idKeys;
}

async function changeRest(
  context: Context,
  writer: PatientWriter,
  statement: Statement,
  begun: Step,
): Promise<Step> {
  let step = begun;
  while (typeof step.rest === 'object') {
    const { done, rest } = step;
    await context.pace.pause();
    const next = await writer.write((view, collection) =>
      attempt(collection, (present) => goOn(view, present, statement, rest, new Slice())),
    );
    step = { ...next, done: sum(done, next.done) };
  }
  return step;
}

/** Writer of one command. Waits for conflicting transactions, up to a total time. */
class PatientWriter {
  private impatient = false;

  constructor(
    private readonly context: Context,
    private readonly kind: WriteKind,
  ) {}

  async write<T extends { readonly blockedBy?: Claimant }>(
    write: (view: WriteView, collection: Collection | undefined) => T,
  ): Promise<T> {
    const result = await writing(
      this.context,
      namespaceOf(this.context),
      this.kind,
      write,
      this.impatient,
    );
    if (result.blockedBy !== undefined) {
      let ended = false;
      await this.context.pace.waitFor(
        result.blockedBy.ended.then(() => void (ended = true)),
        PATIENCE_MS,
      );
      this.impatient = !ended;
    }
    return result;
  }
}

class Failures {
  private readonly writeErrors: Doc[] = [];
  private text = 0;

  add(index: number, error: StoreError): void {
    this.text += error.message.length;
    this.writeErrors.push({
      index,
      code: error.code,
      ...(this.text > MOST_ERROR_TEXT ? { errmsg: '' } : { errmsg: error.message, ...error.extra }),
    });
  }

  get reply(): { writeErrors?: Doc[] } {
    return this.writeErrors.length === 0 ? {} : { writeErrors: this.writeErrors };
  }
}
