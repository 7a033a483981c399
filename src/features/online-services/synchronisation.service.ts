import { systemActor } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { OnlineConfig } from '../../config/online-services';
import type { Core } from '../../platform/core';
import { Conflict, DomainError, reasonsOf, Refused } from '../../platform/errors/errors';
import type { JobRecord } from '../../platform/jobs/job.model';
import type { Outbound } from '../../platform/outbound';
import { createRepeating } from '../../platform/repeating';
import type { Repeating } from '../../platform/repeating';
import type { JobService } from '../jobs/job.service';
import { cronProblems, nextFire, tidyCron } from '../../platform/clock/cron';
import type { OnlineItems } from './online-items.service';
import { KINDS } from './online-service';
import type { OnlineKind } from './online-service';
import type { OnlineItemRecord, SynchronisationRecord } from './online-service.model';
import { onlinePolicy } from './online-service.policy';
import { Portal } from './portal';
import { ItemResults } from './synchronisation-history';
import type { SynchronisationHistory } from './synchronisation-history';

declare module '../../platform/context' {
  interface Services {
    synchronisations: SynchronisationService;
  }
}

const TICK_MS = 1_000;
const MAX_PERCENT = 99;

/** State of the synchronisation of one kind. */
export interface OnlineSource {
  readonly kind: OnlineKind;
  readonly isActive: boolean;
  readonly isRunning: boolean;
  readonly cron: string;
  /** Null: it is not synchronised by itself. */
  readonly nextAt: Date | null;
}

interface Progress {
  readonly signal: AbortSignal;
  progress(percent: number, message?: string): Promise<void>;
}

/** Synchronises invokers and templates with the portal: when they are due, and on demand. */
export class SynchronisationService {
  private readonly running = new Set<OnlineKind>();
  private readonly due = new Map<OnlineKind, Date>();
  private readonly ticks: Repeating;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly outbound: Outbound;
      readonly items: OnlineItems;
      readonly history: SynchronisationHistory;
      readonly jobs: Pick<JobService, 'start'>;
      readonly config: OnlineConfig;
      readonly timeZone: string;
      readonly tickMs?: number;
    },
  ) {
    const tickMs = deps.tickMs ?? TICK_MS;
    this.ticks = createRepeating((signal) => this.startDue(signal), {
      firstMs: tickMs,
      thenMs: tickMs,
    });
  }

  /** Follows the cron expressions. */
  start(): void {
    const { log } = this.deps.core;
    const active = KINDS.filter((kind) => this.isActive(kind));
    for (const kind of active) {
      const { cron } = this.deps.config.kinds[kind];
      const [problem] = cronProblems(cron, this.deps.timeZone);
      if (problem) log.error({ kind, cron }, `Nothing is synchronised: ${problem.message}`);
      else this.plan(kind);
    }
    if (this.due.size > 0) this.ticks.start();
  }

  stop(): Promise<void> {
    return this.ticks.stop();
  }

  get isOn(): boolean {
    return this.deps.config.isActive && this.deps.config.address !== null;
  }

  /** The address of the portal, without user and password; null: not set. */
  get address(): string | null {
    const { address } = this.deps.config;
    if (address === null) return null;
    const url = new URL(address);
    return `${url.origin}${url.pathname}`;
  }

  isActive(kind: OnlineKind): boolean {
    return this.isOn && this.deps.config.kinds[kind].isActive;
  }

  sources(): OnlineSource[] {
    return KINDS.map((kind) => ({
      kind,
      isActive: this.isActive(kind),
      isRunning: this.running.has(kind),
      cron: this.deps.config.kinds[kind].cron,
      nextAt: this.due.get(kind) ?? null,
    }));
  }

  /**
   * Starts a synchronisation as a background job. Its result is the record.
   * @throws Refused ONLINE_SERVICES_OFF
   * @throws Conflict SYNCHRONISATION_RUNNING
   */
  async startJob(
    actor: Actor,
    kind: OnlineKind,
    isDryRun: boolean,
    present: (record: SynchronisationRecord) => unknown,
  ): Promise<JobRecord> {
    this.portal();
    this.requireIdle(kind);
    return this.deps.jobs.start(actor, 'online-synchronisation', onlinePolicy.change, async (job) =>
      present(await this.synchronise(actor, kind, isDryRun, job)),
    );
  }

  /** See `OnlineItems.take`. @throws Refused ONLINE_SERVICES_OFF */
  take(actor: Actor, itemId: string): Promise<OnlineItemRecord> {
    return this.deps.items.take(actor, this.portal(), itemId);
  }

  private async startDue(signal: AbortSignal): Promise<void> {
    for (const [kind, at] of this.due) {
      if (signal.aborted || at > this.deps.core.clock.now() || this.running.has(kind)) continue;
      const actor = systemActor('online-services');
      const progress = { signal, progress: () => Promise.resolve() };
      try {
        await this.synchronise(actor, kind, false, progress);
      } catch (err) {
        this.deps.core.log.error({ err, kind }, 'a synchronisation failed');
      }
      this.plan(kind);
    }
  }

  private plan(kind: OnlineKind): void {
    const { core, config, timeZone } = this.deps;
    const next = nextFire(tidyCron(config.kinds[kind].cron), timeZone, core.clock.now());
    if (next) this.due.set(kind, next);
    else this.due.delete(kind);
  }

  /**
   * Compares all items of the portal. One that fails does not stop the others.
   * @throws Refused PORTAL_FAILED the portal cannot be read
   */
  private async synchronise(
    actor: Actor,
    kind: OnlineKind,
    isDryRun: boolean,
    job: Progress,
  ): Promise<SynchronisationRecord> {
    const portal = this.portal();
    this.requireIdle(kind);
    this.running.add(kind);
    try {
      const record = await this.deps.history.begin(actor, kind, isDryRun);
      const results = new ItemResults();
      const end = (state: 'SUCCEEDED' | 'FAILED', message: string | null) =>
        this.deps.history.end(record, { state, message, ...results.contents() });
      try {
        await this.compareAll(actor, kind, portal, isDryRun, job, results);
      } catch (error) {
        const isKnown = error instanceof DomainError || job.signal.aborted;
        await end('FAILED', isKnown ? messageOf(error) : 'An internal error; see the log.');
        throw error;
      }
      return await end('SUCCEEDED', null);
    } finally {
      this.running.delete(kind);
    }
  }

  private async compareAll(
    actor: Actor,
    kind: OnlineKind,
    portal: Portal,
    isDryRun: boolean,
    job: Progress,
    results: ItemResults,
  ): Promise<void> {
    const { items } = this.deps;
    const listed = await portal.list(kind, job.signal);
    const keys = new Set<string>();
    for (const [index, item] of listed.entries()) {
      job.signal.throwIfAborted();
      await job.progress((MAX_PERCENT * index) / listed.length, `${index} of ${listed.length}`);
      try {
        const key = items.keyOf(kind, item);
        keys.add(key);
        const options = { isDryRun, signal: job.signal };
        results.add(item, await items.synchronise(actor, kind, portal, item, options));
      } catch (error) {
        if (job.signal.aborted || !(error instanceof DomainError)) throw error;
        results.add(item, 'FAILED', messageOf(error));
      }
    }
    for (const item of await items.taken(kind)) if (!keys.has(item.key)) results.add(item, 'GONE');
  }

  private portal(): Portal {
    const { outbound, config } = this.deps;
    if (!config.isActive || config.address === null)
      throw new Refused(
        'ONLINE_SERVICES_OFF',
        'The online services are off, or the address of the portal is not set.',
      );
    return new Portal(outbound, { address: config.address, token: config.token });
  }

  private requireIdle(kind: OnlineKind): void {
    if (this.running.has(kind))
      throw new Conflict('SYNCHRONISATION_RUNNING', 'A synchronisation is running.', {
        path: ['kind'],
      });
  }
}

const messageOf = (error: unknown): string =>
  error instanceof DomainError
    ? reasonsOf(error)
        .slice(0, 3)
        .map(({ message }) => message)
        .join(' ')
    : 'It was interrupted.';
