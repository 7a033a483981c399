import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { method, saved, started, workflow } from '../support/documents/workflows';
import { testRemote } from '../support/peers/remote-system';
import type { RemoteAnswer } from '../support/peers/remote-system';
import { startTcpServer } from '../support/peers/tcp-server';
import { ROOT } from '../support/process';
import { testService } from '../support/service/harness';

let letGo: (answer: RemoteAnswer) => void = () => undefined;
const service = testService();
const remote = testRemote(({ path }) =>
  path === '/held'
    ? new Promise<RemoteAnswer>((resolve) => {
        letGo = resolve;
      })
    : { body: {} },
);

it('examples/watch.mjs shows each event once when its sockets are lost during the run', async () => {
  const sockets: Socket[] = [];
  const proxy = await startTcpServer((socket) => {
    sockets.push(socket);
    const inner = connect(Number(new URL(service.url).port), '127.0.0.1');
    inner.on('error', () => socket.destroy());
    socket
      .on('close', () => inner.destroy())
      .pipe(inner)
      .pipe(socket);
  });
  const document = workflow([
    method('0', `${remote.url}/held`),
    method('1', `${remote.url}/held`),
    method('2', `${remote.url}/free`),
  ]);
  const runId = await started(service, await saved(service, document));
  const watching = spawn(
    process.execPath,
    [join(ROOT, 'examples/watch.mjs'), String(runId), `http://127.0.0.1:${proxy.port}`],
    { env: { ...process.env, TOKEN: service.adminToken }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exit = once(watching, 'exit');
  const shown: [number, string][] = [];
  for await (const line of createInterface(watching.stdout)) {
    const [sequence, kind] = line.trim().split(/\s+/);
    shown.push([Number(sequence), kind]);
    if (kind !== 'StepStarted' || shown.length > 4) continue;
    await remote.next();
    // Events happen while there is no socket.
    sockets.forEach((socket) => socket.destroy());
    letGo({ body: {} });
  }
  expect(await exit).toEqual([0, null]);
  expect(proxy.sockets.all).toBe(3);
  expect(shown).toEqual(
    [
      'RunStarted',
      ...['0', '1', '2'].flatMap(() => ['StepStarted', 'StepFinished']),
      'RunFinished',
    ].map((kind, nth) => [nth + 1, kind]),
  );
  await proxy.close();
});
