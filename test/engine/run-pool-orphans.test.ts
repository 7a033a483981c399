import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { RUN_PROGRAM } from '../support/harness';
import { dyingWithTheRun, Running } from '../support/process';
import { BUSY_PATTERN, RANDOM_LETTERS } from './support/pool';
import { httpStep, ifStep, reference, workflow } from './support/run';

let server: Server;

beforeEach(async () => {
  server = createServer(({ url }, response) => {
    if (url !== '/hang') response.end(RANDOM_LETTERS);
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => server.close());

const url = (path: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

/** A child that is left behind would keep its connection: its run goes on for minutes. */
it.each([
  ['waits for an answer', () => workflow(httpStep('0', url('/hang'))), /StepStarted/],
  ['does not come back', () => workflow(httpStep('0', url('/letters')), ifStep('1', `${reference('0', '(response).body')} Matches "${BUSY_PATTERN}"`)), /StepFinished/],
])('no process that %s is left behind by a service that is killed', async (_, document, reached) => {
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const command = [join(__dirname, 'support/pool-owner.cjs'), JSON.stringify({ program: RUN_PROGRAM, document: document() })];
  const owner = new Running(spawn(process.execPath, command, { env: { PATH: process.env.PATH, ...dyingWithTheRun }, stdio: ['ignore', 'pipe', 'pipe'] }));
  await owner.says(reached);
  const [connection] = await connected;
  expect(connection.destroyed).toBe(false);
  const closed = once(connection, 'close');
  owner.child.kill('SIGKILL');
  await Promise.all([owner.exit, closed]);
});
