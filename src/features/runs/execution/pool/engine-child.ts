import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { passedEnvironment } from '../../../../platform/passed-environment';
import { jsonPieces } from '../../../../platform/json/write-json';
import { ProcessorDemand } from '../../../../platform/processor-demand';
import type { EventRow, RunOutcome, RunTask, Supervision } from '../run-engine';
import { deathOf, outcomeOfDeath } from './child-death';
import type { Death } from './child-death';
import { isKept } from './last-document';
import type { ChildSettings, FromChild, ToChild } from './messages';
import { receivedRow } from './messages';

/** What a child needs of the environment: the time zone, certificates of the company, and what Windows starts nothing without. */
const NEEDED = [
  'TZ',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'SystemRoot',
] as const;
/** A process that is not ready by then hangs, on the busiest machine: another one takes its place. */
const START_MS = 300_000;
/** How long a run that is cancelled has to say goodbye. */
const CANCEL_MS = 500;
/** What is kept of what a child says before it dies: its last words. */
const LAST_WORDS = 4_096;
/** Half of V8's own: a child that has worked stays smaller by what a new one takes, and is no slower. */
const YOUNG_MEBIBYTES = 8;
/** A child ends itself when its run does not come back; this many times as long after its last word it is taken for unable to. */
const SILENT_STALLS = 3;
/** Of the memory of a run: what may stay resident after one. What a heap has taken it does not always give back: the next run would have less, and the machine, too. */
const MOST_KEPT = 1 / 2;
/** The same for a child that has nothing to do: a new one takes less, and is as good. */
const MOST_KEPT_AT_REST = 1 / 8;
const MEBIBYTE = 1024 * 1024;

export interface ChildOptions {
  /** The compiled program of a child. */
  readonly program: string;
  readonly settings: ChildSettings;
}

/** The run that a child executes now. */
interface Current {
  readonly run: number;
  readonly store: Supervision['store'];
  readonly startWebhook: Supervision['startWebhook'];
  readonly beforeFirstSend: Supervision['beforeFirstSend'];
  readonly isHeld: Supervision['isHeld'];
  readonly end: (outcome: RunOutcome) => void;
  /** Methods that were begun, as far as the events tell. */
  steps: number;
}

/** A step that is tried again is the same step. Its number is the last field of the text, which is not worth reading whole. */
const isFirstTry = ({ kind, body }: EventRow): boolean =>
  kind === 'StepStarted' && body.endsWith('"attempt":1}');

/** A process did not get ready. */
export class ChildStartError extends Error {
  constructor(
    message: string,
    readonly reason: 'slow' | 'exited',
  ) {
    super(message);
  }
}

/** A process that executes runs, one at a time, seen from the service. */
export class EngineChild {
  /** Resolves when it can execute a run; rejects when it never will. */
  readonly ready: Promise<void>;
  /** Resolves when the process is gone and everything it said has been heard. */
  readonly gone: Promise<void>;
  /** False from the moment it is stopped, has met a fault, or is gone. */
  isUsable = true;
  private readonly process: ChildProcess;
  private readonly processor: ProcessorDemand;
  private readonly beats: NodeJS.Timeout;
  private current: Current | null = null;
  /** The document of the run before, if the process still has it: held documents are not changed. */
  private kept: WeakRef<RunTask['document']> | null = null;
  private runs = 0;
  private keptBytes = 0;
  private missed = 0;
  private lastWords = '';
  /** Why there never was a process, as the system says. */
  private refusal: Error | null = null;
  private death: Death | null = null;
  private isReady: () => void = () => undefined;

  constructor(private readonly options: ChildOptions) {
    const { memoryBytes } = options.settings;
    this.process = fork(options.program, [], {
      serialization: 'advanced',
      env: passedEnvironment(NEEDED),
      execArgv: [
        `--max-old-space-size=${Math.floor(memoryBytes / MEBIBYTE)}`,
        `--max-semi-space-size=${YOUNG_MEBIBYTES}`,
      ],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.processor = new ProcessorDemand(this.process.pid ?? 0);
    this.gone = this.untilGone();
    this.ready = this.untilReady();
    this.ready.catch(() => this.kill());
    this.process.on('message', (message) => this.hear(message as FromChild));
    this.process.stderr?.on('data', (chunk: Buffer) => {
      this.lastWords = (this.lastWords + chunk.toString('utf8')).slice(-LAST_WORDS);
    });
    this.beats = setInterval(() => this.count(), options.settings.beatMs).unref();
    void this.gone.then(() => this.bury());
    // The service ends when it has nothing else to do.
    this.process.unref();
    this.process.channel?.unref();
    (this.process.stderr as unknown as { unref(): void } | null)?.unref();
    this.send({ kind: 'open', settings: options.settings });
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** How much of a processor its run wants, 0 to 1; null: it executes none, or not for long enough to tell. */
  get demand(): number | null {
    return this.current === null ? null : this.processor.read();
  }

  /** Whether it may wait for runs for long. */
  get isLight(): boolean {
    return this.keepsLess(MOST_KEPT_AT_REST);
  }

  private keepsLess(share: number): boolean {
    return this.keptBytes < this.options.settings.memoryBytes * share;
  }

  /** Executes a run to its end, that of the process included. Never rejects. */
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
    this.send({ kind: 'execute', run, task: { ...task, document: await this.textFor(document) } });
    using _cancelling = this.cancelledBy(signal, run);
    return await ended;
  }

  /** What the process needs of a document; null: it has it. */
  private async textFor(document: RunTask['document']): Promise<string | null> {
    if (this.kept?.deref() === document) return null;
    let text = '';
    for await (const piece of jsonPieces(document)) text += piece;
    this.kept = isKept(text) ? new WeakRef(document) : null;
    return text;
  }

  kill(): void {
    this.isUsable = false;
    this.process.kill('SIGKILL');
  }

  /** Kills it, and is a reason not to end until it is gone. What it executes is interrupted by that. */
  async stop(): Promise<void> {
    this.process.ref();
    this.die({ code: 'RUN_INTERRUPTED' });
    await this.gone;
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

  /** What is written to a child that dies is lost; that it died is heard elsewhere. */
  private send(message: ToChild): void {
    if (this.process.connected) this.process.send(message, () => undefined);
  }

  private hear(message: FromChild): void {
    this.missed = 0;
    if (message.kind === 'ready') this.isReady();
    else if (message.kind === 'events') this.take(message.run, message.rows.map(receivedRow));
    else if (message.kind === 'startWebhook') this.startWebhook(message);
    else if (message.kind === 'sending') this.markFirstSend(message);
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

  /** A run whose mark is refused belongs to another process: it waits until it is ended here. */
  private markFirstSend({ run, place }: FromChild & { kind: 'sending' }): void {
    if (this.current?.run === run)
      void this.current.beforeFirstSend(place).then(
        () => this.send({ kind: 'maySend', run }),
        () => undefined,
      );
  }

  /**
   * Counts its own turns and not the time: a service that was held up, or a machine that slept, has missed what was said meanwhile and
   * hears it before the next turn.
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

  /** The process is gone: whatever it executed has ended with it. */
  private bury(): void {
    clearInterval(this.beats);
    this.isUsable = false;
    if (this.current === null) return;
    const { exitCode, signalCode } = this.process;
    this.settle(
      outcomeOfDeath(
        this.death ?? deathOf(this.lastWords, signalCode ?? exitCode),
        this.current.steps,
      ),
    );
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
      void this.gone.then(() => {
        if (this.refusal !== null) return reject(this.refusal);
        const { signalCode, exitCode } = this.process;
        reject(
          new ChildStartError(
            `It ended with ${signalCode ?? exitCode ?? 'no exit code'}. ${this.lastWords}`.trim(),
            'exited',
          ),
        );
      });
    });
    await Promise.race([isReady, failed]).finally(() => clearTimeout(timer));
  }

  /** What was said last may come after the exit: the channel ends behind it, and so does stderr. */
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
