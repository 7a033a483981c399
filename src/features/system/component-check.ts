import type { Clock } from '../../platform/clock/clock';
import type { Logger } from '../../platform/log/logger';

export type ComponentStatus = 'UP' | 'DOWN' | 'UNKNOWN';

type Details = Readonly<Record<string, string | number | boolean>>;

export interface CheckResult {
  /** `UNKNOWN`: the component is not in use. */
  readonly status: ComponentStatus;
  /** Whether `DOWN` is a problem of the service. */
  readonly isUsed: boolean;
  /** Why the component is down. */
  readonly error: string | null;
  readonly details: Details;
}

export const up = (details: Details): CheckResult => ({
  status: 'UP',
  isUsed: true,
  error: null,
  details,
});

export const down = (error: string, details: Details = {}): CheckResult => ({
  status: 'DOWN',
  isUsed: true,
  error,
  details,
});

/** @param error if the released versions show the component as down */
export const notUsed = (error: string | null = null): CheckResult => ({
  status: error === null ? 'UNKNOWN' : 'DOWN',
  isUsed: false,
  error,
  details: { enabled: false },
});

/** How a part of the service, or a system that it depends on, is checked. */
export interface ComponentCheck {
  /** Name in `/actuator/health/{component}`. */
  readonly name: string;
  /** Name for users. */
  readonly title: string;
  /** A check that ends by itself within the time limit may ignore the signal. */
  readonly run: (signal: AbortSignal) => Promise<CheckResult> | CheckResult;
}

/** The state of a component when it was last checked. */
export interface SystemComponent extends CheckResult {
  readonly name: string;
  readonly title: string;
  readonly checkedAt: Date;
  readonly durationMs: number;
}

export interface CheckTimes {
  /** Time limit of a check, ms. */
  readonly limitMs: number;
  /** How long a result is used again, ms. */
  readonly keepMs: number;
}

/**
 * Runs a check, one at a time, and keeps its result for a few seconds: any number of readers cause
 * one connection to the checked system.
 */
export class SharedCheck {
  readonly name: string;
  private latest: { readonly component: SystemComponent; readonly endedAt: number } | null = null;
  private current: Promise<SystemComponent> | null = null;
  /** The work of a check, which may go on after the time limit; null if none does. */
  private work: Promise<CheckResult> | null = null;

  constructor(
    private readonly check: ComponentCheck,
    private readonly deps: {
      readonly clock: Clock;
      readonly log: Logger;
      readonly times: CheckTimes;
    },
  ) {
    this.name = check.name;
  }

  async read(): Promise<SystemComponent> {
    const { latest } = this;
    if (latest && performance.now() - latest.endedAt < this.deps.times.keepMs)
      return latest.component;
    this.current ??= this.perform().finally(() => {
      this.current = null;
    });
    return this.current;
  }

  private async perform(): Promise<SystemComponent> {
    const { name, title } = this.check;
    const startedAt = performance.now();
    const result = await this.resultInTime();
    const endedAt = performance.now();
    const component = {
      name,
      title,
      ...result,
      checkedAt: this.deps.clock.now(),
      durationMs: Math.round(endedAt - startedAt),
    };
    this.latest = { component, endedAt };
    return component;
  }

  private async resultInTime(): Promise<CheckResult> {
    const { limitMs } = this.deps.times;
    const late = down(`It did not answer within ${limitMs / 1_000} seconds.`);
    // A check that ignores the time limit must not accumulate.
    if (this.work !== null) return late;
    const stopping = new AbortController();
    const work = this.runSafely(stopping.signal);
    this.work = work;
    void work.then(() => {
      this.work = null;
    });
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<CheckResult>((resolve) => {
      timer = setTimeout(() => {
        resolve(late);
        stopping.abort();
      }, limitMs);
    });
    const result = await Promise.race([work, limit]);
    clearTimeout(timer);
    return result;
  }

  /** Never rejects. */
  private async runSafely(signal: AbortSignal): Promise<CheckResult> {
    try {
      return await this.check.run(signal);
    } catch (error) {
      this.deps.log.error({ err: error, component: this.name }, 'a system check failed');
      return down('The check failed. The log of the service has the reason.');
    }
  }
}
