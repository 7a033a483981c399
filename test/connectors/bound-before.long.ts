import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/platform/log/logger';
import { connectStore } from '../../src/platform/store/connect';
import { answerJson, startRemote } from '../engine/support/remote';
import { imported, invokerXml, newConnector, TICKETS } from '../support/connector-invokers';
import { startService } from '../support/harness';
import type { Answer, TestService } from '../support/harness';

const log = createLogger({ log: { level: 'silent' } });
const outcome = ({ status, body }: Answer): [number, string] => [status, body.message];

it('binds values from before to what holds at the migration, ahead of the files of invokers that the same start reads', async () => {
  const [dataDir, folder] = [mkdtempSync(join(tmpdir(), 'hypha-bound-')), mkdtempSync(join(tmpdir(), 'hypha-bound-invokers-'))];
  const [remote, elsewhere] = await Promise.all([startRemote((_request, response) => answerJson(response, {})), startRemote((_request, response) => answerJson(response, {}))]);
  const start = (): Promise<TestService> => startService({ dataDir, env: { HYPHA_INVOKER_FOLDER: folder } });
  let service = await start();
  try {
    const [same, moved, open] = [await imported(service), await imported(service), await imported(service)];
    const ids: number[] = [];
    for (const name of [same, moved, open]) ids.push(await newConnector(service, name, { url: remote.url, token: 'the-token' }));
    await service.close();

    // As a version stored them that did not know what values were entered for.
    const connected = await connectStore({ data: { dir: dataDir, mongodbUri: null } }, log, { placement: 'inline', durability: 'test' });
    const connectors = connected.store.connection.collection<any>('connectors');
    for (const { _id, requestData } of await connectors.find({}).toArray()) {
      await connectors.updateOne({ _id }, { $set: { requestData: requestData.map(({ name, value }: any) => ({ name, value })) } });
    }
    expect((await connected.store.connection.collection('migrations').deleteMany({ name: 'what credentials were entered for' })).deletedCount).toBe(1);
    await connected.close();
    writeFileSync(join(folder, 'moved.xml'), invokerXml(moved, TICKETS.fields, [{ name: 'GetMe', type: 'test', endpoint: `${elsewhere.url}/me`, header: { Authorization: '{token}' } }]));
    writeFileSync(join(folder, 'open.xml'), invokerXml(open, [{ name: 'url' }, { name: 'token' }], TICKETS.operations));

    service = await start();
    const check = async (id = 0): Promise<Answer> => service.api('POST', '/api/connector/check', { body: { connectorId: id } });
    const shown = async (id = 0): Promise<any> => (await service.api('GET', `/api/connector/${id}`)).body;
    expect((await check(ids[0])).body).toEqual({ status: '200' });
    expect(outcome(await check(ids[1]))).toEqual([400, 'CREDENTIALS_NEED_CONFIRMATION']);
    expect(await shown(ids[1])).toMatchObject({ suspended: [{ field: 'token', origins: [elsewhere.url] }] });
    expect(await shown(ids[2])).toMatchObject({ requestData: { url: remote.url }, suspended: [] });
    expect(elsewhere.received).toEqual([]);

    // Nothing of it is done twice: what is suspended stays so after another start.
    await service.close();
    service = await start();
    expect(outcome(await check(ids[1]))).toEqual([400, 'CREDENTIALS_NEED_CONFIRMATION']);
    expect(elsewhere.received).toEqual([]);
  } finally {
    await service.close();
    await Promise.all([remote.close(), elsewhere.close()]);
    for (const directory of [dataDir, folder]) rmSync(directory, { recursive: true, force: true });
  }
});
