import type { Actor } from '../../platform/access/actor';
import { isAdmin } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { NotFound } from '../../platform/errors/errors';
import { SharedEvents } from '../../platform/events/shared-events';
import type { Logger } from '../../platform/log/logger';
import { resolvedAfter } from '../../platform/store/lists/live-list';
import { SharedCheck } from './component-check';
import type { CheckTimes, ComponentCheck, SystemComponent } from './component-check';

declare module '../../platform/context' {
  interface Services {
    systemCheck: SystemCheckService;
  }
}

/** The state of the service and of the systems that it depends on. */
export interface SystemHealth {
  /** `DOWN` if a component that is in use is down. */
  readonly status: 'UP' | 'DOWN';
  readonly components: readonly SystemComponent[];
}

/** Later states have greater numbers. */
type NumberedHealth = SystemHealth & { readonly number: number };

const TIMES: CheckTimes = { limitMs: 5_000, keepMs: 5_000 };
/** Interval of the subscription, ms. */
const FOLLOW_MS = 10_000;
/** The position before the first state. */
const START = 0;

/** Checks the parts of the service, concurrently and at most once every few seconds. */
export class SystemCheckService {
  private readonly checks: readonly SharedCheck[];
  private latest: NumberedHealth = { number: START, status: 'UP', components: [] };

  constructor(
    private readonly deps: {
      readonly checks: readonly ComponentCheck[];
      readonly clock: Clock;
      readonly log: Logger;
      readonly times?: CheckTimes;
      readonly followMs?: number;
    },
  ) {
    const { checks, times = TIMES } = deps;
    this.checks = checks.map((check) => new SharedCheck(check, { ...deps, times }));
  }

  /** Returns the state of all components, without details if the actor is no administrator. */
  async read(actor: Actor): Promise<SystemHealth> {
    return visibleTo(actor, await this.current());
  }

  /**
   * Returns the state of one component, and checks no others.
   * @throws NotFound SYSTEM_COMPONENT_NOT_FOUND
   */
  async readOne(actor: Actor, name: string): Promise<SystemComponent> {
    const check = this.checks.find((each) => each.name === name);
    if (!check)
      throw new NotFound(
        'SYSTEM_COMPONENT_NOT_FOUND',
        `The system check has no component "${name}".`,
      );
    const component = await check.read();
    return isAdmin(actor) ? component : withoutDetails(component);
  }

  /** Yields the state at once, then after each check. Restrict each event with `visibleTo`. */
  follow(signal: AbortSignal): SharedEvents<NumberedHealth> {
    const { followMs = FOLLOW_MS } = this.deps;
    return new SharedEvents(
      {
        channel: 'systemCheck',
        start: START,
        placeOf: ({ number }) => number,
        open: (place, until) => this.states(place, until, followMs),
        pauseMs: followMs,
      },
      signal,
    );
  }

  /**
   * Returns the state with all details; `read` hides them from users who may not see them. The same
   * object is returned while no component was checked again.
   */
  async current(): Promise<NumberedHealth> {
    const components = await Promise.all(this.checks.map((check) => check.read()));
    const { latest } = this;
    if (components.every((component, at) => component === latest.components[at])) return latest;
    const isDown = components.some(({ status, isUsed }) => status === 'DOWN' && isUsed);
    this.latest = { number: latest.number + 1, status: isDown ? 'DOWN' : 'UP', components };
    return this.latest;
  }

  private async *states(
    after: number,
    signal: AbortSignal,
    followMs: number,
  ): AsyncGenerator<NumberedHealth, void, undefined> {
    // A reader that continues from a state has just received it.
    if (after > START) await resolvedAfter(signal, followMs);
    for (let lastSent = after; !signal.aborted;) {
      const health = await this.current();
      if (health.number > lastSent) {
        lastSent = health.number;
        yield health;
      }
      await resolvedAfter(signal, followMs);
    }
  }
}

const withoutDetails = (component: SystemComponent): SystemComponent => ({
  ...component,
  error: null,
  details: {},
});

/** Removes details and errors, which contain addresses, if the actor is no administrator. */
export const visibleTo = (actor: Actor, health: SystemHealth): SystemHealth =>
  isAdmin(actor) ? health : { ...health, components: health.components.map(withoutDetails) };
