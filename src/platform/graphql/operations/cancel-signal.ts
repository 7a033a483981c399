/**
 * Signals that a caller no longer waits for its answer. Much cheaper than an `AbortSignal`, which
 * most requests would never use.
 */
export class CancelSignal {
  private cancelled = false;
  /** A list, which is smaller than a set for a few. Null for most sockets. */
  private listeners: (() => void)[] | null = null;

  get isCancelled(): boolean {
    return this.cancelled;
  }

  /** Calls the listener when the caller leaves, at once if it has left. */
  onCancel(listener: () => void): void {
    if (this.cancelled) listener();
    else (this.listeners ??= []).push(listener);
  }

  offCancel(listener: () => void): void {
    this.listeners = this.listeners?.filter((other) => other !== listener) ?? null;
  }

  cancel(): void {
    if (this.cancelled) return;
    this.cancelled = true;
    const { listeners } = this;
    this.listeners = null;
    for (const listener of listeners ?? []) listener();
  }
}
