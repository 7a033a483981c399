/**
 * Signals that a caller no longer waits for its answer. Much cheaper than an `AbortSignal`, which
 * most requests would never use.
 */
export class Departure {
  private left = false;
  /** A list, which is smaller than a set for a few. Null for most sockets. */
  private listeners: (() => void)[] | null = null;

  get gone(): boolean {
    return this.left;
  }

  /** Calls the listener when the caller leaves, at once if it has left. */
  onGone(listener: () => void): void {
    if (this.left) listener();
    else (this.listeners ??= []).push(listener);
  }

  offGone(listener: () => void): void {
    this.listeners = this.listeners?.filter((other) => other !== listener) ?? null;
  }

  leave(): void {
    if (this.left) return;
    this.left = true;
    const { listeners } = this;
    this.listeners = null;
    for (const listener of listeners ?? []) listener();
  }
}
