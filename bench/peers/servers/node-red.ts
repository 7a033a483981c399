/* Node-RED with a flow that sends the same requests as the chain of `bench/runs`. Each message, the address of the remote system and a number of steps, is a run. */
import { node, startNodeRed } from './red';

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

const NODES = [
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
  const url = await startNodeRed(NODES);
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
  process.send?.('ready');
}

void main();
