import { setTimeout as delay } from 'node:timers/promises';

/** A server that failed is tried last. */
const AVOIDED_MS = 30_000;
/** While all servers have just failed, sign-ins fail at once. */
const PAUSE_MS = 2_000;
/** Interval of checks of a server that lets a sign-in wait. */
const WATCH_MS = 1_000;
/** Time limit of such a check. */
const WATCH_CHECK_MS = 2_000;
/** Time limit of a check when all servers are down. */
const RECHECK_MS = 5_000;

interface ServerFailure {
  readonly at: number;
  /** Whether the server failed a sign-in; otherwise it is only slow. */
  readonly isDown: boolean;
}

/** Remembers which servers answer, each for itself, and checks those that do not. */
export class ServerStates {
  private readonly failures = new Map<string, ServerFailure>();
  private readonly checks = new Map<string, Promise<boolean>>();

  constructor(
    private readonly urls: readonly string[],
    private readonly answers: (url: string, timeoutMs: number) => Promise<boolean>,
    /** ms */
    private readonly now: () => number,
  ) {}

  /** Returns the servers in the configured order, those that failed lately last. */
  inOrder(): string[] {
    const avoided = this.urls.filter((url) => this.hasFailedWithin(url, AVOIDED_MS));
    return [...this.urls.filter((url) => !avoided.includes(url)), ...avoided];
  }

  worked(url: string): void {
    this.failures.delete(url);
  }

  failed(url: string): void {
    this.failures.set(url, { at: this.now(), isDown: true });
  }

  /**
   * Returns false if all servers are down. Concurrent callers share the checks of servers that
   * failed some time ago.
   */
  async areUsable(): Promise<boolean> {
    if (this.urls.some((url) => this.failures.get(url)?.isDown !== true)) return true;
    if (this.urls.every((url) => this.hasFailedWithin(url, PAUSE_MS))) return false;
    const checks = this.urls.map(async (url) => {
      if (!(await this.check(url, RECHECK_MS))) throw new Error(`${url} is down.`);
    });
    return Promise.any(checks).then(
      () => true,
      () => false,
    );
  }

  /**
   * Watches the server of a conversation that has no result yet. Resolves when the conversation is
   * to be given up: `back` if the server answers again but not this conversation, `silent` if it
   * answers nothing and another server is left. Resolves to null when the signal is aborted.
   * @param hasAnswered whether the server has answered anything in this conversation
   */
  async watch(
    url: string,
    {
      hasAnswered,
      hasOthers,
    }: { readonly hasAnswered: () => boolean; readonly hasOthers: boolean },
    signal: AbortSignal,
  ): Promise<'back' | 'silent' | null> {
    for (let wasSilent = false; ;) {
      await delay(WATCH_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return null;
      const isAnswering = await this.check(url, WATCH_CHECK_MS);
      // A search may be slow although the server works.
      if (isAnswering && (wasSilent || !hasAnswered())) return 'back';
      if (!isAnswering && hasOthers) return 'silent';
      wasSilent = !isAnswering;
    }
  }

  /** Concurrent callers share one check. */
  private check(url: string, timeoutMs: number): Promise<boolean> {
    const running = this.checks.get(url);
    if (running) return running;
    const check = this.answers(url, timeoutMs)
      .then((isAnswering) => {
        if (isAnswering) this.worked(url);
        else {
          const isDown = this.failures.get(url)?.isDown ?? false;
          this.failures.set(url, { at: this.now(), isDown });
        }
        return isAnswering;
      })
      .finally(() => this.checks.delete(url));
    this.checks.set(url, check);
    return check;
  }

  private hasFailedWithin(url: string, durationMs: number): boolean {
    const failure = this.failures.get(url);
    return failure !== undefined && this.now() - failure.at < durationMs;
  }
}
