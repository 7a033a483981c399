import { systemActor } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { OnlineConfig } from '../../config/online-services';
import type { Core } from '../../platform/core';
import { DomainError, reasonsOf, Refused } from '../../platform/errors/errors';
import { missingSettings } from '../../platform/errors/missing-settings';
import type { JobRecord } from '../../platform/jobs/job.model';
import type { Outbound } from '../../platform/outbound';
import { createRepeating } from '../../platform/repeating';
import type { Repeating } from '../../platform/repeating';
import type { JobService } from '../jobs/job.service';
import { nextFire, tidyCron } from '../../platform/clock/cron';
import type { OnlineItems } from './online-items.service';
import { KINDS } from './online-service';
import type { OnlineKind } from './online-service';
import type { OnlineItemRecord, SynchronisationRecord } from './online-service.model';
import { onlinePolicy } from './online-service.policy';
import { Portal, portalFailed, PortalUnreachable } from './portal';
import { ItemResults } from './synchronisation-history';
import type { SynchronisationHistory } from './synchronisation-history';

declare module '../../platform/context' {
  interface Services {
    synchronisations: SynchronisationService;
  }
}

const TICK_MS = 1_000;
const MAX_PERCENT = 99;
/** After this number of files in a row that the portal did not deliver, a synchronisation ends. */
const MAX_UNREACHABLE = 3;

/** State of the synchronisation of one kind. */
export interface OnlineSource {
  readonly kind: OnlineKind;
  readonly isActive: boolean;
  readonly cron: string;
  /** Null: it is not synchronised by itself. */
  readonly nextAt: Date | null;
}

interface Options {
  readonly kind: OnlineKind;
  /** Only list what would be done. */
  readonly isDryRun: boolean;
  /** Null: a user started it. */
  readonly dueAt: Date | null;
  readonly signal?: AbortSignal;
  readonly report: (done: number, total: number) => Promise<void> | void;
}

/** Synchronises invokers and templates with the portal: when they are due, and on demand. */
export class SynchronisationService {
  private readonly due = new Map<OnlineKind, Date>();
  private readonly running = new Set<Promise<unknown>>();
  private readonly stopping = new AbortController();
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
    this.ticks = createRepeating(() => this.startDue(), { firstMs: tickMs, thenMs: tickMs });
  }

  /** Follows the cron expressions. */
  start(): void {
    for (const kind of KINDS) if (this.isActive(kind)) this.plan(kind);
    if (this.due.size > 0) this.ticks.start();
  }

  /** Ends running synchronisations; the next ones continue. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ticks.stop();
    await Promise.allSettled(this.running);
  }

  get isOn(): boolean {
    return this.deps.config.isActive && this.deps.config.address !== null;
  }

  /** The address of the portal; null: not set. */
  get address(): string | null {
    return this.deps.config.address;
  }

  get missingKeys(): readonly string[] {
    return this.deps.config.missingKeys;
  }

  isActive(kind: OnlineKind): boolean {
    return this.isOn && this.deps.config.kinds[kind].isActive;
  }

  sources(): OnlineSource[] {
    return KINDS.map((kind) => ({
      kind,
      isActive: this.isActive(kind),
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
    const { jobs, history } = this.deps;
    this.portal();
    await history.requireIdle(kind);
    return jobs.start(actor, 'online-synchronisation', onlinePolicy.change, async (job) => {
      const report = (done: number, total: number): Promise<void> =>
        job.progress((MAX_PERCENT * done) / total, `${done} of ${total}`);
      const options = { kind, isDryRun, dueAt: null, signal: job.signal, report };
      return present(await this.requireRun(actor, options));
    });
  }

  /**
   * Synchronises for an operator.
   * @throws Refused ONLINE_SERVICES_OFF, PORTAL_FAILED
   * @throws Conflict SYNCHRONISATION_RUNNING
   */
  synchronise(
    actor: Actor,
    options: Pick<Options, 'kind' | 'isDryRun' | 'report'>,
  ): Promise<SynchronisationRecord> {
    return this.requireRun(actor, { ...options, dueAt: null });
  }

  /** See `OnlineItems.take`. @throws Refused ONLINE_SERVICES_OFF */
  take(actor: Actor, itemId: string): Promise<OnlineItemRecord> {
    return this.deps.items.take(actor, this.portal(), itemId, this.stopping.signal);
  }

  private async startDue(): Promise<void> {
    const now = this.deps.core.clock.now();
    const due = [...this.due].filter(([, at]) => at <= now);
    await Promise.all(due.map(([kind, at]) => this.runDue(kind, at)));
  }

  private async runDue(kind: OnlineKind, dueAt: Date): Promise<void> {
    const actor = systemActor('online-services');
    this.plan(kind);
    try {
      await this.run(actor, { kind, isDryRun: false, dueAt, report: () => undefined });
    } catch (err) {
      if (this.stopping.signal.aborted) return;
      this.deps.core.log.error({ err, kind }, 'a synchronisation with the portal failed');
    }
  }

  private plan(kind: OnlineKind): void {
    const { core, config, timeZone } = this.deps;
    const next = nextFire(tidyCron(config.kinds[kind].cron), timeZone, core.clock.now());
    if (next) this.due.set(kind, next);
    else this.due.delete(kind);
  }

  private async requireRun(actor: Actor, options: Options): Promise<SynchronisationRecord> {
    const record = await this.run(actor, options);
    if (!record) throw new Error('Only synchronisations that are due are left out.');
    return record;
  }

  /**
   * Compares all items of the portal. One that fails does not stop the others. Returns null if
   * another process did it.
   * @throws Refused PORTAL_FAILED the portal cannot be read
   */
  private async run(actor: Actor, options: Options): Promise<SynchronisationRecord | null> {
    const portal = this.portal();
    const running = this.runWith(portal, actor, {
      ...options,
      signal: AbortSignal.any([this.stopping.signal, ...(options.signal ? [options.signal] : [])]),
    });
    this.running.add(running);
    try {
      return await running;
    } finally {
      this.running.delete(running);
    }
  }

  private async runWith(
    portal: Portal,
    actor: Actor,
    options: Options & { readonly signal: AbortSignal },
  ): Promise<SynchronisationRecord | null> {
    const { history, core } = this.deps;
    const { kind, isDryRun, dueAt, signal } = options;
    const startedBy = dueAt ? null : actor.email;
    const record = await history.begin({ kind, isDryRun, startedBy, dueAt });
    if (!record) return null;
    const results = new ItemResults();
    const end = (state: 'SUCCEEDED' | 'FAILED', message: string | null) =>
      history.end(record, { state, message, ...results.contents() });
    try {
      await this.compareAll(portal, actor, options, results);
    } catch (error) {
      const isKnown = error instanceof DomainError || signal.aborted;
      if (!isKnown) core.log.error({ err: error, kind }, 'internal error in a synchronisation');
      await end('FAILED', isKnown ? messageOf(error) : 'An internal error; see the log.');
      throw error;
    }
    return end('SUCCEEDED', null);
  }

  private async compareAll(
    portal: Portal,
    actor: Actor,
    { kind, isDryRun, signal, report }: Options & { readonly signal: AbortSignal },
    results: ItemResults,
  ): Promise<void> {
    const { items } = this.deps;
    const listed = await portal.list(kind, signal);
    const keys = new Set<string>();
    let unreachable = 0;
    for (const [index, item] of listed.entries()) {
      signal.throwIfAborted();
      await report(index, listed.length);
      try {
        const key = items.keyOf(kind, item);
        if (keys.has(key)) throw portalFailed('The portal lists it twice.');
        keys.add(key);
        results.add(item, await items.synchronise(actor, kind, portal, item, { isDryRun, signal }));
        unreachable = 0;
      } catch (error) {
        if (signal.aborted || !(error instanceof DomainError)) throw error;
        results.add(item, 'FAILED', messageOf(error));
        unreachable = error instanceof PortalUnreachable ? unreachable + 1 : 0;
        if (unreachable === MAX_UNREACHABLE) throw error;
      }
    }
    for (const name of await items.endMissing(kind, keys, isDryRun)) results.add({ name }, 'GONE');
    await report(listed.length, Math.max(listed.length, 1));
  }

  private portal(): Portal {
    const { outbound, config } = this.deps;
    if (!config.isActive || config.address === null)
      throw new Refused(
        'ONLINE_SERVICES_OFF',
        missingSettings('The online services are off', config.missingKeys),
      );
    return new Portal(outbound, { address: config.address, token: config.token });
  }
}

const MAX_REASONS = 3;

const messageOf = (error: unknown): string =>
  error instanceof DomainError
    ? reasonsOf(error)
        .slice(0, MAX_REASONS)
        .map(({ message }) => message)
        .join(' ')
    : 'It was interrupted.';
