import { storeConnection } from '../../test/support/store/stored';
import type { TestService } from '../../test/support/service/harness';
import { saved, started, workflow } from '../../test/support/documents/workflows';

type Stored = Record<string, unknown> & { _id: unknown };

/** Ids below are the installation's own. */
const FIRST_ID = 10_000;
const BATCH = 5_000;
const START = Date.UTC(2026, 0, 1);
const TEN_YEARS_MS = 10 * 365 * 86_400_000;
const DEPARTMENTS = 50;
const WORKFLOW_OF_RUN = 100;

/** The moment of the record with a number: one a minute. */
export const momentOf = (number: number): Date => new Date(START + number * 60_000);
/** When the schedule with a number is due next, where it is. */
export const nextFireOf = (number: number): Date =>
  new Date(momentOf(number).getTime() + TEN_YEARS_MS);
export const idOf = (number: number): number => FIRST_ID + number;
/** What a workflow is in, calls, names and uses: fifty of each. */
export const categoryOf = (number: number): number => 1 + (number % 50);
export const connectorOf = categoryOf;
export const aggregatorOf = categoryOf;
export const invokerOf = (number: number): string => `Invoker ${number % 50}`;
export const secretOf = (number: number): string => `secret${number % 50}`;
const snapshotId = (number: number): string => idOf(number).toString(16).padStart(24, '0');

/** How a service starts that is filled with these: its runs and recorded changes are old. */
export const KEEPING_RUNS = { HYPHA_RUN_RETENTION: '3650', HYPHA_AUDIT_RETENTION: '36500' };

/** Runs of a workflow that have a log: as many as keep it. */
const LOGS_OF_WORKFLOW = 5;
/** The workflow that logs are asked of. */
export const LOGGED_WORKFLOW = FIRST_ID;

/** Fields that distinguish the copies of a record, by collection and number. The copied record was created through an API. */
const FIELDS: Readonly<Record<string, (number: number) => Record<string, unknown>>> = {
  users: (number) => ({
    _id: idOf(number),
    email: `user${number}@growth.test`,
    emailKey: `user${number}@growth.test`,
    'detailKeys.name': `name ${number}`,
    'detailKeys.surname': `surname ${number % 5_000}`,
    'detailKeys.department': `department ${number % DEPARTMENTS}`,
    'detailKeys.organisation': `organisation ${number % DEPARTMENTS}`,
    'detail.name': `Name ${number}`,
    'detail.surname': `Surname ${number % 5_000}`,
    'detail.department': `Department ${number % DEPARTMENTS}`,
    'detail.organisation': `Organisation ${number % DEPARTMENTS}`,
    createdAt: momentOf(number),
    updatedAt: momentOf(number),
    lastLogin: number % 3 === 0 ? null : momentOf(number),
  }),
  workflows: (number) => ({
    _id: idOf(number),
    title: `Workflow ${number}`,
    titleKey: `workflow ${number}`,
    'content.id': snapshotId(number),
    createdAt: momentOf(number),
    updatedAt: momentOf(number),
    'createdBy.userId': idOf(number % 1_000),
    'updatedBy.userId': idOf(number % 1_000),
    categoryId: categoryOf(number),
    connectorIds: [connectorOf(number)],
    invokers: [invokerOf(number)],
    invokerKeys: [invokerOf(number).toLowerCase()],
    secrets: [secretOf(number)],
    aggregatorIds: [aggregatorOf(number)],
  }),
  workflow_versions: (number) => ({
    _id: snapshotId(number),
    'content.id': snapshotId(number),
    workflowId: idOf(number),
    title: `Workflow ${number}`,
    createdAt: momentOf(number),
  }),
  runs: (number) => ({
    _id: idOf(number),
    workflowId: idOf(number % WORKFLOW_OF_RUN),
    scheduleId: idOf(number % WORKFLOW_OF_RUN),
    workflowTitle: `Workflow ${number % WORKFLOW_OF_RUN}`,
    'startedBy.userId': idOf(number % 1_000),
    'startedBy.email': `user${number % 1_000}@growth.test`,
    ...(number < LOGS_OF_WORKFLOW * WORKFLOW_OF_RUN && {
      logOf: `workflow ${idOf(number % WORKFLOW_OF_RUN)}`,
    }),
    state: number % 10 === 0 ? 'FAILED' : 'SUCCEEDED',
    error:
      number % 10 === 0
        ? {
            step: null,
            index: null,
            attempt: 1,
            code: 'HTTP_STATUS_ERROR',
            message: 'The answer was 500.',
          }
        : null,
    queuedAt: momentOf(number),
    startedAt: momentOf(number),
    finishedAt: new Date(momentOf(number).getTime() + (number % 60_000)),
    durationMs: number % 60_000,
  }),
  // Due in years.
  schedules: (number) => ({
    _id: idOf(number),
    title: `Schedule ${number}`,
    titleKey: `schedule ${number}`,
    workflowId: idOf(number % WORKFLOW_OF_RUN),
    enabled: number % 2 === 0,
    nextFireAt: number % 2 === 0 ? nextFireOf(number) : null,
  }),
  audit_events: (number) => ({
    _id: idOf(number),
    at: momentOf(number),
    action: number % 20 === 0 ? 'user.update' : 'group.update',
    requestId: `request-${number}`,
    'actor.userId': idOf(number % 1_000),
    'actor.email': `user${number % 1_000}@growth.test`,
    'target.id': String(idOf(number)),
  }),
  // Workflows that were deleted, and ran more often than those that exist.
  run_counters: (number) => ({
    _id: `workflow/${10 * FIRST_ID + number}`,
    kind: 'workflow',
    workflowId: 10 * FIRST_ID + number,
    executions: 1_000 + number,
    failures: 10,
  }),
};

/** Sets a dotted path in a copy. */
function assign(target: Record<string, unknown>, path: string, value: unknown): void {
  const [head, ...rest] = path.split('.') as [string, ...string[]];
  if (rest.length === 0) target[head] = value;
  else {
    target[head] = { ...(target[head] as Record<string, unknown>) };
    assign(target[head] as Record<string, unknown>, rest.join('.'), value);
  }
}

/** One record of each kind, made as users make them. */
export async function makeFirstRecords(service: TestService): Promise<void> {
  await service.userWith(['CONNECTION:READ'], 'growth');
  const id = await saved(service, workflow([]));
  await service.api('POST', '/api/scheduler', { body: { title: 'growth', connectionId: id } });
  await started(service, id);
  const idle = async (): Promise<boolean> =>
    (await service.data('{ runs(filter: { state: { eq: SUCCEEDED } }) { totalCount } }')).runs
      .totalCount > 0;
  while (!(await idle()));
}

/** Fills every growing collection up to `size` records, in addition to those created through the APIs. */
export async function growTo(from: number, size: number): Promise<void> {
  const { db } = storeConnection();
  if (!db) throw new Error('The store is not connected.');
  for (const [name, fieldsOf] of Object.entries(FIELDS)) {
    const collection = db.collection<Stored>(name);
    const template = await collection.findOne(name === 'run_counters' ? { kind: 'workflow' } : {}, {
      sort: { _id: -1 },
    });
    if (!template) throw new Error(`There is no record in ${name} to start from.`);
    for (let start = from; start < size; start += BATCH) {
      await collection.insertMany(
        Array.from({ length: Math.min(BATCH, size - start) }, (_unused, offset) => {
          const record: Stored = { ...template };
          for (const [path, value] of Object.entries(fieldsOf(start + offset)))
            assign(record, path, value);
          return record;
        }),
      );
    }
  }
}
