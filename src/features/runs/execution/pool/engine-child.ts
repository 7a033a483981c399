import { Child } from '../../../../platform/child-process/child';
import type { CallCount } from '../../../../platform/outbound/observed-calls';
import { INTERRUPTED } from '../run-engine';
import type { EventRow, RunOutcome, RunTask, Supervision } from '../run-engine';
import { deathOf, outcomeOfDeath } from './child-death';
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
/** Time a cancelled run has to end before its process is killed, ms. */
const CANCEL_MS = 500;
/** Half of V8's default: a used child stays smaller and is not slower. */
const YOUNG_MEBIBYTES = 8;
/**
 * A child ends itself if its run stalls; after this many stall times of silence the service kills
 * it.
 */
const SILENT_STALLS = 3;

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
  isWaiting: boolean;
}

/** The service's handle of a process that executes runs, one at a time. */
export class EngineChild extends Child<ToChild, FromChild> {
  private readonly beats: NodeJS.Timeout;
  private current: Current | null = null;
  /** Document of the previous run, if the process still has it: held documents are not changed. */
  private lastDocument: WeakRef<RunTask['document']> | null = null;
  private runs = 0;
  private missed = 0;
  private death: Death | null = null;

  constructor(private readonly options: ChildOptions) {
    const { program, settings } = options;
    super(
      {
        program,
        memoryBytes: settings.memoryBytes,
        variables: NEEDED,
        execArgv: [`--max-semi-space-size=${YOUNG_MEBIBYTES}`],
      },
      { kind: 'open', settings },
    );
    this.beats = setInterval(() => this.count(), settings.beatMs).unref();
  }

  /** Whether its run waits for another system. */
  get isWaiting(): boolean {
    return this.current?.isWaiting ?? false;
  }

  /** Executes a run to its end; the end of the process ends it as well. Never rejects. */
  async execute(
    { document, ...task }: RunTask,
    { signal, ...supervision }: Supervision,
  ): Promise<RunOutcome> {
    const run = (this.runs += 1);
    const ended = new Promise<RunOutcome>((resolve) => {
      this.current = { run, ...supervision, end: resolve, steps: 0, isWaiting: false };
    });
    this.missed = 0;
    this.lastWords = '';
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

  /** Interrupts its run. */
  override stop(): Promise<void> {
    this.death ??= { code: 'RUN_INTERRUPTED' };
    return super.stop();
  }

  private cancelledBy(signal: AbortSignal, run: number): Disposable {
    let timer: NodeJS.Timeout | undefined;
    const cancel = (): void => {
      this.isUsable = false;
      this.send({ kind: 'cancel', run, isInterrupted: signal.reason === INTERRUPTED });
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

  protected handleMessage(message: FromChild): void {
    this.missed = 0;
    if (message.kind === 'events') this.take(message.run, message.rows.map(receivedRow));
    else if (message.kind === 'startWebhook') this.startWebhook(message);
    else if (message.kind === 'sending') this.markFirstSend(message);
    else if (message.kind === 'loadRules') this.loadRules(message.run);
    else if (message.kind === 'journal') this.keep(message);
    else if (message.kind === 'waiting') this.markWaiting(message);
    else if (message.kind === 'calls') this.options.onCalls?.(message.calls);
    else if (message.kind === 'spans' && message.run === this.current?.run)
      this.current.spans?.(message.spans);
    else if (message.kind === 'ended' && message.run === this.current?.run) {
      this.keeps(message.keptBytes);
      this.options.onCalls?.(message.calls);
      this.isUsable &&= message.isClean;
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

  /** If it is refused, the run waits until it is ended here, as for its first request. */
  private keep({ run, text, open }: FromChild & { kind: 'journal' }): void {
    if (this.current?.run === run)
      void this.current.keep?.(text, open).then(
        () => this.send({ kind: 'journaled', run }),
        () => undefined,
      );
  }

  private markWaiting({ run, isWaiting }: FromChild & { kind: 'waiting' }): void {
    if (this.current?.run === run) this.current.isWaiting = isWaiting;
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
  protected handleExit(): void {
    clearInterval(this.beats);
    if (this.current === null) return;
    const death = this.death ?? deathOf(this.lastWords, this.end);
    this.settle(outcomeOfDeath(death, this.current.steps));
  }
}
