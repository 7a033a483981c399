import { randomBytes } from 'node:crypto';
import { startService } from '../support/harness';
import type { TestService } from '../support/harness';
import { patch, read, undos } from '../support/patches';
import { storeConnection } from '../support/stored';
import { saved, workflow } from '../support/workflows';

const MEBIBYTE = 1024 * 1024;
/** Limit per workflow, compressed. */
const MOST = 64 * MEBIBYTE;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

/** Random text that compresses to 12 MiB. */
const randomText = (): string => randomBytes(12 * MEBIBYTE).toString('base64');

it('the undo history of a workflow is limited to 64 MiB', async () => {
  const fills = Array.from({ length: 7 }, randomText);
  const id = await saved(service, workflow([], [], { ui: { n: 0, fill: fills[0] } }));
  for (let n = 1; n <= 6; n += 1)
    expect(
      (await patch(service, id, [{ op: 'replace', path: '/ui', value: { n, fill: fills[n] } }]))
        .status,
    ).toBe(200);
  const kept = await storeConnection()
    .collection('workflow_undos')
    .find({ workflowId: id })
    .sort({ version: 1 })
    .toArray();
  const bytes = kept.map((row) => row.bytes as number);
  expect(bytes.every((each) => each > 12 * MEBIBYTE && each < 13 * MEBIBYTE)).toBe(true);
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(MOST);
  expect(bytes).toHaveLength(5);
  const parts = await storeConnection().collection<any>('workflow_undo_parts').find().toArray();
  expect(parts.reduce((sum, part) => sum + (part.bytes.length() as number), 0)).toBe(
    bytes.reduce((sum, each) => sum + each, 0),
  );

  for (const n of [5, 4]) {
    const { status, body } = await service.api('POST', `/api/connection/${id}/undo`);
    expect([status, body.ui.n, body.ui.fill === fills[n]]).toEqual([200, n, true]);
  }
  // A small save uses little of the limit.
  expect(
    (await patch(service, id, [{ op: 'replace', path: '/ui/n', value: 'small' }])).status,
  ).toBe(200);
  expect((await service.api('POST', `/api/connection/${id}/undo`)).body.ui.n).toBe(4);
});

it('the undo history is limited to 200 saves and deleted with the workflow', async () => {
  const id = await saved(service, workflow([], [], { ui: { n: 0 } }));
  for (let n = 1; n <= 203; n += 1)
    await patch(service, id, [{ op: 'replace', path: '/ui/n', value: n }]);
  expect(await undos(id)).toEqual([200, 200]);
  await service.api('POST', `/api/connection/${id}/undo`);
  expect((await read(service, id)).body.ui).toEqual({ n: 202 });
  await patch(service, id, [{ op: 'replace', path: '/ui/n', value: 'x' }]);
  await service.api('DELETE', `/api/connection/${id}`);
  expect(await undos(id)).toEqual([0, 0]);
});
