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

/** One statement of a command, or why it cannot be one. */
export type Task = Statement | Insertion | StoreError;

/** How long a writer waits for a transaction that has written what it wants to write; then it goes first, and that one fails. */
const PATIENCE_MS = 5_000;
/** A document that was found may have been changed before it is written: the statement then starts again, after a pause that grows up to this. */
const MAX_RETRY_PAUSE_MS = 100;
/** Error texts of one reply, in characters; the failures after that are told without, as MongoDB does it. */
const MOST_ERROR_TEXT = 1_000_000;

/**
 * Carries the statements of a command out one after the other. Each document is changed as a whole, or not at all; between two of them
 * the store may serve others, so that a large command is many small commits. With `ordered` (the default) the first failure ends it.
 * `took` hears what is done, once it is.
 * @throws StoreError what ends the whole command: a conflict in a transaction, the end of its time
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

/** The same for a single statement. @throws StoreError also what a statement of a list would be told in `writeErrors` */
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
  /** What the statements came to that are over. */
  readonly ended: readonly Step[];
  /** The one after them, when it has begun. */
  readonly rest?: { readonly statement: Statement; readonly step: Step };
  readonly blockedBy?: Claimant;
}

/** As many statements as fit into one writer: one at least. */
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

/** What goes wrong with one statement is part of what it came to; what ends the whole command is thrown. */
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

/** The rest of a statement that is too long for one writer. */
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

/** Writes for one command. Where a transaction is in the way it waits for that to end; when it has waited enough it waits no more. */
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
