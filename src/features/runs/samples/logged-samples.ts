import type { RunError, Sample } from '../../../engine';
import type { Actor } from '../../../platform/access/actor';
import { allows } from '../../../platform/access/need';
import type { Clock } from '../../../platform/clock/clock';
import { allOf } from '../../../platform/store/lists/filter';
import { testKeyOf } from '../../workflows/testing/test-key.service';
import type { RunEventLog } from '../events/run-event-log';
import { logThere } from '../logs/logged-runs';
import type { LoggedRuns } from '../logs/logged-runs';
import { elementsIn } from '../logs/element-scan';
import type { ElementLine } from '../logs/element-line';
import type { RunRecords } from '../run-records';
import { LOGS_OF_WORKFLOW } from '../run.model';
import type { RunRecord } from '../run.model';
import { BOTH_KINDS, READ_RUNS } from '../run.policy';

/** The last recorded exchange of a step. */
export interface LoggedSample extends Sample {
  readonly stepId: string;
  readonly run: Pick<RunRecord, '_id' | 'test'>;
  readonly at: Date;
  /** Iterations of the enclosing loops, outermost first. */
  readonly iteration: readonly number[];
  readonly error: RunError | null;
}

/** Logs to look into: as many as a workflow keeps, and some tests. */
const MAX_RUNS = 10;
/** Elements of a log to look at: the first iteration of a loop is near its start. */
const MAX_ELEMENTS = 20_000;
/** The same if all expected steps were found: a draft may have more. */
const MAX_ELEMENTS_OF_DRAFTS = 2_000;
/** Bodies that are returned together. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
/** Events between two samples that are read together. */
const NEAR = 50;

/** Where the log of a run has the end of a step. */
interface StepEnd {
  readonly place: string;
  readonly sequence: number;
}

/**
 * Finds the last exchange of each step in the logs of a workflow, its own tests and those of its
 * drafts. In a loop it is that of the first iteration, or the one that failed.
 */
export class LoggedSamples {
  constructor(
    private readonly deps: {
      readonly clock: Clock;
      readonly records: RunRecords;
      readonly events: RunEventLog;
      readonly logged: LoggedRuns;
    },
  ) {}

  /**
   * Samples by step id; tests of other users are left out, also for administrators.
   * @param stepIds the steps to look for; others are returned if they are near
   */
  async read(
    actor: Actor,
    workflowId: number,
    stepIds: ReadonlySet<string>,
  ): Promise<Map<string, LoggedSample>> {
    const samples = new Map<string, LoggedSample>();
    let characters = 0;
    for (const run of await this.newestRuns(actor, workflowId)) {
      const missing = new Set([...stepIds].filter((stepId) => !samples.has(stepId)));
      if (missing.size === 0 || characters > MAX_CHARACTERS) break;
      const ends = await this.endsOf(run, missing);
      for (const stepId of samples.keys()) ends.delete(stepId);
      const ofRun = await this.samplesOf(run, ends);
      // A log is removed in pieces, so that what is read during a removal has gaps.
      if (ofRun.length === 0 || !(await this.deps.logged.stillHasLog(run._id))) continue;
      for (const sample of ofRun) {
        samples.set(sample.stepId, sample);
        characters += charactersOf(sample);
      }
    }
    return samples;
  }

  private newestRuns(actor: Actor, workflowId: number): Promise<RunRecord[]> {
    const { clock, records } = this.deps;
    const ownTests = { test: true, 'startedBy.userId': actor.userId };
    const visible = allows(READ_RUNS, actor)
      ? { test: BOTH_KINDS, $or: [{ test: false }, ownTests] }
      : ownTests;
    return records.collection.find(
      allOf([{ logOf: testKeyOf(workflowId) }, logThere(clock.now()), visible]),
      { sort: { queuedAt: -1, _id: -1 }, hint: LOGS_OF_WORKFLOW, limit: MAX_RUNS },
    );
  }

  /** Returns by step id where the sample of each of these steps ends, as far as the run has come. */
  private async endsOf(
    { _id, error }: RunRecord,
    stepIds: ReadonlySet<string>,
  ): Promise<Map<string, StepEnd>> {
    const { elements } = this.deps.events;
    const ends = new Map<string, StepEnd>();
    const last = await elements.end(_id);
    if (last === null) return ends;
    const missing = new Set(stepIds);
    let read = 0;
    for await (const { begin, end } of elementsIn(elements.parts(_id, 1, last.last), 1)) {
      if ((read += 1) > (missing.size === 0 ? MAX_ELEMENTS_OF_DRAFTS : MAX_ELEMENTS)) break;
      if (begin.kind !== 'S' || end === null) continue;
      const stepId = stepIdOf(begin);
      const place = placeOf(begin);
      const first = ends.get(stepId);
      // Of several attempts, the last one counts.
      if (first === undefined || first.place === place)
        ends.set(stepId, { place, sequence: end.sequence });
      missing.delete(stepId);
    }
    // The failed attempt is the last one of the log.
    if (error?.step != null && last.line.kind === 's')
      ends.set(error.step, { place: placeOf(last.line), sequence: last.line.sequence });
    return ends;
  }

  private async samplesOf(
    run: RunRecord,
    ends: ReadonlyMap<string, StepEnd>,
  ): Promise<LoggedSample[]> {
    const sequences = [...ends.values()]
      .map(({ sequence }) => sequence)
      .sort((one, other) => one - other);
    const samples: LoggedSample[] = [];
    for (let nth = 0; nth < sequences.length;) {
      const from = sequences[nth];
      let upTo = from;
      for (let next = nth + 1; next < sequences.length; next += 1) {
        if (sequences[next] - upTo > NEAR) break;
        upTo = sequences[next];
      }
      const events = await this.deps.events.read(run._id, from - 1, upTo - from + 1);
      const reached = events.at(-1)?.sequence ?? upTo;
      while (nth < sequences.length && sequences[nth] <= reached) nth += 1;
      for (const event of events) {
        if (event.kind !== 'StepFinished' || event.stepId === null) continue;
        if (ends.get(event.stepId)?.sequence !== event.sequence) continue;
        const { stepId, name, index, loopIndex, attempt, error } = event;
        samples.push({
          stepId,
          run,
          at: event.at,
          iteration: loopIndex,
          request: event.request ?? null,
          response: event.response ?? null,
          error: error && {
            step: stepId,
            ...(name !== null && { name }),
            index,
            loopIndex,
            attempt,
            ...error,
          },
        });
      }
    }
    return samples;
  }
}

const charactersOf = ({ request, response }: Sample): number =>
  (request?.payload.length ?? 0) + (response?.payload.length ?? 0);

const placeOf = ({ index, turns }: ElementLine): string => `${index} ${turns}`;

const stepIdOf = ({ texts }: ElementLine): string => (JSON.parse(texts) as string[])[0];
