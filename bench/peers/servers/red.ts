import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requirePeer } from '../installed';
import { listen } from './listen';

/** A node of the only tab. */
export const node = (id: string, type: string, more: object): object => ({
  id,
  type,
  z: 'flow',
  ...more,
});

/** Starts Node-RED with the nodes of a tab, until the parent process disconnects. Returns the address. */
export async function startNodeRed(nodes: readonly object[]): Promise<string> {
  const RED = requirePeer('node-red');
  const userDir = mkdtempSync(join(tmpdir(), 'hypha-node-red-'));
  const flows = [{ id: 'flow', type: 'tab', label: 'flow' }, ...nodes];
  writeFileSync(join(userDir, 'flows.json'), JSON.stringify(flows));
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
  process.once('disconnect', () => {
    rmSync(userDir, { recursive: true, force: true });
    process.exit(0);
  });
  return listen(server);
}
