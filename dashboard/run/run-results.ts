import type { RunState, WatchRunSubscription } from '../generated/operations';
import { msBetween } from '../parts/format';
import { isAfter } from './iterations';
import type { EngineMessage, StepResult, StepResults } from './step-result';

export type RunEvent = WatchRunSubscription['runEvents'];
type EventOf<Kind extends RunEvent['__typename']> = Extract<RunEvent, { __typename: Kind }>;

export type { EngineMessage, StepResult, StepResults } from './step-result';

/**
 * Maximum number of results kept for each step: the oldest are dropped, failures last. A run may
 * have a million events.
 */
const MAX_RESULTS = 2_000;
const MAX_MESSAGES = 200;

const keyOf = (loopIndex: readonly number[]): string => loopIndex.join('.');

/** Result of a step that has only started. */
const STARTED = {
  state: 'RUNNING',
  attempts: 1,
  earlierAttempts: [],
  finishedSequence: null,
  elementId: null,
  durationMs: null,
  statusCode: null,
  error: null,
  result: null,
  size: null,
  startedIterations: 0,
} as const;

/** Collects what a run did from its events. Repeated events are ignored. */
export class RunResults {
  readonly steps = new Map<string, StepResults>();
  readonly messages: EngineMessage[] = [];
  /** Sequence number of the last event. */
  sequence = 0;
  endState: RunState | null = null;

  /** Returns the result of a step in these iterations. */
  resultOf(index: string, iterations: readonly number[]): StepResult | undefined {
    return this.steps.get(index)?.results.get(keyOf(iterations));
  }

  /** Returns the item of a loop in the last of these iterations, or null if unknown. */
  iterationValue(index: string, iterations: readonly number[]): unknown {
    return this.steps.get(index)?.values.get(keyOf(iterations)) ?? null;
  }

  get hasDropped(): boolean {
    return [...this.steps.values()].some(({ droppedUpTo }) => droppedUpTo !== null);
  }

  /** Returns whether the result of a step in these iterations may have been dropped. */
  isDropped(index: string, iterations: readonly number[]): boolean {
    const droppedUpTo = this.steps.get(index)?.droppedUpTo ?? null;
    return (
      droppedUpTo !== null &&
      this.resultOf(index, iterations) === undefined &&
      !isAfter(iterations, droppedUpTo)
    );
  }

  /** Adds a result that does not come from events. */
  setResult(
    index: string,
    kind: StepResults['kind'],
    name: string | null,
    result: Partial<StepResult> & Pick<StepResult, 'loopIndex' | 'startedAt'>,
  ): void {
    const step = this.stepOf(index, kind);
    step.name ??= name;
    step.results.set(keyOf(result.loopIndex), { ...STARTED, ...result });
  }

  /** Sets the item of a loop in the last of these iterations. */
  setIterationValue(index: string, iterations: readonly number[], value: unknown): void {
    this.stepOf(index, 'loop').values.set(keyOf(iterations), value);
  }

  /** @returns false if the event was already known */
  apply(event: RunEvent): boolean {
    if (event.sequence <= this.sequence) return false;
    this.sequence = event.sequence;
    switch (event.__typename) {
      case 'StepStarted':
        this.startStep(event, 'method', { attempts: event.attempt }, event.label ?? event.name);
        break;
      case 'StepFinished':
        this.finishStep(event);
        break;
      case 'ConditionEvaluated':
        this.startStep(event, 'if', {
          state: 'SUCCEEDED',
          result: event.result,
          finishedSequence: event.sequence,
        });
        break;
      case 'OperatorFailed':
        this.failOperator(event);
        break;
      case 'LoopStarted':
        this.startStep(event, 'loop', { size: event.size });
        break;
      case 'LoopIteration':
        this.startIteration(event);
        break;
      case 'LoopFinished':
        this.updateLoop(
          event,
          { state: 'SUCCEEDED', startedIterations: event.turns, finishedSequence: event.sequence },
          event.at,
        );
        break;
      case 'RunLog':
        this.messages.push({
          sequence: event.sequence,
          at: event.at,
          level: event.level,
          message: event.message,
          index: event.stepIndex,
        });
        if (this.messages.length > MAX_MESSAGES) this.messages.shift();
        break;
      case 'RunFinished':
        this.endRun(event.state, event.at);
        break;
      case 'RunStarted':
        break;
    }
    return true;
  }

  private stepOf(index: string, kind: StepResults['kind']): StepResults {
    let step = this.steps.get(index);
    if (step === undefined) {
      step = {
        index,
        name: null,
        kind,
        results: new Map(),
        values: new Map(),
        iterationStarts: new Map(),
        starts: 0,
        failures: 0,
        droppedUpTo: null,
      };
      this.steps.set(index, step);
    }
    return step;
  }

  private startStep(
    event: EventOf<'StepStarted' | 'ConditionEvaluated' | 'OperatorFailed' | 'LoopStarted'>,
    kind: StepResults['kind'],
    changes: Partial<StepResult>,
    name: string | null = null,
  ): void {
    const step = this.stepOf(event.index, kind);
    step.name ??= name;
    const key = keyOf(event.loopIndex);
    const before = step.results.get(key);
    if (before === undefined) step.starts += 1;
    step.results.set(key, {
      ...STARTED,
      earlierAttempts: before === undefined ? [] : [...before.earlierAttempts, before],
      loopIndex: event.loopIndex,
      startedAt: event.at,
      ...changes,
    });
    if (step.results.size > MAX_RESULTS) dropOldest(step);
  }

  private failOperator(event: EventOf<'OperatorFailed'>): void {
    this.startStep(event, event.operator === 'IF' ? 'if' : 'loop', {
      state: 'FAILED',
      error: event.error,
      finishedSequence: event.sequence,
    });
    this.stepOf(event.index, 'if').failures += 1;
  }

  private finishStep({
    index,
    loopIndex,
    sequence,
    attempt,
    state,
    durationMs,
    statusCode,
    error,
  }: EventOf<'StepFinished'>): void {
    const step = this.steps.get(index);
    const result = step?.results.get(keyOf(loopIndex));
    if (step === undefined || result === undefined) return;
    if (state === 'FAILED') step.failures += 1;
    step.results.set(keyOf(loopIndex), {
      ...result,
      state,
      attempts: attempt,
      durationMs,
      statusCode,
      error,
      finishedSequence: sequence,
    });
  }

  private startIteration(event: EventOf<'LoopIteration'>): void {
    this.updateLoop(event, { startedIterations: event.turn + 1, size: event.size });
    this.setIterationValue(event.index, [...event.loopIndex, event.turn], event.value);
    const { values, iterationStarts } = this.stepOf(event.index, 'loop');
    iterationStarts.set(keyOf([...event.loopIndex, event.turn]), event.at);
    for (const map of [values, iterationStarts]) {
      const [oldest = ''] = map.keys();
      if (map.size > MAX_RESULTS) map.delete(oldest);
    }
  }

  private updateLoop(
    { index, loopIndex }: EventOf<'LoopIteration' | 'LoopFinished'>,
    changes: Partial<StepResult>,
    endedAt?: string,
  ): void {
    const results = this.steps.get(index)?.results;
    const result = results?.get(keyOf(loopIndex));
    if (results === undefined || result === undefined) return;
    const durationMs = endedAt === undefined ? null : msBetween(result.startedAt, endedAt);
    results.set(keyOf(loopIndex), { ...result, ...changes, durationMs });
  }

  /**
   * Ends the steps without an end: they ended with the run, such as loops around the step that
   * failed.
   * @param endedAt null if the end of the run is unknown
   */
  endRun(state: RunState, endedAt: string | null): void {
    this.endState = state;
    for (const { results } of this.steps.values()) {
      for (const [key, result] of results)
        if (result.state === 'RUNNING')
          results.set(key, {
            ...result,
            state,
            durationMs: endedAt === null ? null : msBetween(result.startedAt, endedAt),
          });
    }
  }
}

/** Drops the oldest result that did not fail, or else the oldest. */
function dropOldest(step: StepResults): void {
  let oldest: StepResult | undefined;
  for (const result of step.results.values()) {
    oldest ??= result;
    if (result.state === 'FAILED') continue;
    oldest = result;
    break;
  }
  if (oldest === undefined) return;
  step.results.delete(keyOf(oldest.loopIndex));
  if (step.droppedUpTo === null || isAfter(oldest.loopIndex, step.droppedUpTo))
    step.droppedUpTo = oldest.loopIndex;
}
