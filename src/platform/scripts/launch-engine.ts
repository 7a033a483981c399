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

/** A started engine process. */
interface EngineProcess {
  readonly pid: number | undefined;
  /** Resolves when the process has ended or failed to start. */
  readonly gone: Promise<void>;
  /** Ends the process and waits for its exit. */
  stop(): Promise<void>;
}

const GOODBYE_MS = 5_000;
const PASSED_ON = ['PATH', 'HOME', 'JAVA_HOME', 'LANG', 'TZ', 'SystemRoot'] as const;
const ARGUMENT = /"([^"]*)"|[^\s"]+/g;

/** Starts an engine; failures are logged. */
function startEngine(
  { jarPath, args, jvmArgs, logFile }: EngineCommand,
  log: Logger,
): EngineProcess {
  const output = logFile === null ? null : engineLog(logFile, log);
  const said = output === null ? 'ignore' : 'pipe';
  const engine = spawn('java', [...wordsOf(jvmArgs), '-jar', jarPath, ...wordsOf(args)], {
    stdio: ['ignore', said, said],
    env: passedEnvironment(PASSED_ON),
  });
  const keep = (chunk: Buffer): void => output?.keep(chunk);
  engine.stdout?.on('data', keep);
  engine.stderr?.on('data', keep);
  const gone = new Promise<void>((resolve) => {
    engine.once('error', (error) => {
      log.warn({ reason: error.message }, 'the polyglot engine could not be started');
      if (engine.pid === undefined) resolve();
    });
    engine.once('close', (code, signal) => {
      output?.close();
      log.info({ code, signal }, 'the polyglot engine ended');
      resolve();
    });
  });
  return {
    pid: engine.pid,
    gone,
    async stop() {
      engine.kill('SIGTERM');
      const timer = setTimeout(() => engine.kill('SIGKILL'), GOODBYE_MS);
      await gone;
      clearTimeout(timer);
    },
  };
}

interface EngineLog {
  /** Never throws. */
  keep(chunk: Buffer): void;
  close(): void;
}

/** Log file of the engine. A write error is logged once and otherwise ignored. */
function engineLog(path: string, log: Logger): EngineLog {
  let file: BoundedFile | null = null;
  let isTold = false;
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (!isTold) log.warn({ err: error }, 'the log of the polyglot engine cannot be written');
      isTold = true;
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
const LONGEST_ANSWER = 4_096;
const WITHIN_MS = 1_000;

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
    maxBytes: LONGEST_ANSWER,
  });
  try {
    const { status } = await service.call<{ readonly status: string }>(
      'Check',
      { service: '' },
      { timeoutMs: WITHIN_MS, signal: new AbortController().signal },
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

export interface LaunchedEngine {
  /** Resolves when the engine responds for the first time, or after `waitMs`. */
  readonly launched: Promise<void>;
  /** Number of starts. */
  readonly starts: number;
  /** Process id of the running engine; null if this launcher started none that runs. */
  readonly pid: number | null;
  /** Stops the engine if this launcher started it. */
  stop(): Promise<void>;
}

/** Interval of connection checks, ms: a pending wait for a connection cannot be cancelled. */
const LOOK_MS = 500;
const PAUSES: EnginePauses = { firstMs: 1_000, mostMs: 60_000, steadyMs: 60_000 };

/**
 * Starts the polyglot engine if none responds, and restarts it when it ends. Does not stop an
 * engine started by others; if that one ends, this is detected within the longest delay. The
 * service works without an engine: failures appear in the log and in runs that need it.
 */
export function launchEngine(
  place: PolyglotConfig,
  { waitMs, pauses = PAUSES, ...command }: EngineLaunch,
  log: Logger,
): LaunchedEngine {
  const stopping = new AbortController();
  const { signal } = stopping;
  let current: EngineProcess | null = null;
  let starts = 0;

  async function untilItAnswers(engine: EngineProcess): Promise<void> {
    const service = engineService(place, 0);
    let isGone = false;
    let isThere = false;
    const gone = engine.gone.then(() => {
      isGone = true;
      return false;
    });
    for (let waited = 0; !isThere && !isGone && waited < waitMs; waited += LOOK_MS)
      isThere = await Promise.race([service.reach(Math.min(LOOK_MS, waitMs)), gone]);
    service.close();
    if (signal.aborted || isGone) return;
    if (isThere) log.info({ pid: engine.pid }, 'the polyglot engine was started');
    else log.warn({ waitedMs: waitMs }, 'the polyglot engine was started and does not answer');
  }

  /** @param isUp called when the engine responds, or waiting ends */
  async function keepUp(isUp: () => void): Promise<void> {
    let pauseMs = pauses.firstMs;
    for (let wasOthers = false; !signal.aborted;) {
      if (await isEngineThere(place)) {
        if (!wasOthers) log.info('the polyglot engine runs already');
        wasOthers = true;
        isUp();
        await pause(pauses.mostMs, undefined, { signal, ref: false });
        continue;
      }
      if (signal.aborted) return;
      const startedAt = performance.now();
      current = startEngine(command, log);
      starts += 1;
      await untilItAnswers(current);
      isUp();
      await current.gone;
      current = null;
      wasOthers = false;
      if (signal.aborted) return;
      if (performance.now() - startedAt >= pauses.steadyMs) pauseMs = pauses.firstMs;
      log.warn({ pauseMs }, 'the polyglot engine ended and is started again after a pause');
      await pause(pauseMs, undefined, { signal, ref: false });
      pauseMs = Math.min(2 * pauseMs, pauses.mostMs);
    }
  }

  let isUp: () => void = () => undefined;
  const launched = new Promise<void>((resolve) => {
    isUp = resolve;
  });
  const kept = keepUp(isUp)
    .catch((error: unknown) => {
      if (!signal.aborted) log.error({ err: error }, 'the polyglot engine is not started any more');
    })
    .finally(isUp);

  return {
    launched,
    get starts() {
      return starts;
    },
    get pid() {
      return current?.pid ?? null;
    },
    async stop() {
      stopping.abort();
      await current?.stop();
      await kept;
    },
  };
}
