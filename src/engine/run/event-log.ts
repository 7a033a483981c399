import type { RunEvent } from '../events';
import type { Ports } from '../ports';
import { EventsRefused } from './stop';

/** Numbers the events of one run, from 1 without gaps, and hands them on in order. */
export class EventLog {
  private sequence = 0;
  /** After a refused event nothing is sent any more, so that no gap can appear. */
  private broken = false;

  constructor(private readonly ports: Pick<Ports, 'emit' | 'clock'>) {}

  /** @throws EventsRefused */
  async emit(event: RunEvent): Promise<void> {
    if (this.broken) return;
    this.sequence += 1;
    try {
      const stored = this.ports.emit({ ...event, sequence: this.sequence, at: this.ports.clock.now() });
      if (stored !== undefined) await stored;
    } catch (error) {
      this.broken = true;
      throw new EventsRefused(error);
    }
  }
}
