import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { BoundedFile } from '../log/bounded-file';
import type { Logger } from '../log/logger';
import { passedEnvironment } from '../passed-environment';
import { engineService } from './polyglot';
import type { PolyglotConfig } from './polyglot';

/** How an engine is started that does not answer. */
export interface EngineLaunch {
  readonly jarPath: string;
  readonly args: string;
  readonly jvmArgs: string;
  readonly waitMs: number;
  /** Where what it says is kept; null: nowhere. */
  readonly logFile: string | null;
}

export interface LaunchedEngine {
  /** Resolves when it answers, or when it is waited for no longer. */
  readonly launched: Promise<void>;
  /** Ends what was started. */
  stop(): Promise<void>;
}

/** One that runs already says so at once. */
const ANSWERS_MS = 1_000;
const GOODBYE_MS = 5_000;
const PASSED_ON = ['PATH', 'HOME', 'JAVA_HOME', 'LANG', 'TZ', 'SystemRoot'] as const;
const ARGUMENT = /"([^"]*)"|[^\s"]+/g;

/** Starts the polyglot engine where none answers yet. A service works without it: what goes wrong is in the log, and in the runs that need it. */
export function launchEngine(place: PolyglotConfig, launch: EngineLaunch, log: Logger): LaunchedEngine {
  let engine: ChildProcess | null = null;
  let isStopped = false;
  const service = engineService(place, 0);

  async function start(): Promise<void> {
    if (await service.reach(ANSWERS_MS)) return log.info('the polyglot engine runs already');
    if (isStopped) return;
    engine = startEngine(launch, log);
    const answers = await service.reach(launch.waitMs);
    if (isStopped) return;
    if (answers) log.info({ pid: engine.pid }, 'the polyglot engine was started');
    else log.warn({ waitedMs: launch.waitMs }, 'the polyglot engine was started and does not answer');
  }

  return {
    launched: start().finally(() => service.close()),
    async stop() {
      isStopped = true;
      service.close();
      if (engine === null || engine.pid === undefined || engine.exitCode !== null || engine.signalCode !== null) return;
      const gone = once(engine, 'exit');
      engine.kill('SIGTERM');
      const timer = setTimeout(() => engine?.kill('SIGKILL'), GOODBYE_MS);
      await gone;
      clearTimeout(timer);
    },
  };
}

function startEngine({ jarPath, args, jvmArgs, logFile }: EngineLaunch, log: Logger): ChildProcess {
  const output = logFile === null ? null : new BoundedFile(logFile);
  const said = output === null ? 'ignore' : 'pipe';
  const engine = spawn('java', [...wordsOf(jvmArgs), '-jar', jarPath, ...wordsOf(args)], { stdio: ['ignore', said, said], env: passedEnvironment(PASSED_ON) });
  const keep = (chunk: Buffer): void => output?.write(chunk);
  engine.stdout?.on('data', keep);
  engine.stderr?.on('data', keep);
  engine.once('error', (error) => log.warn({ reason: error.message }, 'the polyglot engine could not be started'));
  engine.once('close', (code, signal) => {
    output?.close();
    log.info({ code, signal }, 'the polyglot engine ended');
  });
  return engine;
}

/** Separated by blanks; what holds some stands in quotation marks. */
const wordsOf = (text: string): string[] => [...text.matchAll(ARGUMENT)].map(([word, quoted]) => quoted ?? word);
