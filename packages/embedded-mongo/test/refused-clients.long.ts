import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import type { EmbeddedStore } from '@hypha/embedded-mongo';

let dir: string;
let store: EmbeddedStore;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'store-refused-'));
  store = await openEmbeddedStore({
    dir,
    placement: 'inline',
    durability: 'test',
    refusedClients: { application: 'rival', reason: 'Ask the owner.' },
  });
});
afterAll(async () => {
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

/** In a process of its own: under jest the driver does not send the name. */
const CLIENT = `
  const [uri, appName] = process.argv.slice(1);
  const client = new (require('mongodb').MongoClient)(uri, appName ? { appName } : {});
  client.db().collection('things').countDocuments()
    .then(String, ({ code, codeName, message }) => [code, codeName, message].join(' '))
    .then((line) => client.close().then(() => process.stdout.write(line)));
`;

const outcomeAs = async (name: string): Promise<string> =>
  (await promisify(execFile)(process.execPath, ['-e', CLIENT, store.uri, name], { cwd: __dirname }))
    .stdout;

it.each(['rival', 'rival: of the north'])(
  'a client with the name "%s" connects and gets an error for each command',
  async (name) => expect(await outcomeAs(name)).toBe('13 Unauthorized Ask the owner.'),
);

it.each(['', 'rivals', 'mongosh 2.5.0'])('a client with the name "%s" is served', async (name) =>
  expect(await outcomeAs(name)).toBe('0'),
);
