import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../log/logger';
import { isEngineThere } from './engine-health';
import { startEngine } from './engine-process';
import type { EngineCommand, EngineProcess } from './engine-process';
import { engineService } from './polyglot';
import type { PolyglotConfig } from './polyglot';

/** Delays before an engine that ended is restarted, ms; doubled each time. */
export interface EnginePauses {
  readonly firstMs: number;
  readonly mostMs: number;
  /** After this uptime, the delay starts again at `firstMs`. */
  readonly steadyMs: number;
}

export interface EngineLaunch extends EngineCommand {
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
