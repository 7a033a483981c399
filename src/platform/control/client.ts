import { request } from 'node:http';
import { z } from 'zod';
import type { ControlAnswer, ControlRequest, Report } from './command';
import { findSocketFile } from './socket-file';

/** Time limit for the answer, and between progress reports, ms. */
const ANSWER_MS = 30_000;
/** No service listens: the socket file does not exist, or its process is gone. */
const NOBODY = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK']);
const answerShape = z.union([
  z.object({ done: z.literal(true), result: z.record(z.string(), z.unknown()) }),
  z.object({ done: z.literal(false), message: z.string(), problems: z.array(z.string()) }),
]);

const progressShape = z.object({
  progress: z.object({ done: z.number(), total: z.number() }),
});

/**
 * Sends a command to the service that runs on a data directory, over its control socket. Returns
 * null if no service listens; nothing was done then.
 * @throws Error with a message for the operator: no permission, or no response; in the latter case
 *   the command may have been executed
 */
export async function askService(
  dir: string,
  request: ControlRequest,
  report: Report = () => undefined,
): Promise<ControlAnswer | null> {
  const socketPath = findSocketFile(dir);
  if (socketPath === null) return null;
  try {
    const last = await exchange(socketPath, JSON.stringify(request), (line) =>
      report(progressShape.parse(JSON.parse(line)).progress),
    );
    return answerShape.parse(JSON.parse(last));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined && NOBODY.has(code)) return null;
    if (code === 'EACCES' || code === 'EPERM')
      throw new Error(
        `This user may not give commands to the service of ${dir}. Run the command as the user of the service.`,
        { cause: error },
      );
    throw new Error(
      'The service ended or hung before it answered, and may have done it or not: look, and try again.',
      { cause: error },
    );
  }
}

/** Returns the last line of the response. @param onLine called for each earlier line */
function exchange(
  socketPath: string,
  body: string,
  onLine: (line: string) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const asking = request(
      {
        socketPath,
        method: 'POST',
        path: '/',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        timeout: ANSWER_MS,
      },
      (response) => {
        let last = '';
        response.setEncoding('utf8');
        response.on('data', (text: string) => {
          const lines = (last + text).split('\n');
          last = lines.pop() ?? '';
          try {
            lines.forEach(onLine);
          } catch (error) {
            asking.destroy(error as Error);
          }
        });
        response.on('end', () => resolve(last));
        response.on('error', reject);
      },
    );
    asking.on('timeout', () => asking.destroy(new Error('no answer')));
    asking.on('error', reject);
    asking.end(body);
  });
}
