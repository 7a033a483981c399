import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../log/logger';
import { isEngineThere } from './engine-health';
import { startEngine } from './engine-process';
import type { EngineCommand, EngineProcess } from './engine-process';
import { engineService } from './polyglot';
import type { PolyglotConfig } from './polyglot';

/** How long is waited before an engine that has ended is started again, ms: twice as long each time. */
export interface EnginePauses {
  readonly firstMs: number;
  readonly mostMs: number;
  /** One that has lived for so long begins anew with the first pause. */
  readonly steadyMs: number;
}

export interface EngineLaunch extends EngineCommand {
  /** How long an engine that was started is waited for. */
  readonly waitMs: number;
  readonly pauses?: EnginePauses;
}

export interface LaunchedEngine {
  /** Resolves when it answers for the first time, or when it is waited for no longer. */
  readonly launched: Promise<void>;
  /** How often one was started. */
  readonly starts: number;
  /** Of the one that goes on now; null: none that was started here does. */
  readonly pid: number | null;
  /** Ends what was started. */
  stop(): Promise<void>;
}

/** A connection is waited for in pieces: what is waited for stays until it is over, also when nobody wants it any more. */
const LOOK_MS = 500;
const PAUSES: EnginePauses = { firstMs: 1_000, mostMs: 60_000, steadyMs: 60_000 };

/**
 * Starts the polyglot engine where none answers yet, and again whenever it has ended. Whose engine somebody else started is not ended here; when that
 * one is gone, it is found out within the longest pause. A service works without it: what goes wrong is in the log, and in the runs that need it.
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

  /** @param isUp called when there is nothing more to wait for */
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
