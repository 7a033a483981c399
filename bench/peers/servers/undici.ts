/* The least that sequential requests can cost: a loop of `undici`. Each message, the address of the remote system and a number of steps, is a run. */
import { Agent } from 'undici';
import { bareChain } from '../../runs/chain';

const agent = new Agent();
process.on('message', ([origin, steps]: [string, number]) => {
  const before = performance.now();
  void bareChain(agent, origin, steps).then(() => process.send?.(performance.now() - before));
});
process.once('disconnect', () => process.exit(0));
process.send?.('ready');
