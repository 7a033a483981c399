import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, isListening } from '../process';
import { until } from '../until';
import { CERTIFICATE, KEY } from './untrusted-server';

/** The Redis server; undefined if it is not installed (Debian: `redis-server`). */
export const REDIS_SERVER = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
  .map((folder) => join(folder, 'redis-server'))
  .find((path) => existsSync(path));

/** May only do what hints need. */
export const REDIS_USER = { name: 'hypha', password: 'p@ss/word' };

export interface RedisServer {
  readonly port: number;
  /** With the name and the password of `REDIS_USER`, or others. */
  url(user?: { name: string; password: string }): string;
  /** PEM file of the certificate of a server with TLS. */
  readonly caFile: string;
  start(): Promise<void>;
  /** Ends it without a goodbye. */
  kill(): Promise<void>;
  /** Accepts connections and answers nothing until `resume`. */
  pause(): void;
  resume(): void;
  close(): Promise<void>;
}

/** Starts a Redis server on loopback, in a temporary directory, without anything stored. */
export async function startRedis({ isEncrypted = false } = {}): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'hypha-redis-'));
  const port = await freePort();
  const file = join(folder, 'redis.conf');
  const [keyFile, caFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  writeFileSync(keyFile, KEY);
  writeFileSync(caFile, CERTIFICATE);
  const listening = isEncrypted
    ? [
        'port 0',
        `tls-port ${port}`,
        `tls-key-file ${keyFile}`,
        `tls-cert-file ${caFile}`,
        `tls-ca-cert-file ${caFile}`,
        'tls-auth-clients no',
      ]
    : [`port ${port}`];
  const { name, password } = REDIS_USER;
  writeFileSync(
    file,
    [
      ...listening,
      'bind 127.0.0.1',
      `dir ${folder}`,
      'save ""',
      'user default off',
      `user ${name} on >${password} resetchannels &hypha:* -@all +subscribe +publish +info`,
      '',
    ].join('\n'),
  );
  let server: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    const started = spawn(REDIS_SERVER ?? 'redis-server', [file], { stdio: 'ignore' });
    server = started;
    await until(() => {
      if (started.exitCode !== null) throw new Error(`Redis ended with ${started.exitCode}.`);
      return isListening(port);
    });
  };
  const kill = async (): Promise<void> => {
    const running = server;
    server = null;
    if (!running || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    port,
    url: (user = REDIS_USER) =>
      `${isEncrypted ? 'rediss' : 'redis'}://${user.name}:${encodeURIComponent(user.password)}@localhost:${port}`,
    caFile,
    start,
    kill,
    pause: () => void server?.kill('SIGSTOP'),
    resume: () => void server?.kill('SIGCONT'),
    async close() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
