import { EngineError } from '../errors';
import type { RunEvent, StepError } from '../events';
import type { Ports } from '../ports';
import type { RunSecrets } from '../secrets/run-secrets';
import { EventsRefused } from './stop';

/** Numbers the events of one run, from 1 without gaps, hides its secrets in their texts, and hands them on in order, up to a number of them. */
export class EventLog {
  private sequence = 0;
  /** After a refused event nothing is sent any more, so that no gap can appear. */
  private broken = false;
  /** When no more are taken, the last one is all the same: it says so. */
  private full = false;

  constructor(private readonly ports: Pick<Ports, 'emit' | 'clock'>, private readonly secrets: RunSecrets, private readonly maxEvents: number) {}

  /**
   * A promise only where the port wants the run to wait: nearly always it does not, and a run has two events for each step.
   * @throws EventsRefused
   * @throws EngineError RUN_TOO_MANY_EVENTS, and what the port throws that takes no more of them
   */
  emit(event: RunEvent): void | Promise<void> {
    const isLast = event.kind === 'RunFinished';
    if (this.broken || (this.full && !isLast)) return;
    try {
      if (this.sequence >= this.maxEvents && !isLast) throw new EngineError('RUN_TOO_MANY_EVENTS', `The run has more than ${this.maxEvents} events.`);
      const stored = this.ports.emit(hideIn(event, this.secrets), { sequence: this.sequence + 1, at: this.ports.clock.now() });
      this.sequence += 1;
      if (stored !== undefined) return stored.catch((error: unknown) => { throw this.refusal(error); });
    } catch (error) {
      throw this.refusal(error);
    }
  }

  private refusal(error: unknown): EngineError | EventsRefused {
    if (error instanceof EngineError) {
      this.full = true;
      return error;
    }
    this.broken = true;
    return new EventsRefused(error);
  }
}

/** Requests and answers come with their secrets hidden already. */
function hideIn(event: RunEvent, secrets: RunSecrets): RunEvent {
  if (secrets.isEmpty) return event;
  const hidden = (text: string | null): string | null => text && secrets.hide(text);
  switch (event.kind) {
    case 'StepStarted': return { ...event, name: hidden(event.name) };
    case 'StepFinished': return { ...event, name: hidden(event.name), error: withoutSecrets(event.error, secrets) };
    case 'RunFinished': return { ...event, error: withoutSecrets(event.error, secrets) };
    case 'ConditionEvaluated': return { ...event, expression: secrets.hide(event.expression) };
    case 'RunLog': return { ...event, message: secrets.hide(event.message) };
    default: return event;
  }
}

export function withoutSecrets<Failure extends StepError>(error: Failure, secrets: RunSecrets): Failure;
export function withoutSecrets<Failure extends StepError>(error: Failure | null, secrets: RunSecrets): Failure | null;
export function withoutSecrets<Failure extends StepError>(error: Failure | null, secrets: RunSecrets): Failure | null {
  return error && { ...error, message: secrets.hide(error.message) };
}
