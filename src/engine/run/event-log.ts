import { EngineError } from '../errors';
import type { RunEvent } from '../events';
import type { Ports } from '../ports';
import type { RunSecrets } from '../secrets/run-secrets';
import { replaceTexts } from './event-texts';
import { EventsRefused } from './stop';

/** Maximum number of delayed events; more are emitted at once. */
const MOST_WAITING = 8;

/** An event, or a function that creates it when it is emitted, with the secrets known by then. */
type NewEvent = RunEvent | (() => RunEvent);

interface Waiting {
  readonly event: NewEvent;
  readonly at: Date;
}

/** Numbers the events of one run, hides secrets, and emits them in order, up to a maximum. */
export class EventLog {
  /** Number of warnings so far. */
  warnings = 0;
  private sequence = 0;
  /** Set after a refused event: nothing more is emitted, so that there is no gap. */
  private broken = false;
  /** The maximum is reached; only the last event, which reports it, is still emitted. */
  private full = false;
  private readonly waiting: Waiting[] = [];
  private turn: NodeJS.Immediate | null = null;
  /** Pending while the port is busy and events wait. */
  private handingOn: Promise<void> | null = null;
  /** Error of a refused event that has not been thrown yet. */
  private problem: EngineError | EventsRefused | null = null;

  constructor(
    private readonly ports: Pick<Ports, 'emit' | 'clock'>,
    private readonly secrets: RunSecrets,
    private readonly maxEvents: number,
  ) {}

  /**
   * Emits an event. Returns a promise only if the port makes the run wait, which is rare.
   * @throws EventsRefused
   * @throws EngineError RUN_TOO_MANY_EVENTS, and errors of a port that accepts no more events
   */
  emit(event: NewEvent): void | Promise<void> {
    this.waiting.push({ event, at: this.ports.clock.now() });
    return this.settle();
  }

  /**
   * Emits an event two event loop iterations later, when the request of the next step has been
   * sent, so that writing it overlaps with waiting for the remote system. Errors are thrown by the
   * next call.
   * @throws errors of `emit`
   */
  later(event: NewEvent): void | Promise<void> {
    this.waiting.push({ event, at: this.ports.clock.now() });
    if (this.waiting.length >= MOST_WAITING || this.sequence + this.waiting.length > this.maxEvents)
      return this.settle();
    this.turn ??= setImmediate(() => {
      this.turn = setImmediate(() => void this.handOn());
    });
    return this.afterwards(this.handingOn);
  }

  /**
   * Emits all delayed events; call before code that may block.
   * @throws errors of `emit`
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

  /** Never throws; errors are stored in `problem`. */
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
      const current = typeof event === 'function' ? event() : event;
      const isLast = current.kind === 'RunFinished';
      if (this.broken || (this.full && !isLast)) return undefined;
      if (this.sequence >= this.maxEvents && !isLast)
        throw new EngineError(
          'RUN_TOO_MANY_EVENTS',
          `The run has more than ${this.maxEvents} events.`,
        );
      const stored = this.ports.emit(this.withoutSecrets(current), {
        sequence: this.sequence + 1,
        at,
      });
      this.sequence += 1;
      if (current.kind === 'RunLog' && current.level === 'WARN') this.warnings += 1;
      return stored?.catch((error: unknown) => this.refuse(error));
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Requests and responses are already masked. */
  private withoutSecrets(event: RunEvent): RunEvent {
    const { secrets } = this;
    return secrets.isEmpty ? event : replaceTexts(event, (text) => secrets.hide(text));
  }

  private refuse(error: unknown): void {
    if (error instanceof EngineError) this.full = true;
    else this.broken = true;
    this.problem ??= error instanceof EngineError ? error : new EventsRefused(error);
  }
}
