import type { RunState, WatchRunSubscription } from '../generated/operations';

export type Event = WatchRunSubscription['runEvents'];
type EventOf<Kind extends Event['__typename']> = Extract<Event, { __typename: Kind }>;

/** What happened to a step in one turn of the loops around it. */
export interface Happening {
  readonly loopIndex: readonly number[];
  readonly state: RunState;
  readonly startedAt: string;
  /** Tries so far. */
  readonly tries: number;
  /** The event that told its end. */
  readonly endedBy: number | null;
  /** Of a call that was read from the log: its element there. */
  readonly elementId: string | null;
  readonly durationMs: number | null;
  readonly statusCode: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** Of a condition. */
  readonly result: boolean | null;
  /** Of a loop: its turns, and how many have begun. */
  readonly size: number | null;
  readonly begun: number;
}

/** What happened to a step. */
export interface StepFacts {
  readonly index: string;
  name: string | null;
  kind: 'method' | 'if' | 'loop';
  readonly happenings: Map<string, Happening>;
  /** Times it began, also those that are no longer kept. */
  times: number;
  failures: number;
  /** Of a loop: what it goes over, by its turns in those around it. So many are kept as happenings are; of more the oldest go. */
  readonly values: Map<string, unknown>;
  /** The newest turns of which nothing is kept any more. */
  letGo: readonly number[] | null;
}

export interface Note {
  readonly sequence: number;
  readonly at: string;
  readonly level: 'INFO' | 'WARN';
  readonly message: string;
  readonly index: string | null;
}

/** Of each step so many happenings are kept; of more the oldest go, failures last. A run may have a million events. */
const KEPT = 2_000;
const KEPT_NOTES = 200;

const keyOf = (loopIndex: readonly number[]): string => loopIndex.join('.');

/** Whether these turns came after those: of the same loops. */
function isAfter(turns: readonly number[], others: readonly number[]): boolean {
  const at = turns.findIndex((turn, loop) => turn !== others[loop]);
  return at !== -1 && (turns[at] ?? 0) > (others[at] ?? 0);
}

/** Of what nothing is known but that it began. */
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

/** What a run did, as its events tell it. Events that were seen already count once. */
export class RunFacts {
  readonly steps = new Map<string, StepFacts>();
  readonly notes: Note[] = [];
  /** The last event that was seen. */
  sequence = 0;
  ended: RunState | null = null;

  /** What happened to a step in these turns of the loops around it. */
  at(index: string, turns: readonly number[]): Happening | undefined {
    return this.steps.get(index)?.happenings.get(keyOf(turns));
  }

  /** What a loop goes over in its last of these turns. Null: that is not known. */
  valueOf(index: string, turns: readonly number[]): unknown {
    return this.steps.get(index)?.values.get(keyOf(turns)) ?? null;
  }

  /** Whether there was more of some step than is kept. */
  get letsGo(): boolean {
    return [...this.steps.values()].some(({ letGo }) => letGo !== null);
  }

  /** Whether a step may have run in these turns, and is no longer kept of them. */
  hasLetGo(index: string, turns: readonly number[]): boolean {
    const letGo = this.steps.get(index)?.letGo ?? null;
    return letGo !== null && this.at(index, turns) === undefined && !isAfter(turns, letGo);
  }

  /** What is known otherwise than by its events. */
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

  /** What a loop goes over in its last of these turns. */
  knowValue(index: string, turns: readonly number[], value: unknown): void {
    this.step(index, 'loop').values.set(keyOf(turns), value);
  }

  /** @returns whether it was news */
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

  /** A condition or a loop that could not be evaluated. */
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

  /** A loop has begun another turn. */
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

  /** What had not come to its end has none: it ended with the run. */
  private end(state: RunState): void {
    this.ended = state;
    for (const { happenings } of this.steps.values()) {
      for (const [key, happening] of happenings)
        if (happening.state === 'RUNNING') happenings.set(key, { ...happening, state });
    }
  }
}

/** The oldest that did not fail, or else the oldest. */
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
