import type { ReachedService } from '../service/harness';
import { unique } from '../service/harness';

/** A method in format 5.0 that calls `url`. */
export function method(index: string, url: string, more: object = {}): object {
  const color = `#${(0x100000 + [...index].reduce((sum, char) => sum * 31 + char.charCodeAt(0), 7)).toString(16).slice(-6).toUpperCase()}`;
  return {
    id: `m${index}`,
    index,
    name: `call ${index}`,
    color,
    methodType: 'HTTP_REQUEST',
    connector: null,
    request: { endpoint: url, method: 'GET', header: {}, body: null },
    response: null,
    ...more,
  };
}

export function workflow(methods: object[], operators: object[] = [], more: object = {}): any {
  return {
    title: unique('Workflow '),
    description: null,
    fromConnector: { connectorId: -1, title: 'DEFAULT', methods, operators },
    toConnector: null,
    fieldBinding: [],
    ...more,
  };
}

/** Saves a workflow and returns its id. */
export async function saved(service: ReachedService, document: object): Promise<number> {
  const answer = await service.api('POST', '/api/connection', { body: document });
  if (answer.status !== 201) throw new Error(`The workflow was not saved: ${answer.text}`);
  return answer.body.connectionId as number;
}

/** Queues a run of a workflow and returns its id. */
export async function started(
  service: ReachedService,
  workflowId: number,
  logging = false,
): Promise<number> {
  const { workflowRun } = await service.data(
    'mutation($id: ID!, $logging: Boolean!) { workflowRun(input: { workflowId: $id, logging: $logging }) { run { databaseId } userErrors { code message } } }',
    { id: workflowId, logging },
  );
  if (!workflowRun.run)
    throw new Error(`The run was not queued: ${JSON.stringify(workflowRun.userErrors)}`);
  return workflowRun.run.databaseId as number;
}
