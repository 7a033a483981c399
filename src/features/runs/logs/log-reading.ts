import type { Model } from 'mongoose';
import { Readable } from 'node:stream';
import type { RequestSegment, ResponseSegment } from '../../../engine';
import type { Actor } from '../../../platform/access/actor';
import type { Clock } from '../../../platform/clock/clock';
import type { Contained } from '../../../platform/contained/tasks';
import type { MaskingRule } from '../../../platform/masking/rule-mask';
import { allOf } from '../../../platform/store/filter';
import type { PublishedRunEvent } from '../run.events';
import type { RunEventLog } from '../run-event-log';
import { eventsGone, gapIn, hasLog, logThere, noLog } from '../run-log.rules';
import { ALL_LOGS, LOGS_OF_SCHEDULE, LOGS_OF_WORKFLOW } from '../run.model';
import type { RunRecord } from '../run.model';
import { UNFINISHED } from '../run-owners';
import { maySee, requireVisible, visibleRuns } from '../run.policy';
import { runNotFound } from '../run-reading';
import { shownElement } from './element-scan';
import { executionOf, flowchartOf } from './log-element';
import type { LogElement } from './log-element';
import { elementNotFound, readElementId } from './log-element-id';
import { fileNameOf, fileNotFound, runOfFile } from './log-file';
import type { FileState } from './log-file';
import type { LogPage } from './log-page';
import { olderThan, requireCount } from './log-page';
import { searchingLogs } from './log-searching';
import { createLogTree } from './log-tree';
import type { LoggedTurn } from './log-tree';
import type { MaskInput, MaskTasks } from './mask-task';

export interface LogReadingDependencies {
  readonly clock: Clock;
  readonly runs: Model<RunRecord>;
  readonly log: Pick<RunEventLog, 'read' | 'elements'>;
  /** Log key of a workflow. */
  readonly logKeyOf: (workflowId: number) => string;
  readonly contained: Contained<MaskTasks>;
}

export interface ElementDetails {
  readonly element: LogElement;
  readonly request: RequestSegment | null;
  readonly response: ResponseSegment | null;
}

export interface LogFileFilter {
  readonly workflowId?: number;
  readonly scheduleId?: number;
  readonly status?: FileState;
}

/** Events read at once. */
const AT_ONCE = 100;

export type LogReading = ReturnType<typeof createLogReading>;

/**
 * Reads the logs of runs as trees, as far as an actor may see them. No log is read as a whole: its
 * length is not limited.
 */
export function createLogReading({
  clock,
  runs,
  log,
  logKeyOf,
  contained,
}: LogReadingDependencies) {
  const tree = createLogTree(log);

  /** @throws NotFound EXECUTION_NOT_FOUND @throws Forbidden @throws Refused RUN_LOG_GONE */
  async function logged(actor: Actor, runId: number): Promise<RunRecord> {
    const run = await runs.findById(runId).lean<RunRecord>();
    requireVisible(actor, run);
    if (!run || !maySee(actor, run)) throw runNotFound(runId);
    if (!hasLog(run, clock.now())) throw noLog(run);
    // The events may have been removed since the run was read.
    const gap = gapIn(run, 0, await log.read(runId, 0, 1));
    if (gap) throw gap;
    return run;
  }

  /**
   * Returns the result of `read` if the log still exists afterwards: logs are removed in pieces, so
   * that reads during a removal have gaps.
   * @throws Refused RUN_LOG_GONE, in preference to errors of `read`
   */
  async function whole<T>(
    actor: Actor,
    runId: number,
    read: (run: RunRecord) => Promise<T>,
  ): Promise<T> {
    const run = await logged(actor, runId);
    const [outcome] = await Promise.allSettled([read(run)]);
    const after = await runs
      .findById(runId, { logOf: 1, logGone: 1, test: 1, queuedAt: 1 })
      .lean<RunRecord>();
    if (!after) throw runNotFound(runId);
    if (!hasLog(after, clock.now())) throw noLog(after);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  /** @throws NotFound LOG_ELEMENT_NOT_FOUND if it belongs to another run */
  function afterIn(runId: number, after: string | null | undefined): number {
    if (after == null) return 0;
    const place = readElementId(after, 'after');
    if (place.runId !== runId) throw elementNotFound(after, 'after');
    return place.sequence;
  }

  /** The run of a log file, also if its log is gone. @throws NotFound LOG_FILE_NOT_FOUND */
  async function runAfter(actor: Actor, fileName: string): Promise<RunRecord> {
    const run = await runs.findById(runOfFile(fileName, 'after')).lean<RunRecord>();
    requireVisible(actor, run);
    if (!run || !maySee(actor, run) || fileNameOf(run) !== fileName) throw fileNotFound('after');
    return run;
  }

  return {
    ...searchingLogs({ clock, runs, log, logKeyOf }),

    /** Whether the log of a run can be read. */
    isThere: (run: RunRecord): boolean => hasLog(run, clock.now()),

    /**
     * Direct children of an element, in order: of a run its flowchart, of that all steps outside
     * loops and conditions.
     * @param turns of a loop: the iteration, from 0, or those of all enclosing loops and its own;
     * null: all
     * @throws NotFound EXECUTION_NOT_FOUND, LOG_ELEMENT_NOT_FOUND
     * @throws Refused  RUN_LOG_GONE
     */
    async children(
      actor: Actor,
      parentId: string,
      turns: readonly number[] | null,
      { first, after }: LogPage,
    ): Promise<readonly LogElement[]> {
      requireCount(first);
      const { runId, sequence } = readElementId(parentId, 'parentId');
      return whole(actor, runId, async (run) => {
        const page = { first, after: afterIn(runId, after) };
        // As in the released API: the only child of a run is its flowchart.
        if (sequence === 0) return page.after === 0 ? [flowchartOf(run)] : [];
        if (sequence === 1) return tree.within(run, null, null, page);
        const { begin } = await tree.elementAt(runId, sequence, parentId);
        return begin.kind === 'S' || begin.kind === 'F' ? [] : tree.within(run, begin, turns, page);
      });
    },

    /**
     * An iteration of a loop with its value; null if it does not exist or has no elements.
     * @param turns as for `children`
     * @throws NotFound EXECUTION_NOT_FOUND, LOG_ELEMENT_NOT_FOUND
     * @throws Refused  RUN_LOG_GONE
     */
    async turn(actor: Actor, id: string, turns: readonly number[]): Promise<LoggedTurn | null> {
      const { runId, sequence } = readElementId(id);
      return whole(actor, runId, async (run) => {
        if (sequence <= 1) return null;
        const { begin } = await tree.elementAt(runId, sequence, id);
        return begin.kind === 'L' ? tree.turn(run, begin, turns) : null;
      });
    },

    /**
     * An element with its request and response.
     * @throws NotFound EXECUTION_NOT_FOUND, LOG_ELEMENT_NOT_FOUND
     * @throws Refused  RUN_LOG_GONE
     */
    async details(actor: Actor, id: string): Promise<ElementDetails> {
      const { runId, sequence } = readElementId(id);
      return whole(actor, runId, async (run) => {
        if (sequence <= 1)
          return {
            element: sequence === 0 ? executionOf(run) : flowchartOf(run),
            request: null,
            response: null,
          };
        const found = await tree.elementAt(runId, sequence, id);
        const shown = shownElement(run, found, found.last);
        const element = found.begin.kind === 'L' ? await tree.withEnd(shown, found.begin) : shown;
        const [begin, end] = await Promise.all([
          tree.eventAt(runId, sequence),
          found.end && tree.eventAt(runId, found.end.sequence),
        ]);
        // Lines have shortened texts: take the full ones from the events.
        if (begin?.kind === 'ConditionEvaluated')
          return {
            element: { ...element, expression: begin.expression },
            request: null,
            response: null,
          };
        if (begin?.kind === 'OperatorFailed')
          return {
            element: {
              ...element,
              error: begin.error,
              ...(begin.operator === 'if' && { expression: begin.expression }),
            },
            request: null,
            response: null,
          };
        const named =
          begin?.kind === 'StepStarted'
            ? { ...element, name: begin.name, label: begin.label ?? null }
            : element;
        if (end?.kind !== 'StepFinished') return { element: named, request: null, response: null };
        return {
          element: { ...named, error: end.error },
          request: end.request ?? null,
          response: end.response ?? null,
        };
      });
    },

    /**
     * File names of the ended runs that have a log, newest first; pass the last name as `after` for
     * the next page.
     * @param filter missing fields match all
     * @throws NotFound LOG_FILE_NOT_FOUND if `after` names no file that the actor may see
     */
    async files(
      actor: Actor,
      { workflowId, scheduleId, status }: LogFileFilter,
      { first, after }: LogPage,
    ): Promise<string[]> {
      requireCount(first);
      const older = after == null ? {} : olderThan(await runAfter(actor, after));
      const ended =
        status === undefined
          ? { $nin: [...UNFINISHED] }
          : status === 's'
            ? 'SUCCEEDED'
            : { $in: ['FAILED', 'CANCELLED', 'INTERRUPTED'] };
      const asked = {
        logOf: workflowId === undefined ? { $exists: true } : logKeyOf(workflowId),
        state: ended,
        ...(scheduleId !== undefined && { scheduleId }),
      };
      const index =
        workflowId !== undefined
          ? LOGS_OF_WORKFLOW
          : scheduleId !== undefined
            ? LOGS_OF_SCHEDULE
            : ALL_LOGS;
      const found = await runs
        .find(
          allOf([asked, logThere(clock.now()), visibleRuns(actor, { includeTest: true }), older]),
          { workflowId: 1, state: 1, queuedAt: 1, logOf: 1 },
        )
        .sort({ queuedAt: -1, _id: -1 })
        .hint(index)
        .limit(first)
        .lean<RunRecord[]>();
      return found.map(fileNameOf);
    },

    /**
     * The root element of a log file.
     * @throws NotFound LOG_FILE_NOT_FOUND
     * @throws Refused RUN_LOG_GONE
     */
    async ofFile(actor: Actor, fileName: string): Promise<LogElement> {
      const run = await logged(actor, runOfFile(fileName));
      if (fileNameOf(run) !== fileName) throw fileNotFound();
      return executionOf(run);
    },

    /**
     * Streams the stored events of a run, one JSON line each.
     * @throws NotFound EXECUTION_NOT_FOUND
     * @throws Refused  RUN_LOG_GONE
     */
    async raw(actor: Actor, runId: number): Promise<Readable> {
      await logged(actor, runId);
      return Readable.from(rawLines(runId), { highWaterMark: 1 });
    },

    /** The newest runs of a workflow that have a log, without tests, newest first. */
    ofWorkflow: (workflowId: number, most: number): Promise<RunRecord[]> =>
      runs
        .find({ logOf: logKeyOf(workflowId), test: false })
        .sort({ queuedAt: -1, _id: -1 })
        .hint(LOGS_OF_WORKFLOW)
        .limit(most)
        .lean<RunRecord[]>(),

    /**
     * The lines of `raw`, without a permission check.
     * @throws Refused RUN_LOG_GONE while iterating
     */
    lines: rawLines,

    /**
     * Hides in copies what rules select, in addition to what is hidden in the logs themselves. A
     * selected value is hidden in all later texts as well.
     */
    masker(
      rules: readonly MaskingRule[],
      signal: AbortSignal,
    ): (kind: MaskInput['kind'], texts: readonly string[]) => Promise<readonly string[]> {
      let known: readonly string[] = [];
      return async (kind, texts) => {
        const masked = await contained.run(
          'maskTexts',
          { rules, kind, texts, known },
          { size: Infinity, isPatient: true, signal },
        );
        known = masked.known;
        return masked.texts;
      };
    },
  };

  /**
   * Returns no events only at the end.
   * @throws Refused RUN_LOG_GONE if the rest has been removed
   */
  async function nextEvents(runId: number, after: number): Promise<PublishedRunEvent[]> {
    const events = await log.read(runId, after, AT_ONCE);
    if (events.length > 0) return events;
    const run = await runs.findById(runId, { lastSequence: 1 }).lean<RunRecord>();
    if (!run) throw eventsGone(runId);
    // Read again: the run may have ended in between, with more events.
    const later = await log.read(runId, after, AT_ONCE);
    const gap = gapIn(run, after, later);
    if (gap) throw gap;
    return later;
  }

  async function* rawLines(runId: number): AsyncGenerator<string, void, undefined> {
    for (let after = 0; ;) {
      const events = await nextEvents(runId, after);
      if (events.length === 0) return;
      for (const event of events) {
        // Never skip removed events silently.
        if (event.sequence !== after + 1) throw eventsGone(runId);
        after = event.sequence;
        yield `${JSON.stringify(event)}\n`;
      }
    }
  }
}
