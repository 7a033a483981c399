import 'reflect-metadata';
import { AssertionError } from 'node:assert';
import { setTimeout as pause } from 'node:timers/promises';
import { startApp } from './app';
import type { App } from './app';
import type { Config } from './config/config';
import { ConfigError, loadProcessConfig } from './config/load';
import { administratorNotice, welcome } from './welcome';
import { EXIT } from './platform/exit-codes';
import { letYoungGenerationGrow } from './platform/heap-growth';
import { createLogger } from './platform/log/logger';
import type { Logger } from './platform/log/logger';
import { ForeignProcess } from './platform/store/startup/foreign-process';
import { outliveReaders, writeToStderr } from './stderr';

/** Maximum duration of a start after a signal, ms. */
const START_TIMEOUT_MS = 10_000;
/** Maximum time to close everything else after the store is lost, ms. */
const CLOSE_TIMEOUT_MS = 3_000;
/** In place of a signal: an administrator has requested a restart. */
const RESTART = 'restart';

function readConfiguration(): { config: Config; warnings: readonly string[] } | null {
  try {
    return loadProcessConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    void writeToStderr(error.message);
    return null;
  }
}

/** Starts the service and runs it until a signal. Returns the exit code. */
export async function serve(): Promise<number> {
  outliveReaders();
  const read = readConfiguration();
  if (read === null) return EXIT.configuration;
  const log = createLogger(read.config);
  for (const warning of read.warnings) log.warn(warning);

  // A signal to the process group arrives twice (from npm and the group), and may arrive during the
  // start.
  let stopRequested: (signal: string) => void = () => undefined;
  const stopped = new Promise<string>((resolve) => {
    stopRequested = resolve;
  });
  let started = false;
  void stopped.then(() => {
    // A start that hangs, on a dead disk or database, must not prevent the process from stopping.
    if (!started) setTimeout(() => process.exit(EXIT.failed), START_TIMEOUT_MS).unref();
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => stopRequested(signal));

  try {
    const app = await startApp(read.config, {
      log,
      restart: () => stopRequested(RESTART),
      tellAdministrator: (administrator) => writeToStderr(administratorNotice(administrator)),
    });
    started = true;
    letYoungGenerationGrow();
    void writeToStderr(welcome(read.config, app));
    return await serveUntil(stopped, app, log);
  } catch (error) {
    log.fatal(
      isFault(error) ? { err: error } : { reason: messageOf(error) },
      'the service could not start',
    );
    log.debug({ err: error }, 'stack of the failed start');
    const { explainByRunningService, isOfDamagedStore, RESTORE_HINT } =
      await import('./platform/control/running-service.js');
    if (isOfDamagedStore(error)) {
      void writeToStderr(`Hypha could not start: ${messageOf(error)}. ${RESTORE_HINT}`);
      return EXIT.damagedData;
    }
    if (error instanceof ForeignProcess) {
      void writeToStderr(`Hypha could not start: ${error.message}`);
      return EXIT.foreignProcess;
    }
    void writeToStderr(
      `Hypha could not start: ${(await explainByRunningService(read.config, error)) ?? messageOf(error)}`,
    );
    return EXIT.failed;
  }
}

/**
 * Returns whether the error is a programming error, which is logged with its stack. Others have a
 * message for the operator.
 */
const isFault = (error: unknown): boolean =>
  [TypeError, ReferenceError, RangeError, SyntaxError, AssertionError].some(
    (fault) => error instanceof fault,
  );
const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Runs until a signal or the loss of the store. Returns the exit code. */
async function serveUntil(stopped: Promise<string>, app: App, log: Logger): Promise<number> {
  try {
    const signal = await Promise.race([stopped, app.failed]);
    log.info({ signal }, 'stopping');
    await app.stop();
    log.info('stopped');
    return signal === RESTART ? EXIT.restart : EXIT.success;
  } catch (error) {
    log.fatal({ err: error }, 'the service had to stop');
    void writeToStderr(`Hypha had to stop: ${messageOf(error)}`);
    // Closes what can be closed; a lost store may never respond.
    await Promise.race([app.stop().catch(() => undefined), pause(CLOSE_TIMEOUT_MS)]);
    return error instanceof ForeignProcess ? EXIT.foreignProcess : EXIT.failed;
  }
}

process.on('unhandledRejection', (reason) => {
  void writeToStderr(
    `Hypha stops because of an unhandled rejection: ${reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)}`,
  );
  process.exit(EXIT.fault); // Better restarted than in an unknown state
});
