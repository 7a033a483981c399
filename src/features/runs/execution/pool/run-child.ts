import { EventBatches } from '../event-batches';
import { executeTask } from '../execute-task';
import { JournalBatches } from '../journal-batches';
import { INTERRUPTED } from '../run-engine';
import type { RunOutcome, StepCall, StepPlace } from '../run-engine';
import { MarkingGate } from '../outgoing-calls';
import { CallTally, createOutbound, observedCalls } from '../../../../platform/outbound';
import type { Outbound } from '../../../../platform/outbound';
import type { MaskingRule } from '../../../../platform/redaction';
import { createScripts } from '../../../../platform/scripts';
import type { Scripts } from '../../../../platform/scripts';
import { startProgram } from '../../../../platform/child-process/program';
import { LastDocument, sentRow } from './messages';
import type { ChildSettings, FromChild, SentTask, ToChild } from './messages';
import { startGuard } from '../../../../platform/child-process/start-guard';
import type { Guard } from '../../../../platform/child-process/start-guard';

/**
 * Errors after which work of the run may continue in the child. Retries leave nothing behind: work
 * that exceeds the step timeout ends the run, and late connections are closed before a retry.
 */
const UNCLEAN: ReadonlySet<string> = new Set([
  'RUN_TIMEOUT',
  'OUTBOUND_TIMEOUT',
  'SCRIPT_TIMEOUT',
  'RUN_FAULT',
  'RUN_EVENTS_REFUSED',
]);

/** Interval for checking whether the run waits for another system, ms. */
const LOOK_MS = 50;
/** A run that takes less leaves little memory behind, ms: it is not measured after each of them. */
const QUICK_MS = 100;
const KEPT_FOR_MS = 1_000;
/** A run that uses less of a processor than this in an interval waits, 0 to 1. */
const WAITING_SHARE = 0.2;

/**
 * Program of a child: it executes runs one after the other and knows only what the service sends.
 */
class RunChild {
  private run = 0;
  private batches: EventBatches | null = null;
  private journal: JournalBatches | undefined;
  /**
   * Heartbeats since the last message of the service. Counted, not measured: a suspended machine
   * silences both.
   */
  private silentBeats = 0;
  private cancelling = new AbortController();
  /** Requests that wait until the service confirms that it holds the run. */
  private held: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null;
  private isHeld = true;
  private allowFirstSend: () => void = () => undefined;
  private takeRules: (rules: readonly MaskingRule[] | null) => void = () => undefined;
  /** The run waits for an answer of the service. */
  private isAsking = false;
  private calls = 0;
  private called: {
    readonly call: number;
    readonly resolve: (status: number | null) => void;
  } | null = null;
  private readonly tally = new CallTally();
  private readonly outbound: Outbound;
  private readonly documents = new LastDocument();
  private readonly rssAtFirst = process.memoryUsage.rss();
  private kept = { at: -Infinity, bytes: 0 };

  constructor(
    private readonly settings: ChildSettings,
    outbound: Outbound,
    private readonly scripts: Scripts,
    private readonly guard: Guard,
  ) {
    this.outbound = observedCalls(outbound, this.tally.add);
  }

  async execute(run: number, { document, ...task }: SentTask): Promise<void> {
    const journal =
      task.journal &&
      new JournalBatches(task.journal, (text, open) =>
        this.ask({ kind: 'journal', run, text, open }, open !== null),
      );
    const batches = new EventBatches((rows) => {
      journal?.flush();
      sendMessage({ kind: 'events', run, rows: rows.map(sentRow) });
    });
    this.guard.beat();
    this.guard.busy();
    this.run = run;
    this.isAsking = false;
    const begunAt = performance.now();
    this.handleBeat(true);
    this.batches = batches;
    this.journal = journal;
    this.cancelling = new AbortController();
    const gate = new MarkingGate(
      batches,
      (place) => this.markFirstSend(run, place),
      () => this.untilHeld(),
    );
    const beats = setInterval(() => {
      this.guard.beat();
      this.silentBeats += 1;
      sendMessage({ kind: 'alive' });
      this.reportCalls();
    }, this.settings.beatMs);
    const looks = this.reportWaiting(run, batches);
    const { limits } = this.settings;
    const outcome = await executeTask(
      { ...task, document: this.documents.read(document) },
      batches,
      {
        http: this.outbound,
        scripts: this.scripts,
        clock: { now: () => new Date() },
        limits,
        signal: this.cancelling.signal,
        startWebhook: (request) => this.startWebhook(run, request),
        gate,
        loadRules: () => this.loadRules(run),
        journal,
        spans: (spans) => sendMessage({ kind: 'spans', run, spans }),
      },
    );
    clearInterval(beats);
    clearInterval(looks);
    this.guard.idle();
    sendMessage({
      kind: 'ended',
      run,
      outcome: { ...outcome, rest: outcome.rest.map(sentRow) },
      isClean: isClean(outcome),
      keptBytes: this.measureKept(begunAt),
      calls: this.tally.take(),
    });
  }

  /** Memory growth since before the first run; reading it takes as long as a step. */
  private measureKept(begunAt: number): number {
    const now = performance.now();
    if (now - begunAt > QUICK_MS || now - this.kept.at > KEPT_FOR_MS)
      this.kept = { at: now, bytes: process.memoryUsage.rss() - this.rssAtFirst };
    return this.kept.bytes;
  }

  /**
   * Tells the service when the run waits for another system, and when it goes on. A run that blocks
   * this process, or waits for the service, counts as computing.
   */
  private reportWaiting(run: number, batches: EventBatches): NodeJS.Timeout {
    let wasWaiting = false;
    let [usage, loop] = [process.cpuUsage(), performance.eventLoopUtilization()];
    return setInterval(() => {
      const used = process.cpuUsage(usage);
      const { utilization, idle, active } = performance.eventLoopUtilization(loop);
      const share = (used.user + used.system) / 1_000 / (idle + active);
      const isWaiting =
        !this.isAsking && !batches.isHeldBack && Math.max(utilization, share) < WAITING_SHARE;
      if (isWaiting !== wasWaiting) sendMessage({ kind: 'waiting', run, isWaiting });
      wasWaiting = isWaiting;
      [usage, loop] = [process.cpuUsage(), performance.eventLoopUtilization()];
    }, LOOK_MS);
  }

  private reportCalls(): void {
    const calls = this.tally.take();
    if (calls.length > 0) sendMessage({ kind: 'calls', calls });
  }

  /** Only the last call is awaited: a new call means that the previous one was given up. */
  private startWebhook(run: number, request: StepCall): Promise<number | null> {
    const call = (this.calls += 1);
    return new Promise((resolve) => {
      this.called = { call, resolve };
      this.ask({ kind: 'startWebhook', run, call, request });
    });
  }

  webhookStarted(call: number, status: number | null): void {
    if (this.called?.call !== call) return;
    this.isAsking = false;
    this.called.resolve(status);
  }

  private markFirstSend(run: number, place: StepPlace | null): Promise<void> {
    return new Promise((resolve) => {
      this.allowFirstSend = resolve;
      this.ask({ kind: 'sending', run, place });
    });
  }

  maySend(run: number): void {
    if (run !== this.run) return;
    this.isAsking = false;
    this.allowFirstSend();
  }

  private loadRules(run: number): Promise<readonly MaskingRule[] | null> {
    return new Promise((resolve) => {
      this.takeRules = resolve;
      this.ask({ kind: 'loadRules', run });
    });
  }

  rules(run: number, rules: readonly MaskingRule[] | null): void {
    if (run !== this.run) return;
    this.isAsking = false;
    this.takeRules(rules);
  }

  private ask(question: FromChild, isWaiting = true): void {
    this.isAsking ||= isWaiting;
    sendMessage(question);
  }

  handleBeat(isHeld: boolean): void {
    this.silentBeats = 0;
    this.isHeld = isHeld;
    if (!isHeld) return;
    this.held?.resolve();
    this.held = null;
  }

  /**
   * A service that was paused, or cannot reach its store, may have lost the run to another process.
   */
  private untilHeld(): Promise<void> | undefined {
    const { beatMs, silenceMs } = this.settings;
    if (this.isHeld && this.silentBeats * beatMs <= silenceMs) return undefined;
    if (this.held === null) {
      let resolve: () => void = () => undefined;
      this.held = {
        promise: new Promise((settle) => {
          resolve = settle;
        }),
        resolve: () => resolve(),
      };
    }
    return this.held.promise;
  }

  stored(run: number): void {
    if (run === this.run) this.batches?.acknowledge();
  }

  journaled(run: number): void {
    if (run !== this.run || this.journal === undefined) return;
    this.journal.acknowledge();
    if (this.journal.isSettled) this.isAsking = false;
  }

  cancel(run: number, isInterrupted: boolean): void {
    if (run === this.run) this.cancelling.abort(isInterrupted ? INTERRUPTED : undefined);
  }
}

const isClean = ({ state, error }: RunOutcome): boolean =>
  state !== 'CANCELLED' && !(error !== null && UNCLEAN.has(error.code));

let child: RunChild | null = null;

async function open(settings: ChildSettings): Promise<void> {
  const guard = await startGuard(settings);
  child = new RunChild(
    settings,
    createOutbound(settings.outbound),
    createScripts(settings.scripts),
    guard,
  );
  sendMessage({ kind: 'ready' });
}

function handleMessage(message: ToChild): void | Promise<void> {
  switch (message.kind) {
    case 'open':
      return open(message.settings);
    case 'execute':
      return child?.execute(message.run, message.task);
    case 'stored':
      return child?.stored(message.run);
    case 'cancel':
      return child?.cancel(message.run, message.isInterrupted);
    case 'journaled':
      return child?.journaled(message.run);
    case 'webhookStarted':
      return child?.webhookStarted(message.call, message.status);
    case 'maySend':
      return child?.maySend(message.run);
    case 'rules':
      return child?.rules(message.run, message.rules);
    case 'alive':
      return child?.handleBeat(message.isHeld);
  }
}

const sendMessage = startProgram<ToChild, FromChild>('hypha run', handleMessage);
