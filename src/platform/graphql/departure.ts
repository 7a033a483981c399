/** Whether somebody still waits for an answer. Much cheaper than an `AbortSignal`, of which most requests would never make use. */
export class Departure {
  private left = false;
  private readonly listeners = new Set<() => void>();

  get gone(): boolean {
    return this.left;
  }

  /** Calls the listener once he has gone, at once if he has; returns what stops that. */
  onGone(listener: () => void): () => void {
    if (this.left) listener();
    else this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** He is gone. */
  leave(): void {
    if (this.left) return;
    this.left = true;
    const listeners = [...this.listeners];
    this.listeners.clear();
    for (const listener of listeners) listener();
  }
}
