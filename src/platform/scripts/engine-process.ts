import { spawn } from 'node:child_process';
import { BoundedFile } from '../log/bounded-file';
import type { Logger } from '../log/logger';
import { passedEnvironment } from '../passed-environment';

/** How an engine is started. */
export interface EngineCommand {
  readonly jarPath: string;
  readonly args: string;
  readonly jvmArgs: string;
  /** Where what it says is kept; null: nowhere. */
  readonly logFile: string | null;
}

/** An engine that was started. */
export interface EngineProcess {
  readonly pid: number | undefined;
  /** Resolves when it has ended, or could not be started. */
  readonly gone: Promise<void>;
  /** Ends it, and waits for that. */
  stop(): Promise<void>;
}

const GOODBYE_MS = 5_000;
const PASSED_ON = ['PATH', 'HOME', 'JAVA_HOME', 'LANG', 'TZ', 'SystemRoot'] as const;
const ARGUMENT = /"([^"]*)"|[^\s"]+/g;

/** Starts an engine: what goes wrong is in the log. */
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

/** What cannot be kept is lost, which is told once: neither the engine nor the service ends by it. */
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

/** Separated by blanks; what holds some stands in quotation marks. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(ARGUMENT)].map(([word, quoted]) => quoted ?? word);
