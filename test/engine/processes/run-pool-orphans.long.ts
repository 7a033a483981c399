import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serialize } from 'node:v8';
import type { WorkflowSnapshot } from '../../../src/engine';
import { dyingWithTheRun, Running } from '../../support/process';
import { BUSY_PATTERN, poolOptions, randomLetters, taskOf } from '../support/pool';
import type { SmallPool } from '../support/pool';
import { httpStep, ifStep, reference, workflow } from '../support/run';

let server: Server;

beforeEach(async () => {
  server = createServer(({ url }, response) => {
    if (url === '/next') response.end('y');
    else if (url !== '/hang' && url !== '/slow') response.end(randomLetters());
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => server.close());

const url = (path: string): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

/** A small service whose process may be killed or halted. */
function ownerOf(document: WorkflowSnapshot, settings: SmallPool['settings'] = {}): Running {
  const input = {
    options: poolOptions({ most: 1, settings: { stallMs: 600_000, ...settings } }),
    task: taskOf(document),
  };
  const command = [
    join(__dirname, '../support/pool-owner.cjs'),
    serialize(input).toString('base64'),
  ];
  return new Running(
    spawn(process.execPath, command, {
      env: { PATH: process.env.PATH, ...dyingWithTheRun },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
}

/** An orphaned child would keep its connection: its run takes minutes. */
it.each([
  ['waits for an answer', () => workflow(httpStep('0', url('/hang'))), /StepStarted/],
  [
    'does not come back',
    () =>
      workflow(
        httpStep('0', url('/letters')),
        ifStep('1', `${reference('0', '(response).body')} Matches "${BUSY_PATTERN}"`),
      ),
    /StepFinished/,
  ],
])('no process that %s survives a killed service', async (_, document, reached) => {
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const owner = ownerOf(document());
  await owner.says(reached);
  const [connection] = await connected;
  expect(connection.destroyed).toBe(false);
  const closed = once(connection, 'close');
  owner.child.kill('SIGKILL');
  await Promise.all([owner.exit, closed]);
});

it('a run of a halted service sends nothing until the service continues, and then ends normally', async () => {
  const owner = ownerOf(workflow(httpStep('0', url('/slow')), httpStep('1', url('/next'))), {
    beatMs: 20,
    silenceMs: 100,
  });
  const [, first] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  owner.child.kill('SIGSTOP');
  // The process of the run misses this many heartbeats before it may answer.
  await pause(1_000);
  let wasStopped = true;
  const next = once(server, 'request').then(() => wasStopped);
  first.end('x');
  await pause(1_000);
  wasStopped = false;
  owner.child.kill('SIGCONT');
  expect(await next).toBe(false);
  await owner.says(/ended SUCCEEDED/);
  owner.child.kill('SIGKILL');
  await owner.exit;
});
