import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long a piece of long work goes on before others have their turn, ms. */
const TURN_MS = 8;

/** Divides long work on the event loop into turns: `if (turns.over) await turns.next()`. */
export class Turns {
  private startedAt = performance.now();

  /** Has this turn lasted long enough? */
  get over(): boolean {
    return performance.now() - this.startedAt > TURN_MS;
  }

  /** Lets everybody else go first. */
  async next(): Promise<void> {
    await nextTurn();
    this.startedAt = performance.now();
  }
}
