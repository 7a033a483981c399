import { EngineError } from '../errors';
import type { RunEvent, StepError } from '../events';
import type { Ports } from '../ports';
import type { RunSecrets } from '../secrets/run-secrets';
import { EventsRefused } from './stop';

/** A process that is not let turn hands its events on all the same. */
const MOST_WAITING = 8;

/** What an event says may be put together when it is handed on: by then everything before it has been, with the secrets that are learned from it. */
export type ToldEvent = RunEvent | (() => RunEvent);

interface Waiting {
  readonly event: ToldEvent;
  readonly at: Date;
}

/** Numbers the events of one run, from 1 without gaps, hides its secrets in their texts, and hands them on in order, up to a number of them. */
export class EventLog {
  private sequence = 0;
  /** After a refused event nothing is sent any more, so that no gap can appear. */
  private broken = false;
  /** When no more are taken, the last one is all the same: it says so. */
  private full = false;
  private readonly waiting: Waiting[] = [];
  private turn: NodeJS.Immediate | null = null;
  /** Until the port has room and what waits has been handed on. */
  private handingOn: Promise<void> | null = null;
  /** Why an event was not taken, until somebody hears of it. */
  private problem: EngineError | EventsRefused | null = null;

  constructor(
    private readonly ports: Pick<Ports, 'emit' | 'clock'>,
    private readonly secrets: RunSecrets,
    private readonly maxEvents: number,
  ) {}

  /**
   * A promise only where the port wants the run to wait: nearly always it does not, and a run has two events for each step.
   * @throws EventsRefused
   * @throws EngineError RUN_TOO_MANY_EVENTS, and what the port throws that takes no more of them
   */
  emit(event: ToldEvent): void | Promise<void> {
    this.waiting.push({ event, at: this.ports.clock.now() });
    return this.settle();
  }

  /**
   * The same two turns of the process later, by which the request of the next step is on its way: what is told of a quick step is written while the
   * remote system works, not before it is asked. That such an event is not taken is told with the next one, or when the log is settled.
   * @throws what `emit` throws
   */
  later(event: ToldEvent): void | Promise<void> {
    this.waiting.push({ event, at: this.ports.clock.now() });
    if (this.waiting.length >= MOST_WAITING || this.sequence + this.waiting.length > this.maxEvents)
      return this.settle();
    this.turn ??= setImmediate(() => {
      this.turn = setImmediate(() => void this.handOn());
    });
    return this.afterwards(this.handingOn);
  }

  /**
   * Hands on what waits, which is due before code that may not come back.
   * @throws what `emit` throws
   */
  settle(): void | Promise<void> {
    return this.afterwards(this.handOn());
  }

  private afterwards(handingOn: Promise<void> | null): void | Promise<void> {
    if (handingOn !== null) return handingOn.then(() => this.raise());
    this.raise();
  }

  private raise(): void {
    const { problem } = this;
    this.problem = null;
    if (problem !== null) throw problem;
  }

  /** Never fails: what goes wrong is raised. */
  private handOn(): Promise<void> | null {
    if (this.turn !== null) clearImmediate(this.turn);
    this.turn = null;
    for (
      let next = this.handingOn === null ? this.waiting.shift() : undefined;
      next !== undefined;
      next = this.waiting.shift()
    ) {
      const stored = this.send(next);
      if (stored === undefined) continue;
      this.handingOn = stored.then(() => {
        this.handingOn = null;
        return this.handOn() ?? undefined;
      });
      break;
    }
    return this.handingOn;
  }

  private send({ event, at }: Waiting): Promise<void> | undefined {
    try {
      const told = typeof event === 'function' ? event() : event;
      const isLast = told.kind === 'RunFinished';
      if (this.broken || (this.full && !isLast)) return undefined;
      if (this.sequence >= this.maxEvents && !isLast)
        throw new EngineError(
          'RUN_TOO_MANY_EVENTS',
          `The run has more than ${this.maxEvents} events.`,
        );
      const stored = this.ports.emit(hideIn(told, this.secrets), {
        sequence: this.sequence + 1,
        at,
      });
      this.sequence += 1;
      return stored?.catch((error: unknown) => this.refuse(error));
    } catch (error) {
      this.refuse(error);
    }
  }

  private refuse(error: unknown): void {
    if (error instanceof EngineError) this.full = true;
    else this.broken = true;
    this.problem ??= error instanceof EngineError ? error : new EventsRefused(error);
  }
}

/** Requests and answers come with their secrets hidden already. */
function hideIn(event: RunEvent, secrets: RunSecrets): RunEvent {
  if (secrets.isEmpty) return event;
  const hidden = (text: string | null): string | null => text && secrets.hide(text);
  switch (event.kind) {
    case 'StepStarted':
      return {
        ...event,
        name: hidden(event.name),
        label: hidden(event.label),
        connector: event.connector && {
          ...event.connector,
          title: secrets.hide(event.connector.title),
        },
      };
    case 'StepFinished':
      return { ...event, name: hidden(event.name), error: withoutSecrets(event.error, secrets) };
    case 'RunFinished':
      return { ...event, error: withoutSecrets(event.error, secrets) };
    case 'ConditionEvaluated':
      return { ...event, expression: secrets.hide(event.expression) };
    case 'OperatorFailed':
      return {
        ...event,
        expression: secrets.hide(event.expression),
        error: withoutSecrets(event.error, secrets),
      };
    case 'RunLog':
      return { ...event, message: secrets.hide(event.message) };
    default:
      return event;
  }
}

export function withoutSecrets<Failure extends StepError>(
  error: Failure,
  secrets: RunSecrets,
): Failure;
export function withoutSecrets<Failure extends StepError>(
  error: Failure | null,
  secrets: RunSecrets,
): Failure | null;
export function withoutSecrets<Failure extends StepError>(
  error: Failure | null,
  secrets: RunSecrets,
): Failure | null {
  return error && { ...error, message: secrets.hide(error.message) };
}
