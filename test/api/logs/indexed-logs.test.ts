import mongoose from 'mongoose';
import { testService } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const COUNT = 400;
/** The number of documents that a query may examine: a workflow has a few logs, a schedule ten. */
const MOST = 25;
/** Keys are read ahead, 256 at a time. */
const MOST_KEYS = 300;

const service = testService();
const remote = testRemote(() => ({ body: {} }));
let id: number;
let runId: number;
let reader: string;
let file: string;
beforeAll(async () => {
  reader = (await service.userWith(['CONNECTION:READ'])).token;
  id = await saved(service, workflow([method('0', `${remote.url}/here`)]));
  runId = await started(service, id, true);
  await ended(service, runId);
  const connection = storeConnection();
  const runs = connection.collection<any>('runs');
  const batches = connection.collection<any>('run_event_batches');
  const { logOf, ...run } = (await runs.findOne({ _id: runId })) ?? {};
  const events = await batches.find({ runId }).toArray();
  expect([typeof logOf, events.length > 0]).toEqual(['string', true]);
  // Half of the runs belong to the workflow itself and have no log.
  await runs.insertMany(
    Array.from({ length: 2 * COUNT }, (_, nth) => {
      const at = new Date(run.queuedAt.getTime() - nth * 1_000);
      const isLogged = nth % 2 === 0;
      return {
        ...run,
        _id: 100_000 + nth,
        workflowId: isLogged ? 100_000 + nth : id,
        scheduleId: nth % 80,
        state: nth % 4 === 0 ? 'SUCCEEDED' : 'FAILED',
        queuedAt: at,
        startedAt: at,
        finishedAt: at,
        ...(isLogged && { logOf: `workflow ${100_000 + nth}` }),
      };
    }),
  );
  file = (await get('log-files')).result[COUNT / 2];
  await batches.insertMany(
    Array.from({ length: COUNT }, (_, nth) =>
      events.map(({ _id, ...batch }) => ({
        ...batch,
        _id: `${100_000 + nth}/${batch.first}`,
        runId: 100_000 + nth,
      })),
    ).flat(),
  );
});

interface StoreRead {
  readonly collection: string;
  readonly isOne: boolean;
  readonly filter: any;
  readonly options: any;
}

/** The queries for runs and their events during `work`. */
async function readsOf(work: () => Promise<unknown>): Promise<StoreRead[]> {
  const reads: StoreRead[] = [];
  mongoose.set('debug', (collection: string, name: string, filter: unknown, options: unknown) => {
    if (
      ['runs', 'run_event_batches', 'run_log_ends'].includes(collection) &&
      ['find', 'findOne'].includes(name)
    )
      reads.push({ collection, isOne: name === 'findOne', filter, options });
  });
  try {
    await work();
    return reads;
  } finally {
    mongoose.set('debug', false);
  }
}

const get = async (path: string): Promise<any> => {
  const { status, body } = await service.api('GET', `/api/execution/${path}`);
  expect([path, status]).toEqual([path, 200]);
  return body;
};

const QUESTIONS: Record<string, () => Promise<unknown>> = {
  'a search': () => get(`logs/search?connectionId=${id}`),
  'a search in GraphQL': () =>
    service.data(
      `{ logSearch(search: { workflowId: "${id}", text: "here" }) { nodes { elementId } } }`,
    ),
  'a search in all logs': () =>
    service.data(`{ logSearch(search: { text: "here" }) { nodes { elementId } } }`),
  'the files of a workflow': () => get(`log-files?connectionId=${id}`),
  'the files of a workflow that failed': () => get(`log-files?connectionId=${id}&status=f`),
  'the files of a schedule': () => get('log-files?schedulerId=2'),
  'the next page of all files': () => get(`log-files?first=5&after=${file}`),
  'the next page of a search': () => get(`logs/search?connectionId=${id}&after=${runId}-2`),
  'a search of a user who is not an administrator': () =>
    service.data(
      `{ logSearch(search: { workflowId: "${id}" }) { nodes { elementId } } }`,
      {},
      reader,
    ),
  'the elements of a run': () => get(`log/element/${runId}-1/children`),
  'an element': () => get(`log/element/${runId}-2/details`),
  'the raw log': () => service.api('GET', `/api/execution/${runId}/raw/log`),
  'the end of a logged run': async () => ended(service, await started(service, id, true)),
};

it.each(Object.entries(QUESTIONS))(
  'reading %s examines few records by an index',
  async (_, question) => {
    const reads = await readsOf(question);
    expect(reads.length).toBeGreaterThan(0);
    for (const {
      collection,
      isOne,
      filter,
      options: { sort, limit, skip, hint },
    } of reads) {
      const plan: any = await storeConnection()
        .collection(collection)
        .find(filter, { sort, limit: isOne ? 1 : limit, skip, hint })
        .explain('executionStats');
      const { totalDocsExamined, totalKeysExamined } = plan.executionStats;
      expect([
        filter,
        /COLLSCAN/.exec(JSON.stringify(plan.queryPlanner.winningPlan))?.[0] ?? 'indexed',
        totalDocsExamined <= MOST ? 'few' : totalDocsExamined,
        totalKeysExamined <= MOST_KEYS ? 'few' : totalKeysExamined,
      ]).toEqual([filter, 'indexed', 'few', 'few']);
    }
  },
);
