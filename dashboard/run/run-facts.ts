import type { RunState, WatchRunSubscription } from '../generated/operations';

export type Event = WatchRunSubscription['runEvents'];
type EventOf<Kind extends Event['__typename']> = Extract<Event, { __typename: Kind }>;

/** Result of a step in one iteration of its enclosing loops. */
export interface Happening {
  readonly loopIndex: readonly number[];
  readonly state: RunState;
  readonly startedAt: string;
  readonly tries: number;
  /** Sequence number of the event that ended it. */
  readonly endedBy: number | null;
  /** For a call that was read from the log: its element id. */
  readonly elementId: string | null;
  readonly durationMs: number | null;
  readonly statusCode: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Set only for conditions. */
  readonly result: boolean | null;
  /** For a loop: the total number of iterations, and how many have begun. */
  readonly size: number | null;
  readonly begun: number;
}

export interface StepFacts {
  readonly index: string;
  name: string | null;
  kind: 'method' | 'if' | 'loop';
  readonly happenings: Map<string, Happening>;
  /** Number of starts, including those no longer kept. */
  times: number;
  failures: number;
  /**
   * For a loop: the item of each iteration. The oldest are dropped, with the same limit as results.
   */
  readonly values: Map<string, unknown>;
  /** The newest iterations whose results were dropped. */
  letGo: readonly number[] | null;
}

export interface Note {
  readonly sequence: number;
  readonly at: string;
  readonly level: 'INFO' | 'WARN';
  readonly message: string;
  readonly index: string | null;
}

/**
 * Maximum number of results kept for each step: the oldest are dropped, failures last. A run may
 * have a million events.
 */
const KEPT = 2_000;
const KEPT_NOTES = 200;

const keyOf = (loopIndex: readonly number[]): string => loopIndex.join('.');

/** Returns whether `turns` came after `others`, which are of the same loops. */
function isAfter(turns: readonly number[], others: readonly number[]): boolean {
  const at = turns.findIndex((turn, loop) => turn !== others[loop]);
  return at !== -1 && (turns[at] ?? 0) > (others[at] ?? 0);
}

/** Result of a step that has only begun. */
const BEGUN = {
  state: 'RUNNING',
  tries: 1,
  endedBy: null,
  elementId: null,
  durationMs: null,
  statusCode: null,
  error: null,
  result: null,
  size: null,
  begun: 0,
} as const;

/** Collects what a run did from its events. Repeated events are ignored. */
export class RunFacts {
  readonly steps = new Map<string, StepFacts>();
  readonly notes: Note[] = [];
  /** Sequence number of the last event. */
  sequence = 0;
  ended: RunState | null = null;

  /** Returns the result of a step in these iterations. */
  at(index: string, turns: readonly number[]): Happening | undefined {
    return this.steps.get(index)?.happenings.get(keyOf(turns));
  }

  /** Returns the item of a loop in the last of these iterations, or null if unknown. */
  valueOf(index: string, turns: readonly number[]): unknown {
    return this.steps.get(index)?.values.get(keyOf(turns)) ?? null;
  }

  get letsGo(): boolean {
    return [...this.steps.values()].some(({ letGo }) => letGo !== null);
  }

  /** Returns whether the result of a step in these iterations may have been dropped. */
  hasLetGo(index: string, turns: readonly number[]): boolean {
    const letGo = this.steps.get(index)?.letGo ?? null;
    return letGo !== null && this.at(index, turns) === undefined && !isAfter(turns, letGo);
  }

  /** Adds a result that does not come from events. */
  know(
    index: string,
    kind: StepFacts['kind'],
    name: string | null,
    happening: Partial<Happening> & Pick<Happening, 'loopIndex' | 'startedAt'>,
  ): void {
    const facts = this.step(index, kind);
    facts.name ??= name;
    facts.happenings.set(keyOf(happening.loopIndex), { ...BEGUN, ...happening });
  }

  /** Sets the item of a loop in the last of these iterations. */
  knowValue(index: string, turns: readonly number[], value: unknown): void {
    this.step(index, 'loop').values.set(keyOf(turns), value);
  }

  /** @returns false if the event was already known */
  take(event: Event): boolean {
    if (event.sequence <= this.sequence) return false;
    this.sequence = event.sequence;
    switch (event.__typename) {
      case 'StepStarted':
        this.begin(event, 'method', { tries: event.attempt }, event.label ?? event.name);
        break;
      case 'StepFinished':
        this.finish(event);
        break;
      case 'ConditionEvaluated':
        this.begin(event, 'if', {
          state: 'SUCCEEDED',
          result: event.result,
          endedBy: event.sequence,
        });
        break;
      case 'OperatorFailed':
        this.refuse(event);
        break;
      case 'LoopStarted':
        this.begin(event, 'loop', { size: event.size });
        break;
      case 'LoopIteration':
        this.go(event);
        break;
      case 'LoopFinished':
        this.change(
          event,
          { state: 'SUCCEEDED', begun: event.turns, endedBy: event.sequence },
          event.at,
        );
        break;
      case 'RunLog':
        this.notes.push({
          sequence: event.sequence,
          at: event.at,
          level: event.level,
          message: event.message,
          index: event.stepIndex,
        });
        if (this.notes.length > KEPT_NOTES) this.notes.shift();
        break;
      case 'RunFinished':
        this.end(event.state);
        break;
      case 'RunStarted':
        break;
    }
    return true;
  }

  private step(index: string, kind: StepFacts['kind']): StepFacts {
    let facts = this.steps.get(index);
    if (facts === undefined) {
      facts = {
        index,
        name: null,
        kind,
        happenings: new Map(),
        values: new Map(),
        times: 0,
        failures: 0,
        letGo: null,
      };
      this.steps.set(index, facts);
    }
    return facts;
  }

  private begin(
    event: EventOf<'StepStarted' | 'ConditionEvaluated' | 'OperatorFailed' | 'LoopStarted'>,
    kind: StepFacts['kind'],
    more: Partial<Happening>,
    name: string | null = null,
  ): void {
    const facts = this.step(event.index, kind);
    facts.name ??= name;
    const key = keyOf(event.loopIndex);
    if (!facts.happenings.has(key)) facts.times += 1;
    facts.happenings.set(key, {
      ...BEGUN,
      loopIndex: event.loopIndex,
      startedAt: event.at,
      ...more,
    });
    if (facts.happenings.size > KEPT) forgetOne(facts);
  }

  private refuse(event: EventOf<'OperatorFailed'>): void {
    this.begin(event, event.operator === 'IF' ? 'if' : 'loop', {
      state: 'FAILED',
      error: event.error,
      endedBy: event.sequence,
    });
    this.step(event.index, 'if').failures += 1;
  }

  private finish({
    index,
    loopIndex,
    sequence,
    attempt,
    state,
    durationMs,
    statusCode,
    error,
  }: EventOf<'StepFinished'>): void {
    const facts = this.steps.get(index);
    const happening = facts?.happenings.get(keyOf(loopIndex));
    if (facts === undefined || happening === undefined) return;
    if (state === 'FAILED') facts.failures += 1;
    facts.happenings.set(keyOf(loopIndex), {
      ...happening,
      state,
      tries: attempt,
      durationMs,
      statusCode,
      error,
      endedBy: sequence,
    });
  }

  private go(event: EventOf<'LoopIteration'>): void {
    this.change(event, { begun: event.turn + 1, size: event.size });
    this.knowValue(event.index, [...event.loopIndex, event.turn], event.value);
    const { values } = this.step(event.index, 'loop');
    const [oldest = ''] = values.keys();
    if (values.size > KEPT) values.delete(oldest);
  }

  private change(
    { index, loopIndex }: EventOf<'LoopIteration' | 'LoopFinished'>,
    more: Partial<Happening>,
    endedAt?: string,
  ): void {
    const happenings = this.steps.get(index)?.happenings;
    const happening = happenings?.get(keyOf(loopIndex));
    if (happenings === undefined || happening === undefined) return;
    const durationMs =
      endedAt === undefined
        ? null
        : new Date(endedAt).getTime() - new Date(happening.startedAt).getTime();
    happenings.set(keyOf(loopIndex), { ...happening, ...more, durationMs });
  }

  /** Steps without an end ended with the run. */
  private end(state: RunState): void {
    this.ended = state;
    for (const { happenings } of this.steps.values()) {
      for (const [key, happening] of happenings)
        if (happening.state === 'RUNNING') happenings.set(key, { ...happening, state });
    }
  }
}

/** Drops the oldest result that did not fail, or else the oldest. */
function forgetOne(facts: StepFacts): void {
  let forgotten: Happening | undefined;
  for (const happening of facts.happenings.values()) {
    forgotten ??= happening;
    if (happening.state === 'FAILED') continue;
    forgotten = happening;
    break;
  }
  if (forgotten === undefined) return;
  facts.happenings.delete(keyOf(forgotten.loopIndex));
  if (facts.letGo === null || isAfter(forgotten.loopIndex, facts.letGo))
    facts.letGo = forgotten.loopIndex;
}
