// A small service that executes a workflow in a pool until it is killed. Its argument is written by `v8.serialize`.
const { deserialize } = require('node:v8');
const { PooledEngine } = require('../../../dist/features/runs/execution/pool/pooled-engine.js');

const { options, task } = deserialize(Buffer.from(process.argv[2], 'base64'));
const engine = new PooledEngine(options);
const store = async (rows) => rows.forEach(({ kind }) => console.log(kind));

const { signal } = new AbortController();
const supervision = { signal, store, beforeFirstSend: async () => undefined, isHeld: () => true };

void engine
  .reserve(signal)
  .then((seat) => seat.execute(task, supervision))
  .then(({ state, error }) => console.log(`ended ${error?.code ?? state}`));
setInterval(() => undefined, 60_000);
