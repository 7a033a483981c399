import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import type { TestService } from '../../support/service/harness';
import { startService } from '../../support/service/harness';
import { saved, workflow } from '../../support/documents/workflows';

const operator = (id: string, expression = '1 = 1'): object => ({
  id,
  index: '0',
  type: 'if',
  expression,
});
const document = (...operators: object[]): any =>
  workflow([], operators, {
    fieldBinding: [
      {
        id: `b-${operators.length}`,
        from: [],
        to: [{ color: '#000000', type: 'request', field: 'f' }],
      },
    ],
    ui: { of: operators.length },
  });

/** Keeps only the newest version, so that a save removes the content to which an earlier row refers. */
const env = { HYPHA_WORKFLOW_VERSIONS_KEEP: '1' };
let service: TestService;
let dataDir: string;
let ids: number[];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hypha-saved-meanwhile-'));
  const earlier = await startService({ env, dataDir });
  ids = [];
  for (let nth = 0; nth < 5; nth += 1) ids.push(await saved(earlier, document(operator('before'))));
  await earlier.close();
  service = await startService({ env, dataDir });
});
afterAll(async () => {
  await service.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Calls back after the rows of the next list were read and before its documents are. */
function betweenRowsAndDocuments(work: () => Promise<unknown>): void {
  const collection = mongoose.mongo.Collection.prototype;
  const find = Reflect.get(collection, 'find') as (
    this: typeof collection,
    ...args: unknown[]
  ) => mongoose.mongo.FindCursor;
  const spy = jest.spyOn(collection, 'find').mockImplementation(function waiting(
    this: typeof collection,
    ...args: unknown[]
  ) {
    const cursor = find.apply(this, args);
    if (this.collectionName !== 'workflow_contents') return cursor;
    spy.mockRestore();
    const toArray = cursor.toArray.bind(cursor);
    cursor.toArray = async () => work().then(toArray);
    return cursor;
  });
}

const STEPS =
  'query($ids: [ID!]!) { workflows(filter: { id: { in: $ids } }) { nodes { version steps { ... on OperatorStep { stepId } } fieldBindings { bindingId } ui } } }';
const VALIDATION =
  'query($ids: [ID!]!) { workflows(filter: { id: { in: $ids } }) { nodes { validation { stepId code } } } }';
const listed = async (query: string, of: readonly number[]): Promise<any[]> =>
  (await service.data(query, { ids: of })).workflows.nodes;
const put = (id: number, body: object) => service.api('PUT', `/api/connection/${id}`, { body });

it('a list returns the steps of a workflow that is saved while it is read', async () => {
  const [changed, other] = ids;
  betweenRowsAndDocuments(() => put(changed, document(operator('after'), operator('more'))));
  expect(await listed(STEPS, [changed, other])).toEqual([
    {
      version: 1,
      steps: [{ stepId: 'after' }, { stepId: 'more' }],
      fieldBindings: [{ bindingId: 'b-2' }],
      ui: { of: 2 },
    },
    {
      version: 1,
      steps: [{ stepId: 'before' }],
      fieldBindings: [{ bindingId: 'b-1' }],
      ui: { of: 1 },
    },
  ]);
  const workflowUpdate = await service.mutate(
    'workflowUpdate',
    { id: changed, expectedVersion: 1, description: 'mine' },
    'workflow { version } userErrors { code }',
  );
  expect(workflowUpdate).toEqual({ workflow: null, userErrors: [{ code: 'CONFLICT' }] });
});

it('a list validates a workflow that is saved while it is read in its new state', async () => {
  const changed = ids[2];
  betweenRowsAndDocuments(() => put(changed, document(operator('after', '1 ='))));
  const [{ validation }] = await listed(VALIDATION, [changed]);
  expect(validation).toContainEqual({ stepId: 'after', code: 'EXPRESSION_SYNTAX' });
});

it.each([
  ['steps', STEPS, 3],
  ['problems', VALIDATION, 4],
])(
  'a list reports a workflow that was deleted while its %s were read',
  async (_what, query, nth) => {
    betweenRowsAndDocuments(() => service.api('DELETE', `/api/connection/${ids[nth]}`));
    const { errors } = await service.gql(query, { ids: [ids[nth]] });
    expect(new Set(errors?.map(({ extensions }) => extensions.code))).toEqual(
      new Set(['NOT_FOUND']),
    );
  },
);
