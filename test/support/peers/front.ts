import { createServer, request as ask } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT, dyingWithTheRun, isListening } from '../process';

/** A proxy that serves the service below a path prefix. */
export interface Front {
  close(): Promise<void>;
}

interface FrontPlace {
  readonly port: number;
  /** The port of the service. */
  readonly target: number;
  readonly prefix: string;
  /** Whether the prefix is removed from forwarded paths. */
  readonly strips: boolean;
}

const innerPath = (request: IncomingMessage, { prefix, strips }: FrontPlace): string => {
  const path = request.url ?? '/';
  return strips ? path.slice(prefix.length) || '/' : path;
};

/** A minimal proxy. Answers 404 outside of the prefix. */
export async function openFront(place: FrontPlace): Promise<Front> {
  const isOurs = ({ url = '' }: IncomingMessage): boolean =>
    `${url}/`.startsWith(`${place.prefix}/`);
  const to = (request: IncomingMessage) => ({
    host: '127.0.0.1',
    port: place.target,
    method: request.method,
    path: innerPath(request, place),
    headers: request.headers,
  });
  const server = createServer((request, response) => {
    if (!isOurs(request)) {
      response.writeHead(404).end();
      return;
    }
    const inner = ask(to(request), (answer) => {
      // The next proxy at this port must not meet connections to this one.
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'close' });
      answer.pipe(response);
    });
    inner.on('error', () => response.destroy());
    request.pipe(inner);
  });
  server.on('upgrade', (request, socket, head) => {
    if (!isOurs(request)) {
      socket.destroy();
      return;
    }
    const inner = connect(place.target, '127.0.0.1', () => {
      const headers = Object.entries(request.headers).map(
        ([name, value]) => `${name}: ${String(value)}\r\n`,
      );
      inner.write(`GET ${innerPath(request, place)} HTTP/1.1\r\n${headers.join('')}\r\n`);
      inner.write(head);
      socket.pipe(inner).pipe(socket);
    });
    inner.on('error', () => socket.destroy());
    socket.on('error', () => inner.destroy()).on('close', () => inner.destroy());
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(place.port, '127.0.0.1', resolve));
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const NGINX = [
  '/usr/sbin/nginx',
  '/usr/bin/nginx',
  '/usr/local/sbin/nginx',
  '/opt/homebrew/bin/nginx',
].find((path) => existsSync(path));

/** The configuration of docs/operations.md. */
const nginxConfig = (folder: string, { port, target, prefix, strips }: FrontPlace): string => `
daemon off;
master_process off;
pid ${folder}/pid;
error_log stderr;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  server {
    listen 127.0.0.1:${port};
    location ${strips ? `${prefix}/` : prefix} {
      proxy_pass http://127.0.0.1:${target}${strips ? '/' : ''};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection "upgrade";
      client_max_body_size 200M;
    }
  }
}
`;

/** Stops nginx when the test run ends. */
const KEEPER = `
  const nginx = require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { stdio: 'inherit' });
  process.on('SIGTERM', () => nginx.kill());
  setInterval(() => { try { process.kill(process.env.TEST_RUN_PID, 0); } catch { nginx.kill(); } }, 1_000);
  nginx.on('exit', () => process.exit());
`;

/** Resolves when the port accepts connections. */
async function listening(port: number, exit: Promise<unknown>): Promise<void> {
  let hasExited = false;
  void exit.then(() => {
    hasExited = true;
  });
  while (!(await isListening(port))) {
    if (hasExited) throw new Error('nginx ended before it listened.');
    await pause(10);
  }
}

export const openNginx = (place: FrontPlace): Promise<Front> =>
  startNginx(place.port, (folder) => nginxConfig(folder, place));

/**
 * nginx with the files of `deploy/`, which only get other ports.
 * @param services URLs of processes of one service
 */
export const openDeployedNginx = (
  port: number,
  services: readonly string[],
  files = join(ROOT, 'deploy'),
): Promise<Front> => startNginx(port, (folder) => deployedConfig(folder, port, services, files));

const deployedConfig = (
  folder: string,
  port: number,
  services: readonly string[],
  files: string,
): string => `
daemon off;
master_process off;
pid ${folder}/pid;
error_log stderr;
events { worker_connections 4096; }
http {
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  ${readFileSync(join(files, 'nginx.conf'), 'utf8').replace('listen 80;', `listen 127.0.0.1:${port};`)}
  ${readFileSync(join(files, 'nginx-upstream.conf'), 'utf8').replaceAll(
    'server 127.0.0.1:8080;',
    services.map((url) => `server ${new URL(url).host};`).join(' '),
  )}
}
`;

async function startNginx(port: number, config: (folder: string) => string): Promise<Front> {
  const folder = mkdtempSync(join(tmpdir(), 'hypha-nginx-'));
  writeFileSync(join(folder, 'nginx.conf'), config(folder));
  const child = spawn(
    process.execPath,
    [
      '-e',
      KEEPER,
      NGINX ?? 'nginx',
      '-p',
      folder,
      '-c',
      join(folder, 'nginx.conf'),
      '-e',
      'stderr',
    ],
    {
      env: { PATH: process.env.PATH ?? '', TEST_RUN_PID: dyingWithTheRun.TEST_RUN_PID },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const exit = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exit;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await listening(port, exit);
  } catch (error) {
    await close();
    throw error;
  }
  return { close };
}
