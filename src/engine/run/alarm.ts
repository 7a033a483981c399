/** setTimeout fires at once for anything longer. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Rings when what a run waits for takes too long. One timer serves all that it waits for, one after the other, and sleeps on when it wakes and nothing is due: to set and
 * clear one for each step takes a twentieth of what the engine takes for it.
 */
export class Alarm implements Disposable {
  private timer: NodeJS.Timeout | null = null;
  /** When the timer wakes, which is never after it is due. */
  private wakesAt = Infinity;
  private dueAt = Infinity;
  private ring: (() => void) | null = null;

  set(milliseconds: number, ring: () => void): void {
    this.dueAt = performance.now() + milliseconds;
    this.ring = ring;
    if (this.dueAt < this.wakesAt) this.sleep(milliseconds);
  }

  off(): void {
    this.ring = null;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer ?? undefined);
  }

  private sleep(milliseconds: number): void {
    clearTimeout(this.timer ?? undefined);
    this.wakesAt = performance.now() + milliseconds;
    this.timer = setTimeout(() => this.wake(), Math.min(milliseconds, LONGEST_TIMER));
  }

  private wake(): void {
    this.wakesAt = Infinity;
    const left = this.dueAt - performance.now();
    const { ring } = this;
    if (ring === null) return;
    if (left > 0) this.sleep(left);
    else ring();
  }
}
