import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HttpPort, RunEvent } from '../../../engine';
import type { StepPlace, Supervision } from './run-engine';

/** Decides when requests of a run may leave. */
export interface SendGate {
  /** Is to see the events of the run. */
  readonly current: CurrentStep;
  /** To be called before each request. The request waits for the promise, where there is one; when it rejects, nothing is sent. */
  beforeSend(): Promise<void> | undefined;
}

/** The engine hands events on up to two turns of the event loop late (ADR 72). */
const TURNS_OF_EVENTS = 3;

/** Remembers which step a run began last. */
export class CurrentStep {
  place: StepPlace | null = null;

  see(event: RunEvent): void {
    if (event.kind === 'StepStarted')
      this.place = {
        step: event.stepId,
        index: event.index,
        loopIndex: event.loopIndex,
        attempt: event.attempt,
      };
  }
}

/** Lets a request leave only when the gate does. */
export const gated = (http: HttpPort, gate: SendGate): HttpPort => ({
  createCookies: http.createCookies?.bind(http),
  async send(request, signal) {
    await gate.beforeSend();
    signal.throwIfAborted();
    return http.send(request, signal);
  },
});

/** The same for calls of webhooks. */
export const gatedWebhooks =
  (start: Supervision['startWebhook'], gate: SendGate): Supervision['startWebhook'] =>
  async (call) => {
    await gate.beforeSend();
    return start(call);
  };

/** Opens with the mark of the first request; after that it is closed while the run may belong to another process. */
export class MarkingGate implements SendGate {
  readonly current = new CurrentStep();
  private mark: Promise<void> | null = null;
  private isMarked = false;

  /**
   * @param markFirst stores that the run sends something
   * @param untilHeld undefined: the run is certainly this process's
   */
  constructor(
    private readonly markFirst: (place: StepPlace | null) => Promise<void>,
    private readonly untilHeld: () => Promise<void> | undefined,
  ) {}

  beforeSend(): Promise<void> | undefined {
    if (this.isMarked) return this.untilHeld();
    return (this.mark ??= this.first());
  }

  private async first(): Promise<void> {
    for (let turn = 0; turn < TURNS_OF_EVENTS; turn += 1) await nextTurn();
    await this.markFirst(this.current.place);
    this.isMarked = true;
  }
}
