import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HttpPort, RunEvent } from '../../../engine';
import type { StepPlace, Supervision } from './run-engine';

/** Decides when requests of a run may be sent. */
export interface SendGate {
  /** Must see all events of the run. */
  readonly current: CurrentStep;
  /**
   * Call before each request, which waits for a returned promise. If it rejects, nothing is sent.
   */
  beforeSend(): Promise<void> | undefined;
}

/** The engine emits events up to two iterations of the event loop late (ADR 72). */
const TURNS_OF_EVENTS = 3;

/** Remembers the step that a run started last. */
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

/** Delays requests until the gate allows them. */
export const gated = (http: HttpPort, gate: SendGate): HttpPort => ({
  createCookies: http.createCookies?.bind(http),
  async send(request, signal) {
    await gate.beforeSend();
    signal.throwIfAborted();
    return http.send(request, signal);
  },
});

/** The same for webhook calls. */
export const gatedWebhooks =
  (start: Supervision['startWebhook'], gate: SendGate): Supervision['startWebhook'] =>
  async (call) => {
    await gate.beforeSend();
    return start(call);
  };

/** Opens when the first request is marked; later closed while another process may hold the run. */
export class MarkingGate implements SendGate {
  readonly current = new CurrentStep();
  private mark: Promise<void> | null = null;
  private isMarked = false;

  /**
   * @param markFirst stores that the run sends something
   * @param untilHeld returns undefined if this process certainly holds the run
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
