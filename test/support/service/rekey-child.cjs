/**
 * Changes the key of the data of a stopped service and kills itself before the given write.
 *   rekey-child.cjs <data directory> <master password> <new master password> <number of the write, 0 for none>
 * Prints `write <collection> <method>` before each write and finally `done <records>`.
 */
require('reflect-metadata');
const { writeSync } = require('node:fs');
const { join } = require('node:path');
const mongoose = require('mongoose');

const built = (path) => require(join(__dirname, '../../../dist', path));
const say = (line) => void writeSync(1, `${line}\n`);
const WRITES = /^(?:insert|update|delete|bulkWrite|replace|findOneAnd|findAndModify)/;

async function main([dataDir, before, after, killedAt]) {
  const { config } = built('config/load.js').loadConfig(
    { DATA_DIR: dataDir, HYPHA_CONNECTOR_MASTER_PASSWORD: before },
    dataDir,
  );
  const log = built('platform/log/logger.js').createLogger({ log: { level: 'silent' } });
  const { store, close } = await built('platform/store/startup/connect.js').connectStore(
    config,
    log,
    {
      placement: 'worker',
      durability: 'full',
    },
  );
  const domain = await built('domain.js').createDomain({
    config,
    log,
    store,
    clock: built('platform/clock/clock.js').systemClock,
    bus: built('platform/events/bus.js').createInProcessBus(() => undefined),
  });
  await domain.prepare();
  let writes = 0;
  mongoose.set('debug', (collection, method) => {
    if (!WRITES.test(method)) return;
    say(`write ${collection} ${method}`);
    writes += 1;
    // Exits without closing anything.
    if (writes === Number(killedAt)) process.kill(process.pid, 'SIGKILL');
  });
  const records = await domain.services.rekeying.change(
    built('platform/access/actor.js').commandActor('root', 'rekey'),
    after,
  );
  mongoose.set('debug', false);
  await domain.stop();
  await close();
  say(`done ${records}`);
}

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
