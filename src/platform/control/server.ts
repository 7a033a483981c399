import { randomUUID } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import rawBody from 'raw-body';
import { z } from 'zod';
import { storeFailure } from '../store/failure';
import type { Logger } from '../log/logger';
import { perform, targetOfRequest } from './command';
import type { ControlAnswer, ControlCommand, ControlRequest, Report } from './command';
import { makeSocketFile } from './socket-file';

const LONGEST_REQUEST = 64 * 1024;
const REQUEST_MS = 10_000;
const LONGEST_NAME = 200;
/** Interval of progress reports, ms. */
const REPORT_MS = 250;
const requestShape = z.object({
  command: z.string().max(LONGEST_NAME),
  input: z.unknown(),
  systemUser: z.string().max(LONGEST_NAME),
});

/** Server for commands of the operator on this machine. */
interface ControlServer {
  /** Stops accepting connections and waits for pending commands. */
  stop(): Promise<void>;
}

/**
 * Listens on a socket in the data directory that only root and the user of the service may open;
 * both can access the data itself anyway. If listening fails, this is logged and the service
 * continues without the socket.
 */
export async function openControlServer({
  dir,
  commands,
  log,
}: {
  dir: string;
  commands: readonly ControlCommand[];
  log: Logger;
}): Promise<ControlServer> {
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, keepAlive: false },
    (request, response) => void answer(request, response, commands, log),
  );
  try {
    const file = makeSocketFile(dir);
    await listenPrivately(server, file.path);
    return {
      async stop() {
        await new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeIdleConnections();
        });
        file.remove();
      },
    };
  } catch (error) {
    log.warn(
      { err: error },
      'the socket for commands cannot be opened: commands of the operator cannot reach this service',
    );
    return { stop: () => Promise.resolve() };
  }
}

/** Sets the umask, so that the socket is created private instead of changed afterwards. */
function listenPrivately(server: ReturnType<typeof createServer>, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const before = process.umask(0o177);
    try {
      server.listen(path, () => {
        chmodSync(path, 0o600);
        server.off('error', reject);
        resolve();
      });
    } finally {
      process.umask(before);
    }
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  commands: readonly ControlCommand[],
  log: Logger,
): Promise<void> {
  const requestId = randomUUID();
  response.setHeader('connection', 'close');
  try {
    const body = await rawBody(request, { limit: LONGEST_REQUEST, encoding: 'utf8' });
    const parsed = requestShape.safeParse(jsonOf(body));
    if (!parsed.success)
      return send(response, 400, { done: false, message: 'This is no command.', problems: [] });
    const report = progressWriter(response);
    send(response, 200, await performLogged(commands, parsed.data, { requestId, report, log }));
  } catch (error) {
    log.error({ err: error, requestId }, 'a command failed');
    send(response, 500, {
      done: false,
      message:
        storeFailure(error)?.message ??
        `The service failed at it; its log says why (request ${requestId}).`,
      problems: [],
    });
  }
}

/** Logs one line for each command: name, target, user and outcome. */
async function performLogged(
  commands: readonly ControlCommand[],
  request: ControlRequest,
  { requestId, report, log }: { requestId: string; report: Report; log: Logger },
): Promise<ControlAnswer> {
  const about = {
    command: request.command,
    target: targetOfRequest(commands, request),
    systemUser: request.systemUser,
    requestId,
  };
  try {
    const answer = await perform(commands, request, requestId, report);
    log.info(
      {
        ...about,
        ...(answer.done
          ? { result: 'done' }
          : { result: 'refused', reason: [answer.message, ...answer.problems].join(' ') }),
      },
      'command',
    );
    return answer;
  } catch (error) {
    log.info({ ...about, result: 'failed' }, 'command');
    throw error;
  }
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Returns a function that sends progress as lines of JSON, before the line of the answer. */
function progressWriter(response: ServerResponse): Report {
  let lastAt = -REPORT_MS;
  // The client may be gone; the command continues.
  response.on('error', () => undefined);
  return (progress) => {
    if (performance.now() - lastAt < REPORT_MS) return;
    lastAt = performance.now();
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'application/jsonl' });
    response.write(`${JSON.stringify({ progress })}\n`);
  };
}

function send(response: ServerResponse, status: number, body: ControlAnswer): void {
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
