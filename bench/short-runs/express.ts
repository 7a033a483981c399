/* What a developer writes without a platform: Express calls the remote system of the arguments and writes one record, into a store of the same kind, before it answers. */
import { createServer } from 'node:http';
import mongoose from 'mongoose';
import { Agent } from 'undici';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { requirePeer } from '../peers/installed';
import { listen } from '../peers/servers/listen';

const agent = new Agent();

async function main([origin, dir]: readonly string[]): Promise<void> {
  const store = await openEmbeddedStore({ dir, placement: 'worker', durability: 'full' });
  const connection = await mongoose.createConnection(store.uri).asPromise();
  const Run = connection.model(
    'Run',
    new mongoose.Schema({
      workflow: { type: Number, index: true },
      state: String,
      status: Number,
      startedAt: { type: Date, index: true },
      endedAt: Date,
    }),
  );
  await Run.init();
  const app = requirePeer('express')();
  app.post('/hook', async (_request: unknown, response: any) => {
    const startedAt = new Date();
    const { statusCode: status, body } = await agent.request({ origin, path: '/', method: 'GET' });
    const answer = await body.json();
    const state = status === 200 ? 'SUCCEEDED' : 'FAILED';
    await Run.create({ workflow: 1, state, status, startedAt, endedAt: new Date() });
    response.json(answer);
  });
  process.once(
    'disconnect',
    () =>
      void connection
        .close()
        .then(() => store.close())
        .finally(() => process.exit(0)),
  );
  process.send?.(`${await listen(createServer(app))}/hook`);
}

void main(process.argv.slice(2));
