import type { Answer, CallOptions, TestService } from '../service/harness';
import { storeConnection } from '../store/stored';

/** Sends a PATCH; `below` is the path after the workflow id. */
export const patch = (
  service: TestService,
  id: number,
  operations: unknown,
  below = '',
  { headers, ...options }: CallOptions = {},
): Promise<Answer> =>
  service.api('PATCH', `/api/connection/${id}${below}`, {
    body: operations,
    headers: { 'content-type': 'application/json-patch+json', ...headers },
    ...options,
  });

/** The workflow as shown by REST, and as text without the fields that every save changes. */
export async function read(
  service: TestService,
  id: number,
): Promise<{ body: any; text: string; version: number }> {
  const { body, headers } = await service.api('GET', `/api/connection/${id}`);
  const { connectionId: _id, nodeId: _nodeId, ...document } = body;
  return {
    body,
    text: JSON.stringify(document),
    version: Number(headers.get('etag')?.replaceAll('"', '')),
  };
}

/** The number of undoable saves of a workflow and of their stored texts. */
export async function undos(id: number): Promise<[number, number]> {
  const rows = await storeConnection()
    .collection('workflow_undos')
    .find({ workflowId: id, redo: null })
    .toArray();
  const parts = await storeConnection()
    .collection<any>('workflow_undo_parts')
    .countDocuments({ _id: { $in: rows.map((row) => `${String(row._id)}/0`) } });
  return [rows.length, parts + rows.filter(({ inline }) => inline).length];
}
