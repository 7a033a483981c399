/** Whether somebody still waits for an answer. Much cheaper than an `AbortSignal`, of which most requests would never make use. */
export class Departure {
  private left = false;
  /** A few: a list is smaller than a set. None of most sockets. */
  private listeners: (() => void)[] | null = null;

  get gone(): boolean {
    return this.left;
  }

  /** Calls the listener once he has gone, at once if he has. */
  onGone(listener: () => void): void {
    if (this.left) listener();
    else (this.listeners ??= []).push(listener);
  }

  /** The listener need not hear of it any more. */
  offGone(listener: () => void): void {
    this.listeners = this.listeners?.filter((other) => other !== listener) ?? null;
  }

  /** He is gone. */
  leave(): void {
    if (this.left) return;
    this.left = true;
    const { listeners } = this;
    this.listeners = null;
    for (const listener of listeners ?? []) listener();
  }
}
