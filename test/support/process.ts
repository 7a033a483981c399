import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { built } from './service/built';

export const ROOT = join(__dirname, '../..');
export const MAIN = join(ROOT, 'dist/main.js');

/** Environment of child processes that end with the test run. */
export const dyingWithTheRun: Readonly<Record<string, string>> = {
  NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, 'die-with-parent.cjs'))}`,
  TEST_RUN_PID: String(process.pid),
};

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Whether a port of 127.0.0.1 accepts connections. */
export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(port, '127.0.0.1', () => {
      probe.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });

/** Only a hang takes longer; below the timeout of a test, so that its output is shown. */
const MAX_SILENCE_MS = 200_000;

/** A child process with recorded output. */
export class Running {
  output = '';
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  private waiting: {
    text: RegExp;
    resolve: (match: RegExpMatchArray) => void;
    reject: (error: Error) => void;
  }[] = [];

  constructor(readonly child: ChildProcess) {
    const collect = (chunk: Buffer): void => {
      this.output += chunk.toString('utf8');
      this.waiting = this.waiting.filter(({ text, resolve }) => {
        const match = this.output.match(text);
        if (match) resolve(match);
        return !match;
      });
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    this.exit = new Promise((resolve) =>
      child.on('close', (code, signal) => {
        for (const { text, reject } of this.waiting)
          reject(
            new Error(
              `The process ended (${code ?? signal}) before it said ${text}:\n${this.output}`,
            ),
          );
        resolve({ code, signal });
      }),
    );
  }

  /** Resolves when the output matches; rejects if the process exits first or hangs. */
  says(text: RegExp): Promise<RegExpMatchArray> {
    const match = this.output.match(text);
    if (match) return Promise.resolve(match);
    return new Promise((resolve, reject) => {
      this.waiting.push({ text, resolve, reject });
      const hang = (): void =>
        reject(new Error(`The process did not say ${text} in time:\n${this.output}`));
      setTimeout(hang, MAX_SILENCE_MS).unref();
    });
  }
}

/** What processes at one store have in common. */
export const SECRETS_OF_A_STORE = {
  HYPHA_TOKEN_SECRET: 'the token secret of all processes',
  HYPHA_CONNECTOR_MASTER_PASSWORD: 'the password of all processes',
};

/** Starts the compiled service. */
export function startProcess(
  env: Readonly<Record<string, string | undefined>>,
  command: readonly string[] = [process.execPath, built(MAIN)],
  cwd = ROOT,
): Running {
  const [file, ...args] = command;
  return new Running(
    spawn(file, args, {
      cwd,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: process.env.HOME ?? '',
        ...dyingWithTheRun,
        ...(env.MONGODB_URI && SECRETS_OF_A_STORE),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    }),
  );
}

/** The address that the service prints when it is ready. */
export const readyUrl = async (running: Running): Promise<string> =>
  (await running.says(/REST\s+(http:\/\/\S+)\/api/))[1];
