import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { passedEnvironment } from '../../../../platform/child-process/inherited-files';
import { ProcessorDemand } from '../../../../platform/processor-demand';
import type { CallCount } from '../../../../platform/outbound/observed-calls';
import type { EventRow, RunOutcome, RunTask, Supervision } from '../run-engine';
import { ChildStartError, deathOf, outcomeOfDeath } from './child-death';
import type { Death } from './child-death';
import { isFirstTry, isKept, receivedRow } from './messages';
import type { ChildSettings, FromChild, ToChild } from './messages';

/**
 * Environment variables that a child needs: time zone, CA certificates, and what Windows requires
 * to start a process.
 */
const NEEDED = [
  'TZ',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'SystemRoot',
] as const;
/** A process that is not ready by then hangs, even on a busy machine, and is replaced. */
const START_MS = 300_000;
/** Time a cancelled run has to end before its process is killed, ms. */
const CANCEL_MS = 500;
const LAST_WORDS = 4_096;
/** Half of V8's default: a used child stays smaller and is not slower. */
const YOUNG_MEBIBYTES = 8;
/**
 * A child ends itself if its run stalls; after this many stall times of silence the service kills
 * it.
 */
const SILENT_STALLS = 3;
/**
 * Share of run memory that may stay resident after a run: a heap does not always return memory, and
 * the next run would have less.
 */
const MOST_KEPT = 1 / 2;
/** The same for an idle child: a new one takes less. */
const MOST_KEPT_AT_REST = 1 / 8;
const MEBIBYTE = 1024 * 1024;

export interface ChildOptions {
  readonly program: string;
  readonly settings: ChildSettings;
  readonly onCalls?: (calls: readonly CallCount[]) => void;
}

interface Current extends Omit<Supervision, 'signal'> {
  readonly run: number;
  readonly end: (outcome: RunOutcome) => void;
  /** Started steps, counted from the events. */
  steps: number;
}

/** The service's handle of a process that executes runs, one at a time. */
export class EngineChild {
  /** Resolves when it can execute a run; rejects if it never will. */
  readonly ready: Promise<void>;
  /** Resolves when the process has ended and all its output is read. */
  readonly exit: Promise<void>;
  isUsable = true;
  private readonly process: ChildProcess;
  private readonly processor: ProcessorDemand;
  private readonly beats: NodeJS.Timeout;
  private current: Current | null = null;
  /** Document of the previous run, if the process still has it: held documents are not changed. */
  private lastDocument: WeakRef<RunTask['document']> | null = null;
  private runs = 0;
  private keptBytes = 0;
  private missed = 0;
  private lastWords = '';
  /** The system error if the process could not be started. */
  private refusal: Error | null = null;
  private death: Death | null = null;
  private isReady: () => void = () => undefined;

  constructor(private readonly options: ChildOptions) {
    this.process = fork(options.program, [], {
      serialization: 'advanced',
      env: passedEnvironment(NEEDED),
      execArgv: [
        `--max-old-space-size=${Math.floor(options.settings.memoryBytes / MEBIBYTE)}`,
        `--max-semi-space-size=${YOUNG_MEBIBYTES}`,
      ],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.processor = new ProcessorDemand(this.process.pid ?? 0);
    this.exit = this.untilGone();
    this.ready = this.untilReady();
    this.ready.catch(() => this.kill());
    this.process.on('message', (message) => this.handleMessage(message as FromChild));
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.lastWords = (this.lastWords + chunk.toString('utf8')).slice(-LAST_WORDS);
    });
    this.beats = setInterval(() => this.count(), options.settings.beatMs).unref();
    void this.exit.then(() => this.endRun());
    // Do not keep the service alive.
    this.process.unref();
    this.process.channel?.unref();
    (this.process.stderr as unknown as { unref(): void } | null)?.unref();
    this.send({ kind: 'open', settings: options.settings });
  }

  /** Processor demand of its run, 0 to 1; null without a run, or if it is too short to measure. */
  get demand(): number | null {
    return this.current === null ? null : this.processor.read();
  }

  get isLight(): boolean {
    return this.keepsLess(MOST_KEPT_AT_REST);
  }

  private keepsLess(share: number): boolean {
    return this.keptBytes < this.options.settings.memoryBytes * share;
  }

  /** Executes a run to its end; the end of the process ends it as well. Never rejects. */
  async execute(
    { document, ...task }: RunTask,
    { signal, ...supervision }: Supervision,
  ): Promise<RunOutcome> {
    const run = (this.runs += 1);
    const ended = new Promise<RunOutcome>((resolve) => {
      this.current = { run, ...supervision, end: resolve, steps: 0 };
    });
    this.missed = 0;
    this.lastWords = '';
    this.processor.reset();
    this.send({ kind: 'execute', run, task: { ...task, document: this.textFor(document) } });
    using _cancelling = this.cancelledBy(signal, run);
    return await ended;
  }

  /** Document text to send; null if the process has it. */
  private textFor(document: RunTask['document']): string | null {
    if (this.lastDocument?.deref() === document) return null;
    const text = JSON.stringify(document);
    this.lastDocument = isKept(text) ? new WeakRef(document) : null;
    return text;
  }

  kill(): void {
    this.isUsable = false;
    this.process.kill('SIGKILL');
  }

  /** Kills the process, which interrupts its run, and keeps the service alive until it is gone. */
  async stop(): Promise<void> {
    this.process.ref();
    this.die({ code: 'RUN_INTERRUPTED' });
    await this.exit;
  }

  private cancelledBy(signal: AbortSignal, run: number): Disposable {
    let timer: NodeJS.Timeout | undefined;
    const cancel = (): void => {
      this.isUsable = false;
      this.send({ kind: 'cancel', run });
      timer = setTimeout(() => this.die({ code: 'CANCELLED' }), CANCEL_MS);
    };
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    return {
      [Symbol.dispose]() {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
      },
    };
  }

  /** Messages to a dead child are dropped: its exit is handled elsewhere. */
  private send(message: ToChild): void {
    if (this.process.connected) this.process.send(message, () => undefined);
  }

  private handleMessage(message: FromChild): void {
    this.missed = 0;
    if (message.kind === 'ready') this.isReady();
    else if (message.kind === 'events') this.take(message.run, message.rows.map(receivedRow));
    else if (message.kind === 'startWebhook') this.startWebhook(message);
    else if (message.kind === 'sending') this.markFirstSend(message);
    else if (message.kind === 'loadRules') this.loadRules(message.run);
    else if (message.kind === 'calls') this.options.onCalls?.(message.calls);
    else if (message.kind === 'spans' && message.run === this.current?.run)
      this.current.spans?.(message.spans);
    else if (message.kind === 'ended' && message.run === this.current?.run) {
      this.keptBytes = message.keptBytes;
      this.isUsable &&= message.isClean && this.keepsLess(MOST_KEPT);
      this.settle({ ...message.outcome, rest: message.outcome.rest.map(receivedRow) });
    }
  }

  private take(run: number, rows: readonly EventRow[]): void {
    const { current } = this;
    if (current?.run !== run) return;
    current.steps += rows.filter(isFirstTry).length;
    current.store(rows).then(
      () => this.send({ kind: 'stored', run }),
      (error: unknown) => {
        if (this.current === current) this.die({ code: 'RUN_EVENTS_REFUSED', cause: error });
      },
    );
  }

  private startWebhook({ run, call, request }: FromChild & { kind: 'startWebhook' }): void {
    if (this.current?.run === run)
      void this.current
        .startWebhook(request)
        .then((status) => this.send({ kind: 'webhookStarted', call, status }));
  }

  /**
   * If the mark is refused, the run belongs to another process: it waits until it is ended here.
   */
  private markFirstSend({ run, place }: FromChild & { kind: 'sending' }): void {
    if (this.current?.run === run)
      void this.current.beforeFirstSend(place).then(
        () => this.send({ kind: 'maySend', run }),
        () => undefined,
      );
  }

  private loadRules(run: number): void {
    if (this.current?.run === run)
      void this.current.loadRules().then((rules) => this.send({ kind: 'rules', run, rules }));
  }

  /**
   * Counts its own ticks instead of time: a blocked service, or one on a suspended machine, reads
   * pending messages before the next tick.
   */
  private count(): void {
    if (this.current === null) return;
    this.missed += 1;
    this.send({ kind: 'alive', isHeld: this.current.isHeld() });
    const { beatMs, stallMs } = this.options.settings;
    if (this.missed * beatMs > stallMs * SILENT_STALLS) this.die({ code: 'RUN_STALLED' });
  }

  private die(death: Death): void {
    this.death ??= death;
    this.kill();
  }

  private settle(outcome: RunOutcome): void {
    this.current?.end(outcome);
    this.current = null;
  }

  /** The process is gone, and with it the run. */
  private endRun(): void {
    clearInterval(this.beats);
    this.isUsable = false;
    if (this.current === null) return;
    const { exitCode, signalCode } = this.process;
    const death = this.death ?? deathOf(this.lastWords, signalCode ?? exitCode);
    this.settle(outcomeOfDeath(death, this.current.steps));
  }

  private async untilReady(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const isReady = new Promise<void>((resolve) => {
      this.isReady = resolve;
    });
    const failed = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new ChildStartError(`It was not ready within ${START_MS / 1_000} s.`, 'slow')),
        START_MS,
      ).unref();
      void this.exit.then(() => {
        if (this.refusal !== null) return reject(this.refusal);
        const { signalCode, exitCode } = this.process;
        const reason = `It ended with ${signalCode ?? exitCode ?? 'no exit code'}. ${this.lastWords}`;
        reject(new ChildStartError(reason.trim(), 'exited'));
      });
    });
    await Promise.race([isReady, failed]).finally(() => clearTimeout(timer));
  }

  /** Messages may arrive after the exit: wait until the channel and stderr are closed. */
  private async untilGone(): Promise<void> {
    await new Promise<void>((resolve) => {
      let open = 2;
      const end = (): void => {
        open -= 1;
        if (open === 0) resolve();
      };
      this.process.once('close', end).once('disconnect', end);
      this.process.once('error', (error) => {
        if (this.process.pid !== undefined) return;
        this.refusal = error;
        resolve();
      });
    });
  }
}
