import { unique } from '../service/harness';
import type { TestService } from '../service/harness';
import { fileForm, importedInvoker, invokerXml, usingInvoker } from '../documents/invokers';
import type { Call, Calls } from './rest-calls';
import { zipOf, zipWithNames } from '../documents/zips';

/** A successful request for each invoker operation. */
export const invokerCalls = (service: TestService): Calls => {
  const at = async (rest = ''): Promise<{ path: string }> => ({
    path: `/api/invoker/${await importedInvoker(service)}${rest}`,
  });
  return {
    ...Object.fromEntries(
      ['all', 'refresh', 'synchronisation'].map((name) => [
        `GET /api/invoker/${name}`,
        () => ({ path: `/api/invoker/${name}` }),
      ]),
    ),
    'GET /api/invoker/exists/{name}': () => ({ path: '/api/invoker/exists/Echo' }),
    'GET /api/invoker/file/exists/{fileName}': () => ({
      path: '/api/invoker/file/exists/echo.xml',
    }),
    'GET /api/invoker/{name}': () => at(),
    'GET /api/invoker/{name}/xml': () => at('/xml'),
    'GET /api/invoker/{name}/dependency': () => at('/dependency'),
    'POST /api/invoker': () => ({ path: '/api/invoker', body: { xml: invokerXml() } }),
    'POST /api/invoker/{name}/xml': async () => ({
      ...(await at('/xml')),
      body: {
        method: 'GetMe',
        path: '(response.success).tickets',
        fields: [{ name: 'state', type: 'string', value: null }],
      },
    }),
    'DELETE /api/invoker/{name}': () => at(),
    'DELETE /api/invoker/{name}/force': () => at('/force'),
    'PUT /api/invoker/list/delete': async () => ({
      path: '/api/invoker/list/delete',
      body: { identifiers: [await importedInvoker(service)] },
    }),
    'POST /api/storage/invoker': () => ({
      path: '/api/storage/invoker',
      body: fileForm(invokerXml(), `${unique('file')}.xml`),
    }),
    'POST /api/storage/invoker/zip': async () => ({
      path: '/api/storage/invoker/zip',
      body: fileForm(
        await zipOf({ 'a.xml': invokerXml(), 'b.xml': invokerXml() }),
        'both.zip',
        'application/zip',
      ),
    }),
  };
};

/** Further rejected invoker requests that are not in REFUSALS. */
export async function invokerRefusals(
  service: TestService,
  refusal: (method: string, described: string, call: Call) => Promise<[number, string]>,
): Promise<void> {
  const upload = async (path: string, content: string | Buffer): Promise<[number, string]> =>
    refusal('POST', path, { path, body: fileForm(content, 'demo.xml') });
  const used = await importedInvoker(service);
  await usingInvoker(service, used);
  expect(await refusal('DELETE', '/api/invoker/{name}', { path: `/api/invoker/${used}` })).toEqual([
    409,
    'INVOKER_IN_USE',
  ]);
  expect(
    await refusal('PUT', '/api/invoker/list/delete', {
      path: '/api/invoker/list/delete',
      body: { identifiers: [used] },
    }),
  ).toEqual([409, 'INVOKER_IN_USE']);
  expect(await upload('/api/storage/invoker', invokerXml('A', '<operation type="">'))).toEqual([
    400,
    'INVOKER_INVALID',
  ]);
  expect(await upload('/api/storage/invoker/zip', 'no archive')).toEqual([
    400,
    'ZIP_FILE_REQUIRED',
  ]);
  expect(
    await upload('/api/storage/invoker/zip', await zipWithNames(['demo.xml', 'demo.xml'])),
  ).toEqual([400, 'ZIP_INVALID']);
  expect(
    await upload('/api/storage/invoker/zip', await zipOf({ 'demo.xml': '<invoker/>' })),
  ).toEqual([400, 'INVOKER_INVALID']);
  expect(
    await upload(
      '/api/storage/invoker/zip',
      await zipOf({ 'a.xml': invokerXml('TWICE'), 'b.xml': invokerXml('twice') }),
    ),
  ).toEqual([409, 'INVOKER_ALREADY_EXISTS']);
}
