import type {
  LogPlaceQuery,
  LogTurnValueQuery,
  RunState,
  RunTailQuery,
} from '../generated/operations';
import { msBetween } from '../parts/format';
import { shownIteration } from './iterations';
import type { SelectedIterations } from './iterations';
import { RunResults } from './run-results';
import type { StepResult } from './run-results';

export type LogElement = LogPlaceQuery['logElements'][number];
export type LogIteration = NonNullable<LogTurnValueQuery['logTurn']>;
export type TailEvent = NonNullable<RunTailQuery['run']>['events']['nodes'][number];

/** A part of the log tree: the direct children of an element, for a loop those of one iteration. */
export interface LogBranch {
  readonly parentId: string;
  readonly loopIndex: readonly number[] | null;
}

/** How a run ended, and in which step and iterations. */
export interface RunEnd {
  readonly state: RunState;
  /** Null if the time is unknown. */
  readonly finishedAt: string | null;
  readonly position: { readonly index: string; readonly iterations: readonly number[] } | null;
}

/** Returns the location of the last of these events. */
export function lastPosition(events: readonly TailEvent[]): RunEnd['position'] {
  for (const event of [...events].reverse()) {
    if (!('loopIndex' in event)) continue;
    return {
      index: event.index,
      iterations:
        event.__typename === 'LoopIteration' ? [...event.loopIndex, event.turn] : event.loopIndex,
    };
  }
  return null;
}

const keyOf = ({ parentId, loopIndex }: LogBranch): string =>
  `${parentId} ${loopIndex?.join('.') ?? ''}`;

/** What an ended run did, as far as its log was read. */
export class LogResults {
  readonly results = new RunResults();
  private readonly loaded = new Map<string, readonly LogElement[]>();
  private readonly roots: LogBranch;

  constructor(
    runId: string,
    private readonly end: RunEnd,
  ) {
    // The first event of a run is its flowchart.
    this.roots = { parentId: `${runId}-1`, loopIndex: null };
    this.results.endState = end.state;
  }

  /** Adds the elements of a branch, and the iteration it is for. */
  add(
    branch: LogBranch,
    elements: readonly LogElement[],
    iteration: LogIteration | null = null,
  ): void {
    this.loaded.set(keyOf(branch), elements);
    if (iteration !== null)
      this.results.setIterationValue(iteration.index, iteration.loopIndex, iteration.value);
    for (const element of elements) this.addElement(element);
  }

  /** Returns the open branches of the selected iterations that were not read yet. */
  unloadedBranches(selected: SelectedIterations): readonly LogBranch[] {
    const unloaded: LogBranch[] = [];
    const open = (branch: LogBranch): void => {
      const elements = this.loaded.get(keyOf(branch));
      if (elements === undefined) return void unloaded.push(branch);
      for (const element of elements) {
        const child = this.childBranch(element, selected);
        if (child !== null) open(child);
      }
    };
    open(this.roots);
    return unloaded;
  }

  private childBranch(
    { type, elementId, index, loopIndex, result }: LogElement,
    selected: SelectedIterations,
  ): LogBranch | null {
    if (type === 'IF') return result ? { parentId: elementId, loopIndex: null } : null;
    if (type !== 'LOOP' || index === null) return null;
    const iteration = shownIteration(this.results, index, loopIndex, selected);
    return iteration === null
      ? null
      : { parentId: elementId, loopIndex: [...loopIndex, iteration] };
  }

  private addElement(element: LogElement): void {
    const { type, index, loopIndex, elementId, statusCode, error, attempt, result, size } = element;
    if (index === null || element.startedAt === null) return;
    const common = { loopIndex, startedAt: element.startedAt };
    switch (type) {
      case 'IF':
        return this.results.setResult(index, 'if', null, {
          ...common,
          state: error === null ? 'SUCCEEDED' : 'FAILED',
          result,
          error,
        });
      case 'LOOP':
        return this.results.setResult(index, 'loop', null, {
          ...common,
          state:
            error !== null ? 'FAILED' : element.state === 'COMPLETE' ? 'SUCCEEDED' : this.end.state,
          error,
          size,
          startedIterations: this.countIterations(element),
          durationMs: this.durationOf(element),
        });
      case 'OPERATION':
        return this.results.setResult(index, 'method', element.label ?? element.name, {
          ...common,
          state: this.stateOf(element),
          attempts: attempt ?? 1,
          elementId,
          durationMs: this.durationOf(element),
          statusCode,
          error,
        });
      default:
    }
  }

  /** Elements without an end ended with the run. */
  private durationOf({ state, startedAt, durationMs }: LogElement): number | null {
    const { finishedAt } = this.end;
    if (durationMs !== null || state === 'COMPLETE' || startedAt === null || finishedAt === null)
      return durationMs;
    return msBetween(startedAt, finishedAt);
  }

  /** Elements without an end have no duration: they ended with the run. */
  private stateOf({ state, durationMs }: LogElement): StepResult['state'] {
    if (state === 'COMPLETE') return 'SUCCEEDED';
    return durationMs === null ? this.end.state : 'FAILED';
  }

  /** Returns the number of iterations that began: all, or those until the run ended in the loop. */
  private countIterations({ state, size, index, loopIndex }: LogElement): number {
    if (state === 'COMPLETE') return size ?? 0;
    const { position } = this.end;
    const endedInLoop =
      position !== null && (position.index === index || position.index.startsWith(`${index}_`));
    const iteration = endedInLoop ? position.iterations[loopIndex.length] : undefined;
    return iteration === undefined ? 0 : iteration + 1;
  }
}
