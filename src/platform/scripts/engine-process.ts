import { spawn } from 'node:child_process';
import { BoundedFile } from '../log/bounded-file';
import type { Logger } from '../log/logger';
import { passedEnvironment } from '../passed-environment';

export interface EngineCommand {
  readonly jarPath: string;
  readonly args: string;
  readonly jvmArgs: string;
  /** File for its output; null: discard it. */
  readonly logFile: string | null;
}

/** A started engine process. */
export interface EngineProcess {
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
export function startEngine(
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
