/**
 * Time limit of the calls of a step. Only calls, from sending to the complete answer, and pauses
 * between attempts use it up: a slow store, script or name server does not.
 */
export class TimeBudget {
  private spentMs = 0;

  /** @param setting where the limit comes from, for error messages */
  constructor(
    readonly limitMs: number,
    readonly setting: string,
  ) {}

  /** A whole number, not negative. */
  get leftMs(): number {
    return Math.max(Math.floor(this.limitMs - this.spentMs), 0);
  }

  readonly spend = (milliseconds: number): void => {
    this.spentMs += milliseconds;
  };

  /** For the next call, which takes from the budget. */
  get timing(): CallTiming {
    return { timeoutMs: Math.max(this.leftMs, 1), timeoutText: this.text, onTime: this.spend };
  }

  /** For a call that may take as long as the whole budget and takes nothing from it. */
  get ownTiming(): CallTiming {
    return { timeoutMs: this.limitMs, timeoutText: this.text };
  }

  private get text(): string {
    return `${this.limitMs} ms (${this.setting})`;
  }
}

/** How long a call may take. */
export interface CallTiming {
  timeoutMs: number;
  /** The limit with the setting that it comes from, for the error message. */
  timeoutText?: string;
  /**
   * Receives the duration of the call, as far as it counts for the timeout, when it ends: from
   * sending to the complete response, ms.
   */
  onTime?: (milliseconds: number) => void;
}
