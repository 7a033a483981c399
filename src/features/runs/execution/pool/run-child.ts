import { writeSync } from 'node:fs';
import { isNativeError } from 'node:util/types';
import { EventBatches } from '../event-batches';
import { executeTask } from '../execute-task';
import type { RunOutcome, StepCall, StepPlace } from '../run-engine';
import { MarkingGate } from '../send-gate';
import { createOutbound } from '../../../../platform/outbound';
import type { Outbound } from '../../../../platform/outbound';
import { createScripts } from '../../../../platform/scripts';
import type { Scripts } from '../../../../platform/scripts';
import { askSystem } from '../../../../platform/child-process/ask-system';
import { closeInheritedFiles } from '../../../../platform/child-process/inherited-files';
import { LastDocument } from './last-document';
import type { ChildSettings, FromChild, SentTask, ToChild } from './messages';
import { sentRow } from './messages';
import { startGuard } from '../../../../platform/child-process/start-guard';
import type { Guard } from '../../../../platform/child-process/start-guard';

/** EX_SOFTWARE: a fault of ours. */
const FAULT = 70;
/**
 * After these something of the run may still go on behind it. What a step that was tried again left is over: work that is given up has used up the
 * time of its step and ends the run, and a connection that did not come in time is closed before there is another try.
 */
const UNCLEAN: ReadonlySet<string> = new Set([
  'RUN_TIMEOUT',
  'OUTBOUND_TIMEOUT',
  'SCRIPT_TIMEOUT',
  'RUN_FAULT',
  'RUN_EVENTS_REFUSED',
]);

/** The program of a child: it executes runs, one after the other, and knows nothing of the service but what it is sent. */
class RunChild {
  private run = 0;
  private batches: EventBatches | null = null;
  /** Beats since the service was heard. Counted, not measured: a machine that sleeps keeps both silent. */
  private silentBeats = 0;
  private cancelling = new AbortController();
  /** What waits until the service says that the run is its own. */
  private held: { readonly promise: Promise<void>; readonly resolve: () => void } | null = null;
  private isHeld = true;
  private allowFirstSend: () => void = () => undefined;
  private calls = 0;
  private called: {
    readonly call: number;
    readonly resolve: (status: number | null) => void;
  } | null = null;
  private readonly documents = new LastDocument();
  private readonly rssAtFirst = process.memoryUsage.rss();

  constructor(
    private readonly settings: ChildSettings,
    private readonly outbound: Outbound,
    private readonly scripts: Scripts,
    private readonly guard: Guard,
  ) {}

  async execute(run: number, { document, ...task }: SentTask): Promise<void> {
    const batches = new EventBatches((rows) =>
      tell({ kind: 'events', run, rows: rows.map(sentRow) }),
    );
    this.guard.beat();
    this.guard.busy();
    this.run = run;
    this.hear(true);
    this.batches = batches;
    this.cancelling = new AbortController();
    const gate = new MarkingGate(
      (place) => this.markFirstSend(run, place),
      () => this.untilHeld(),
    );
    const beats = setInterval(() => {
      this.guard.beat();
      this.silentBeats += 1;
      tell({ kind: 'alive' });
    }, this.settings.beatMs);
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
      },
    );
    clearInterval(beats);
    this.guard.idle();
    tell({
      kind: 'ended',
      run,
      outcome: { ...outcome, rest: outcome.rest.map(sentRow) },
      isClean: isClean(outcome),
      keptBytes: process.memoryUsage.rss() - this.rssAtFirst,
    });
  }

  /** Only the last call is waited for: who makes another one has given up what was before. */
  private startWebhook(run: number, request: StepCall): Promise<number | null> {
    const call = (this.calls += 1);
    return new Promise((resolve) => {
      this.called = { call, resolve };
      tell({ kind: 'startWebhook', run, call, request });
    });
  }

  webhookStarted(call: number, status: number | null): void {
    if (this.called?.call === call) this.called.resolve(status);
  }

  private markFirstSend(run: number, place: StepPlace | null): Promise<void> {
    return new Promise((resolve) => {
      this.allowFirstSend = resolve;
      tell({ kind: 'sending', run, place });
    });
  }

  maySend(run: number): void {
    if (run === this.run) this.allowFirstSend();
  }

  hear(isHeld: boolean): void {
    this.silentBeats = 0;
    this.isHeld = isHeld;
    if (!isHeld) return;
    this.held?.resolve();
    this.held = null;
  }

  /** A service that was stopped, or does not reach its store, may have lost the run to another process. */
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

  cancel(run: number): void {
    if (run === this.run) this.cancelling.abort();
  }
}

const isClean = ({ state, error }: RunOutcome): boolean =>
  state !== 'CANCELLED' && !(error !== null && UNCLEAN.has(error.code));

/** A service that is gone hears nothing any more. */
function tell(message: FromChild): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

let child: RunChild | null = null;

async function open(settings: ChildSettings): Promise<void> {
  const guard = await startGuard(settings);
  child = new RunChild(
    settings,
    createOutbound(settings.outbound),
    createScripts(settings.scripts),
    guard,
  );
  tell({ kind: 'ready' });
}

function obey(message: ToChild): void {
  switch (message.kind) {
    case 'open':
      void open(message.settings).catch(die);
      return;
    case 'execute':
      return void child?.execute(message.run, message.task).catch(die);
    case 'stored':
      return child?.stored(message.run);
    case 'cancel':
      return child?.cancel(message.run);
    case 'webhookStarted':
      return child?.webhookStarted(message.call, message.status);
    case 'maySend':
      return child?.maySend(message.run);
    case 'alive':
      return child?.hear(message.isHeld);
  }
}

/** Its text may hold what the run worked with, so the log of the service gets name and place only. */
function die(fault: unknown): void {
  const frames = isNativeError(fault)
    ? (fault.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line))
    : [];
  writeSync(2, [isNativeError(fault) ? fault.name : typeof fault, ...frames, ''].join('\n'));
  process.exit(FAULT);
}

process.title = 'hypha run';
closeInheritedFiles();
askSystem();
process.on('message', obey);
process.on('uncaughtException', die);
// It lives and dies with the service, which gives its runs time to end when it is told to stop; signals to a whole group or unit come here too.
process.on('disconnect', () => process.exit(0));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
