/* Node-RED with a flow that sends the same requests as the chain of `bench/runs`. Each message, the address of the remote system and a number of steps, is a run. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requirePeer } from '../installed';
import { listen } from './serve';

const PREPARE = `
const { origin, steps } = msg.req.query;
msg.step = msg.step === undefined ? 0 : msg.step + 1;
msg.last = msg.step === 0 ? 0 : msg.payload.id;
if (msg.step === Number(steps)) { msg.payload = { steps: msg.step, last: msg.last }; return [null, msg]; }
msg.method = 'POST';
msg.url = origin + '/step/' + msg.step + '?last=' + msg.last;
msg.headers = { 'content-type': 'application/json' };
msg.payload = { step: msg.step, last: msg.last };
return [msg, null];`;

const node = (id: string, type: string, more: object) => ({ id, type, z: 'flow', ...more });
const FLOWS = [
  { id: 'flow', type: 'tab', label: 'chain' },
  node('in', 'http in', { url: '/run', method: 'post', wires: [['prepare']] }),
  node('prepare', 'function', { func: PREPARE, outputs: 2, wires: [['call'], ['out']] }),
  node('call', 'http request', {
    method: 'use',
    ret: 'obj',
    persist: true,
    wires: [['prepare']],
  }),
  node('out', 'http response', { wires: [] }),
];

async function main(): Promise<void> {
  const RED = requirePeer('node-red');
  const userDir = mkdtempSync(join(tmpdir(), 'hypha-node-red-'));
  writeFileSync(join(userDir, 'flows.json'), JSON.stringify(FLOWS));
  const server = createServer((request, response) => RED.httpNode(request, response));
  RED.init(server, {
    userDir,
    flowFile: 'flows.json',
    httpAdminRoot: false,
    httpNodeRoot: '/',
    credentialSecret: false,
    logging: { console: { level: 'off' } },
  });
  const started = new Promise((resolve) => RED.events.once('flows:started', resolve));
  await RED.start();
  await started;
  const url = await listen(server);
  const run = async (origin: string, steps: number): Promise<number> => {
    const before = performance.now();
    const answer = await fetch(
      `${url}/run?${String(new URLSearchParams({ origin, steps: String(steps) }))}`,
      {
        method: 'POST',
      },
    );
    const made = (await answer.json()) as { steps: number; last: number };
    if (made.steps !== steps || made.last !== 7)
      throw new Error(`Node-RED answered ${JSON.stringify(made)}.`);
    return performance.now() - before;
  };
  process.on(
    'message',
    ([origin, steps]: [string, number]) =>
      void run(origin, steps).then((took) => process.send?.(took)),
  );
  process.once('disconnect', () => {
    rmSync(userDir, { recursive: true, force: true });
    process.exit(0);
  });
  process.send?.('ready');
}

void main();
