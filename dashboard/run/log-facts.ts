import type {
  LogPlaceQuery,
  LogTurnValueQuery,
  RunState,
  RunTailQuery,
} from '../generated/operations';
import { RunFacts } from './run-facts';
import type { Happening } from './run-facts';
import type { ChosenTurns } from './turns';
import { shownTurn } from './turns';

export type LogElement = LogPlaceQuery['logElements'][number];
export type LogTurn = NonNullable<LogTurnValueQuery['logTurn']>;
export type TailEvent = NonNullable<RunTailQuery['run']>['events'][number];

/** A part of the log tree: the direct children of an element, for a loop those of one iteration. */
export interface LogPlace {
  readonly parentId: string;
  readonly loopIndex: readonly number[] | null;
}

/** How a run ended, and in which step and iterations. */
export interface RunEnd {
  readonly state: RunState;
  readonly at: { readonly index: string; readonly turns: readonly number[] } | null;
}

/** Returns the location of the last of these events. */
export function placeOfLast(events: readonly TailEvent[]): RunEnd['at'] {
  for (const event of [...events].reverse()) {
    if (!('loopIndex' in event)) continue;
    return {
      index: event.index,
      turns:
        event.__typename === 'LoopIteration' ? [...event.loopIndex, event.turn] : event.loopIndex,
    };
  }
  return null;
}

const keyOf = ({ parentId, loopIndex }: LogPlace): string =>
  `${parentId} ${loopIndex?.join('.') ?? ''}`;

/** What an ended run did, as far as its log was read. */
export class LogFacts {
  readonly facts = new RunFacts();
  private readonly read = new Map<string, readonly LogElement[]>();
  private readonly roots: LogPlace;

  constructor(
    runId: string,
    private readonly end: RunEnd,
  ) {
    // The first event of a run is its flowchart.
    this.roots = { parentId: `${runId}-1`, loopIndex: null };
    this.facts.ended = end.state;
  }

  /** Adds the elements of a place, and the iteration it is for. */
  take(place: LogPlace, elements: readonly LogElement[], turn: LogTurn | null = null): void {
    this.read.set(keyOf(place), elements);
    if (turn !== null) this.facts.knowValue(turn.index, turn.loopIndex, turn.value);
    for (const element of elements) this.know(element);
  }

  /** Returns the open places of the selected iterations that were not read yet. */
  missing(chosen: ChosenTurns): readonly LogPlace[] {
    const missing: LogPlace[] = [];
    const open = (place: LogPlace): void => {
      const elements = this.read.get(keyOf(place));
      if (elements === undefined) return void missing.push(place);
      for (const element of elements) {
        const below = this.below(element, chosen);
        if (below !== null) open(below);
      }
    };
    open(this.roots);
    return missing;
  }

  private below(
    { type, elementId, index, loopIndex, result }: LogElement,
    chosen: ChosenTurns,
  ): LogPlace | null {
    if (type === 'IF') return result ? { parentId: elementId, loopIndex: null } : null;
    if (type !== 'LOOP' || index === null) return null;
    const turn = shownTurn(this.facts, index, loopIndex, chosen);
    return turn === null ? null : { parentId: elementId, loopIndex: [...loopIndex, turn] };
  }

  private know(element: LogElement): void {
    const {
      type,
      index,
      loopIndex,
      elementId,
      durationMs,
      statusCode,
      error,
      attempt,
      result,
      size,
    } = element;
    if (index === null || element.startedAt === null) return;
    const about = { loopIndex, startedAt: element.startedAt };
    switch (type) {
      case 'IF':
        return this.facts.know(index, 'if', null, {
          ...about,
          state: error === null ? 'SUCCEEDED' : 'FAILED',
          result,
          error,
        });
      case 'LOOP':
        return this.facts.know(index, 'loop', null, {
          ...about,
          state:
            error !== null ? 'FAILED' : element.state === 'COMPLETE' ? 'SUCCEEDED' : this.end.state,
          error,
          size,
          begun: this.turnsOf(element),
          durationMs,
        });
      case 'OPERATION':
        return this.facts.know(index, 'method', element.label ?? element.name, {
          ...about,
          state: this.stateOf(element),
          tries: attempt ?? 1,
          elementId,
          durationMs,
          statusCode,
          error,
        });
      default:
    }
  }

  /** Elements without an end have no duration: they ended with the run. */
  private stateOf({ state, durationMs }: LogElement): Happening['state'] {
    if (state === 'COMPLETE') return 'SUCCEEDED';
    return durationMs === null ? this.end.state : 'FAILED';
  }

  /** Returns the number of iterations that began: all, or those until the run ended in the loop. */
  private turnsOf({ state, size, index, loopIndex }: LogElement): number {
    if (state === 'COMPLETE') return size ?? 0;
    const { at } = this.end;
    const isIn = at !== null && (at.index === index || at.index.startsWith(`${index}_`));
    const turn = isIn ? at.turns[loopIndex.length] : undefined;
    return turn === undefined ? 0 : turn + 1;
  }
}
