// A service in small: it executes a workflow in a pool and is killed meanwhile.
const { createPooledEngine } = require('../../../dist/features/runs/execution/pool/pooled-engine.js');

const { program, document, settings: given } = JSON.parse(process.argv[2]);
const outbound = { timeoutMs: 60_000, maxResponseBytes: 20 * 2 ** 20, maxRedirects: 0, deny: [], allow: [] };
const settings = { outbound, limits: { maxStoredBytes: 2 ** 20 }, scripts: { timeoutMs: 5_000, memoryBytes: 64 * 2 ** 20, polyglot: null }, memoryBytes: 256 * 2 ** 20, beatMs: 1_000, stallMs: 600_000, silenceMs: 600_000, ...given };
const engine = createPooledEngine({ program, settings, most: 1, warm: 1, idleMs: 60_000 });
const task = { document, secrets: new Map(), connectors: new Map(), stepTimeoutMs: 60_000, retrying: { retries: 0, backoffMs: 0 }, runTimeoutMs: 600_000, recordSegments: false, callsHome: { addresses: [], header: 'x-test', mark: '' } };
const store = async (rows) => rows.forEach(({ kind }) => console.log(kind));

void engine.execute(task, { signal: new AbortController().signal, store }).then(({ state, error }) => console.log(`ended ${error?.code ?? state}`));
setInterval(() => undefined, 60_000);
