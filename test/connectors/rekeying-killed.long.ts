import { startService } from '../support/harness';
import { remoteSystem } from '../support/remote-system';
import { sealedData } from '../support/rekeying-killed';
import type { SealedData } from '../support/rekeying-killed';
import { secretOf, tokenOf } from '../support/sealed-values';
import { shareOf } from '../support/rounds';
import { ended } from '../support/watch';
import { method, saved, started, workflow } from '../support/workflows';

/** A service with either password shows the credentials and sends the secrets stored before. */
async function serves(dataDir: string, password: string): Promise<void> {
  const remote = await remoteSystem(() => ({ body: {} }));
  const service = await startService({
    dataDir,
    env: { MONGODB_URI: '', HYPHA_CONNECTOR_MASTER_PASSWORD: password },
  });
  try {
    const { body: connectors } = await service.api('GET', '/api/connector/all', {
      headers: { 'X-Master-Password': password },
    });
    expect(connectors.map(({ requestData }: any) => requestData.token)).toEqual(
      connectors.map((_: unknown, at: number) => tokenOf(at)),
    );
    const { body: secrets } = await service.api('GET', '/api/secret/all');
    for (const { secretId, ...secret } of secrets)
      expect(
        (
          await service.api('PUT', `/api/secret/${secretId}`, {
            body: { ...secret, origins: [remote.url] },
          })
        ).status,
      ).toBe(200);
    const header = Object.fromEntries(
      secrets.map(({ name }: any) => [`X-${name}`, `{%secret.${name}%}`]),
    );
    const run = await ended(
      service,
      await started(
        service,
        await saved(
          service,
          workflow([
            method('0', remote.url, { request: { endpoint: remote.url, method: 'GET', header } }),
          ]),
        ),
      ),
    );
    expect([run.state, run.error]).toEqual(['SUCCEEDED', null]);
    expect(secrets.map(({ name }: any) => remote.received[0]?.headers[`x-${name}`])).toEqual(
      secrets.map((_: unknown, at: number) => secretOf(at)),
    );
    // New values are sealed with the key of this password, too.
    expect(
      (
        await service.api('PUT', `/api/connector/${connectors[0].connectorId}`, {
          body: { requestData: { token: tokenOf(0) } },
        })
      ).status,
    ).toBe(200);
  } finally {
    await service.app.stop();
    await remote.close();
  }
}

let data: SealedData;
beforeAll(async () => {
  data = await sealedData();
});
afterAll(() => data.remove());

it('a killed key change leaves a service that works with either password and can be finished', async () => {
  const write = data.writes.findIndex((name) => name.startsWith('secrets ')) + 2;
  const left = await data.killedBefore(write, async (dir) => {
    await serves(dir, 'one');
    await serves(dir, 'two');
  });
  expect(left).toEqual({
    opening: ['one', 'two'],
    refused: [],
    told: false,
    afterwards: { opening: ['two'], refused: ['one'], told: true },
  });
});

it('a key change that is killed before a write loses nothing and can be finished', async () => {
  const writes = data.writes.map((_, nth) => nth + 1);
  expect(writes.length).toBeGreaterThan(11);
  // Of 13 writes the third follows the new key, and the twelfth is in the final transaction.
  for (const write of shareOf(writes, 2, 9)) {
    const { opening, refused, told, afterwards } = await data.killedBefore(write);
    expect([write, opening.length > 0, opening.length + refused.length]).toEqual([write, true, 2]);
    // The write that invalidates the earlier password also writes the audit record.
    expect([write, told]).toEqual([write, !opening.includes('one')]);
    expect([write, afterwards]).toEqual([
      write,
      { opening: ['two'], refused: ['one'], told: true },
    ]);
  }
});
