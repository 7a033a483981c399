import { Readable } from 'node:stream';
import type { Actor } from '../../../platform/access/actor';
import type { Clock } from '../../../platform/clock/clock';
import type { Contained } from '../../../platform/contained/tasks';
import { NotFound } from '../../../platform/errors/errors';
import type { MaskingRule } from '../../../platform/redaction';
import { allOf } from '../../../platform/store/lists/filter';
import { testKeyOf } from '../../workflows/testing/test-key.service';
import type { RunEventLog } from '../events/run-event-log';
import type { MaskInput, MaskTasks } from '../execution/ruled-events';
import type { RunRecords } from '../run-records';
import type { PublishedRunEvent } from '../run.events';
import { ALL_LOGS, LOGS_OF_SCHEDULE, LOGS_OF_WORKFLOW, UNFINISHED } from '../run.model';
import type { RunRecord } from '../run.model';
import { visibleRuns } from '../run.policy';
import { executionOf } from './log-element';
import type { LogElement } from './log-element';
import {
  ENDED_BADLY,
  eventsGone,
  gapIn,
  logThere,
  olderThan,
  requireCount,
  workflowOfLog,
} from './logged-runs';
import type { LoggedRuns, LogPage } from './logged-runs';

/** `s`: succeeded; `f`: did not succeed. */
export const FILE_STATES = ['s', 'f'] as const;
type FileState = (typeof FILE_STATES)[number];

/** Missing fields match all. */
interface LogFileFilter {
  readonly workflowId?: number;
  readonly scheduleId?: number;
  readonly status?: FileState;
}

const AT_ONCE = 100;

/** Logs of runs as files: names as in the released API, and events as lines of JSON. */
export class RunLogFiles {
  constructor(
    private readonly deps: {
      readonly clock: Clock;
      readonly records: RunRecords;
      readonly events: Pick<RunEventLog, 'read'>;
      readonly logged: LoggedRuns;
      readonly contained: Contained<MaskTasks>;
    },
  ) {}

  /**
   * File names of the ended runs that have a log, newest first; pass the last name as `after` for
   * the next page.
   */
  async names(
    actor: Actor,
    { workflowId, scheduleId, status }: LogFileFilter,
    { first, after }: LogPage,
  ): Promise<string[]> {
    requireCount(first);
    const { clock, records } = this.deps;
    const older = after == null ? {} : olderThan(await this.runAfter(actor, after));
    const state =
      status === undefined
        ? { $nin: [...UNFINISHED] }
        : status === 's'
          ? 'SUCCEEDED'
          : { $in: [...ENDED_BADLY] };
    const filter = {
      logOf: workflowId === undefined ? { $exists: true } : testKeyOf(workflowId),
      state,
      ...(scheduleId !== undefined && { scheduleId }),
    };
    const index =
      workflowId !== undefined
        ? LOGS_OF_WORKFLOW
        : scheduleId !== undefined
          ? LOGS_OF_SCHEDULE
          : ALL_LOGS;
    const visible = visibleRuns(actor, { includeTest: true });
    const runs = await records.collection.find(
      allOf([filter, logThere(clock.now()), visible, older]),
      {
        fields: {
          workflowId: 1,
          state: 1,
          queuedAt: 1,
          logOf: 1,
        },
        sort: { queuedAt: -1, _id: -1 },
        hint: index,
        limit: first,
      },
    );
    return runs.map(fileNameOf);
  }

  async root(actor: Actor, fileName: string): Promise<LogElement> {
    const run = await this.deps.logged.get(actor, runOfFile(fileName));
    if (fileNameOf(run) !== fileName) throw fileNotFound();
    return executionOf(run);
  }

  /** Streams the stored events of a run, one JSON line each. */
  async stream(actor: Actor, runId: number): Promise<Readable> {
    await this.deps.logged.get(actor, runId);
    return Readable.from(this.lines(runId), { highWaterMark: 1 });
  }

  /** The lines of `stream`, without a permission check. */
  async *lines(runId: number): AsyncGenerator<string, void, undefined> {
    for (let after = 0; ;) {
      const events = await this.nextEvents(runId, after);
      if (events.length === 0) return;
      for (const event of events) {
        // Never skip removed events silently.
        if (event.sequence !== after + 1) throw eventsGone(runId);
        after = event.sequence;
        yield `${JSON.stringify(event)}\n`;
      }
    }
  }

  /** The newest runs of a workflow that have a log, without tests, newest first. */
  async runsOfWorkflow(workflowId: number, limit: number): Promise<RunRecord[]> {
    return this.deps.records.collection.find(
      { logOf: testKeyOf(workflowId), test: false },
      { sort: { queuedAt: -1, _id: -1 }, hint: LOGS_OF_WORKFLOW, limit },
    );
  }

  /**
   * Hides in copies what rules select, in addition to what is hidden in the logs themselves. A
   * selected value is hidden in all later texts as well.
   */
  createMask(
    rules: readonly MaskingRule[],
    signal: AbortSignal,
  ): (kind: MaskInput['kind'], texts: readonly string[]) => Promise<readonly string[]> {
    let knownValues: readonly string[] = [];
    return async (kind, texts) => {
      const masked = await this.deps.contained.run(
        'maskTexts',
        { rules, kind, texts, knownValues },
        { size: Infinity, isPatient: true, signal },
      );
      knownValues = masked.knownValues;
      return masked.texts;
    };
  }

  /** The run of a log file, also if its log is gone. */
  private async runAfter(actor: Actor, fileName: string): Promise<RunRecord> {
    const run = await this.deps.records.findVisible(actor, runOfFile(fileName, 'after'));
    if (!run || fileNameOf(run) !== fileName) throw fileNotFound('after');
    return run;
  }

  /** Returns no events only at the end. */
  private async nextEvents(runId: number, after: number): Promise<PublishedRunEvent[]> {
    const { events, records } = this.deps;
    const next = await events.read(runId, after, AT_ONCE);
    if (next.length > 0) return next;
    const run = await records.find(runId);
    if (!run) throw eventsGone(runId);
    // Read again: the run may have ended in between, with more events.
    const later = await events.read(runId, after, AT_ONCE);
    const gap = gapIn(run, after, later);
    if (gap) throw gap;
    return later;
  }
}

/** Date, time (UTC), workflow, state and run: the file name of a log in the released API. */
function fileNameOf(run: RunRecord): string {
  const [date, time = ''] = run.queuedAt.toISOString().split('T');
  const state = run.state === 'SUCCEEDED' ? 's' : 'f';
  return `${date}_${time.slice(0, 5).replace(':', '-')}_${workflowOfLog(run)}_${state}_${run._id}.log`;
}

const FILE_NAME = /^\d{4}-\d\d-\d\d_\d\d-\d\d_\d{1,10}_[sf]_([1-9]\d{0,9})\.log$/;

const fileNotFound = (path: 'fileName' | 'after' = 'fileName'): NotFound =>
  new NotFound('LOG_FILE_NOT_FOUND', 'There is no log file with this name.', { path: [path] });

function runOfFile(fileName: string, path?: 'fileName' | 'after'): number {
  const [, runId] = FILE_NAME.exec(fileName) ?? [];
  if (runId === undefined) throw fileNotFound(path);
  return Number(runId);
}
