import type { ReachedService, TestService } from '../service/harness';
import { jobResult } from '../service/jobs';
import type { Calls } from './rest-calls';

/** Creates the support file of a workflow without executing it. Returns it as shown by REST. */
export async function supportFile(
  service: ReachedService,
  workflowId: number,
): Promise<{ readonly connectionId: number; readonly filename: string }> {
  const { body } = await service.api(
    'POST',
    `/api/connection/execute/${workflowId}/support-file?execute=false`,
  );
  return jobResult(service, body.jobId as number);
}

/** Successful requests for support files. */
export function supportLogCalls(service: TestService, saved: () => Promise<number>): Calls {
  const base = '/api/connection/support-file';
  const packed = async (): ReturnType<typeof supportFile> => supportFile(service, await saved());

  return {
    'POST /api/connection/execute/{id}/support-file': async () => ({
      path: `/api/connection/execute/${await saved()}/support-file?execute=false`,
      body: [{ type: 'regex', expression: 'x' }],
    }),
    'GET /api/connection/support-file/list': async () => ({
      path: `${base}/list?made=${(await packed()).connectionId}`,
    }),
    'GET /api/connection/support-file/{connectionId}/list': async () => ({
      path: `${base}/${(await packed()).connectionId}/list`,
    }),
    'GET /api/connection/support-file/{which}': async () => ({
      path: `${base}/${(await packed()).connectionId}`,
    }),
    'GET /api/connection/support-file/{connectionId}/{zip}': async () => {
      const { connectionId, filename } = await packed();
      return { path: `${base}/${connectionId}/${filename}` };
    },
    'DELETE /api/connection/support-file/{which}': async () => ({
      path: `${base}/${(await packed()).filename}`,
    }),
    'PUT /api/connection/support-file/delete/list': async () => ({
      path: `${base}/delete/list`,
      body: { filenames: [(await packed()).filename] },
    }),
  };
}
