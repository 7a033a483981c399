import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../log/logger';
import { engineService } from './polyglot';
import type { PolyglotConfig } from './polyglot';
import { join } from 'node:path';
import { GrpcFailure, openGrpc } from '../outbound';
import { spawn } from 'node:child_process';
import { BoundedFile } from '../log/bounded-file';
import { passedEnvironment } from '../child-process/inherited-files';

interface EngineCommand {
  readonly jarPath: string;
  readonly args: string;
  readonly jvmArgs: string;
  /** File for its output; null: discard it. */
  readonly logFile: string | null;
}

interface EngineProcess {
  readonly pid: number | undefined;
  /** Resolves when the process has ended or failed to start. */
  readonly exit: Promise<void>;
  /** Ends the process and waits for its exit. */
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 5_000;
const PASSED_ON = ['PATH', 'HOME', 'JAVA_HOME', 'LANG', 'TZ', 'SystemRoot'] as const;
const ARGUMENT = /"([^"]*)"|[^\s"]+/g;

/** Starts an engine; failures are logged. */
function startEngine(
  { jarPath, args, jvmArgs, logFile }: EngineCommand,
  log: Logger,
): EngineProcess {
  const output = logFile === null ? null : engineLog(logFile, log);
  const outputMode = output === null ? 'ignore' : 'pipe';
  const engine = spawn('java', [...wordsOf(jvmArgs), '-jar', jarPath, ...wordsOf(args)], {
    stdio: ['ignore', outputMode, outputMode],
    env: passedEnvironment(PASSED_ON),
    // Its own process group, so that its children can be ended with it.
    detached: true,
  });
  const keep = (chunk: Buffer): void => output?.keep(chunk);
  engine.stdout?.on('data', keep);
  engine.stderr?.on('data', keep);
  const exit = new Promise<void>((resolve) => {
    engine.once('error', (error) => {
      log.warn({ reason: error.message }, 'the polyglot engine could not be started');
      if (engine.pid === undefined) resolve();
    });
    // Its children would hold its port and its output.
    engine.once('exit', () => signalGroup(engine.pid, 'SIGKILL'));
    engine.once('close', (code, signal) => {
      output?.close();
      log.info({ code, signal }, 'the polyglot engine ended');
      resolve();
    });
  });
  return {
    pid: engine.pid,
    exit,
    async stop() {
      signalGroup(engine.pid, 'SIGTERM');
      const timer = setTimeout(() => signalGroup(engine.pid, 'SIGKILL'), STOP_TIMEOUT_MS);
      await exit;
      clearTimeout(timer);
    },
  };
}

/** No process of the group is left, or only one that has ended (macOS). */
const ENDED: ReadonlySet<string | undefined> = new Set(['ESRCH', 'EPERM']);

function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch (error) {
    if (!ENDED.has((error as NodeJS.ErrnoException).code)) throw error;
  }
}

interface EngineLog {
  /** Never throws. */
  keep(chunk: Buffer): void;
  close(): void;
}

/** Log file of the engine. A write error is logged once and otherwise ignored. */
function engineLog(path: string, log: Logger): EngineLog {
  let file: BoundedFile | null = null;
  let isLogged = false;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!isLogged) log.warn({ err: error }, 'the log of the polyglot engine cannot be written');
      isLogged = true;
    }
  };
  attempt(() => {
    file = new BoundedFile(path);
  });
  return {
    keep: (chunk) => attempt(() => file?.write(chunk)),
    close: () => attempt(() => file?.close()),
  };
}

/** Splits at blanks; quotation marks group words. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(ARGUMENT)].map(([word, quoted]) => quoted ?? word);

const FILE = join(__dirname, '../../../schema/grpc-health.proto');
const MAX_ANSWER_BYTES = 4_096;
const HEALTH_TIMEOUT_MS = 1_000;

/**
 * Returns the status of the gRPC health service (`SERVING`), or the gRPC status of a failure. Uses
 * a new connection: an existing one may not have noticed that the engine is gone.
 */
async function healthOf(
  place: PolyglotConfig,
): Promise<{ readonly said: string } | { readonly failed: string }> {
  const service = openGrpc({
    file: FILE,
    service: 'grpc.health.v1.Health',
    ...place,
    maxBytes: MAX_ANSWER_BYTES,
  });
  try {
    const { status } = await service.call<{ readonly status: string }>(
      'Check',
      { service: '' },
      { timeoutMs: HEALTH_TIMEOUT_MS, signal: new AbortController().signal },
    );
    return { said: status };
  } catch (error) {
    if (error instanceof GrpcFailure) return { failed: error.status };
    throw error;
  } finally {
    service.close();
  }
}

const SILENT: ReadonlySet<string> = new Set(['UNAVAILABLE', 'DEADLINE_EXCEEDED']);

/** Returns null if the engine serves requests; otherwise the reason, for users. */
export async function whyEngineIsDown(place: PolyglotConfig): Promise<string | null> {
  const health = await healthOf(place);
  if ('failed' in health)
    return SILENT.has(health.failed) ? 'It does not answer.' : `It answers ${health.failed}.`;
  return health.said === 'SERVING' ? null : `It says ${health.said}.`;
}

/** Returns whether an engine responds, in whatever state. */
async function isEngineThere(place: PolyglotConfig): Promise<boolean> {
  const health = await healthOf(place);
  return !('failed' in health && SILENT.has(health.failed));
}

/** Delays before an engine that ended is restarted, ms; doubled each time. */
interface EnginePauses {
  readonly firstMs: number;
  readonly mostMs: number;
  /** After this uptime, the delay starts again at `firstMs`. */
  readonly steadyMs: number;
}

interface EngineLaunch extends EngineCommand {
  /** How long to wait for the engine to respond, ms. */
  readonly waitMs: number;
  readonly pauses?: EnginePauses;
}

/** Interval of connection checks, ms: a pending wait for a connection cannot be cancelled. */
const CHECK_MS = 500;
const PAUSES: EnginePauses = { firstMs: 1_000, mostMs: 60_000, steadyMs: 60_000 };

/**
 * Starts the polyglot engine if none responds, and restarts it when it ends. Does not stop an
 * engine started by others; if that one ends, this is detected within the longest delay. The
 * service works without an engine: failures appear in the log and in runs that need it.
 */
export class LaunchedEngine {
  /** Resolves when the engine responds for the first time, or after `waitMs`. */
  readonly launched: Promise<void>;
  private readonly stopping = new AbortController();
  private readonly finished: Promise<void>;
  private current: EngineProcess | null = null;
  private startCount = 0;

  constructor(
    private readonly place: PolyglotConfig,
    private readonly launch: EngineLaunch,
    private readonly log: Logger,
  ) {
    let onUp: () => void = () => undefined;
    this.launched = new Promise<void>((resolve) => {
      onUp = resolve;
    });
    this.finished = this.keepRunning(onUp)
      .catch((error: unknown) => {
        if (!this.stopping.signal.aborted)
          log.error({ err: error }, 'the polyglot engine is not started any more');
      })
      .finally(onUp);
  }

  /** Number of starts. */
  get starts(): number {
    return this.startCount;
  }

  /** Process id of the running engine; null if this launcher started none that runs. */
  get pid(): number | null {
    return this.current?.pid ?? null;
  }

  /** Stops the engine if this launcher started it. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.current?.stop();
    await this.finished;
  }

  /** @param onUp called when the engine responds, or waiting ends */
  private async keepRunning(onUp: () => void): Promise<void> {
    const { pauses = PAUSES } = this.launch;
    const { signal } = this.stopping;
    let pauseMs = pauses.firstMs;
    for (let isForeign = false; !signal.aborted;) {
      if (await isEngineThere(this.place)) {
        if (!isForeign) this.log.info('the polyglot engine runs already');
        isForeign = true;
        onUp();
        await pause(pauses.mostMs, undefined, { signal, ref: false });
        continue;
      }
      if (signal.aborted) return;
      const startedAt = performance.now();
      this.current = startEngine(this.launch, this.log);
      this.startCount += 1;
      await this.untilUp(this.current);
      onUp();
      await this.current.exit;
      this.current = null;
      isForeign = false;
      if (signal.aborted) return;
      if (performance.now() - startedAt >= pauses.steadyMs) pauseMs = pauses.firstMs;
      this.log.warn({ pauseMs }, 'the polyglot engine ended and is started again after a pause');
      await pause(pauseMs, undefined, { signal, ref: false });
      pauseMs = Math.min(2 * pauseMs, pauses.mostMs);
    }
  }

  /** Waits until the engine responds, ends, or the time is over. */
  private async untilUp(engine: EngineProcess): Promise<void> {
    const { waitMs } = this.launch;
    const service = engineService(this.place, 0);
    let isGone = false;
    let isThere = false;
    const exit = engine.exit.then(() => {
      isGone = true;
      return false;
    });
    for (let waited = 0; !isThere && !isGone && waited < waitMs; waited += CHECK_MS)
      isThere = await Promise.race([service.reach(Math.min(CHECK_MS, waitMs)), exit]);
    service.close();
    if (this.stopping.signal.aborted || isGone) return;
    if (isThere) this.log.info({ pid: engine.pid }, 'the polyglot engine was started');
    else this.log.warn({ waitedMs: waitMs }, 'the polyglot engine was started and does not answer');
  }
}
