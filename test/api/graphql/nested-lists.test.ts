import { testService } from '../../support/service/harness';
import { ended } from '../../support/service/watch';
import { saved, started, workflow } from '../../support/documents/workflows';

const SAVE =
  'mutation($input: WorkflowUpdateInput!) { workflowUpdate(input: $input) { userErrors { message } } }';

/** List field, its arguments and the number of entries in the two workflows. */
const LISTS: readonly (readonly [
  list: string,
  value: string,
  more: string,
  lengths: readonly [number, number],
])[] = [
  ['versions', 'number', '', [2, 5]],
  ['schedules', 'databaseId', '', [1, 4]],
  ...['DATABASE_ID', 'QUEUED_AT', 'STARTED_AT', 'FINISHED_AT', 'DURATION', 'STATE'].flatMap(
    (field) =>
      ['ASC', 'DESC'].map(
        (direction) =>
          [
            'runs',
            'databaseId',
            `, orderBy: { field: ${field}, direction: ${direction} }`,
            [1, 4],
          ] as const,
      ),
  ),
];

const service = testService();
let ids: string[];

beforeAll(async () => {
  ids = [];
  for (const made of [1, 4]) {
    const id = await saved(service, workflow([]));
    ids.push(String(id));
    for (let nth = 0; nth < made; nth += 1) {
      await service.data(SAVE, { input: { id: String(id), description: `${nth}` } });
      await ended(service, await started(service, id));
      await service.api('POST', '/api/scheduler', {
        body: { title: `Schedule ${made} ${9 - nth}`, connectionId: id },
      });
    }
  }
});

/** Reads all entries of the list below one workflow page by page, together with a page of the other. */
async function paged(
  list: string,
  value: string,
  more: string,
  way: 'first' | 'last',
  size: number,
  of: string,
): Promise<number[]> {
  const [cursor, hasMore, end] =
    way === 'first'
      ? ['after', 'hasNextPage', 'endCursor']
      : ['before', 'hasPreviousPage', 'startCursor'];
  const query = `query($ids: [ID!]!, $cursor: String) { workflows(filter: { id: { in: $ids } }) { nodes { databaseId
    list: ${list}(${way}: ${size}, ${cursor}: $cursor${more}) { nodes { value: ${value} } pageInfo { end: ${end} hasMore: ${hasMore} } } } } }`;
  const seen: number[] = [];
  for (let at: string | null = null, isOver = false; !isOver;) {
    const workflows = await service.field(query, { ids: at === null ? ids : [of], cursor: at });
    const { nodes, pageInfo } = workflows.nodes.find(
      ({ databaseId }: any) => String(databaseId) === of,
    ).list;
    seen.splice(
      way === 'first' ? seen.length : 0,
      0,
      ...nodes.map((node: any) => node.value as number),
    );
    at = pageInfo.end;
    isOver = nodes.length === 0 || !pageInfo.hasMore;
  }
  return seen;
}

it.each(LISTS)(
  'pagination below workflows walks %s in both directions: %s%s',
  async (list, value, more, lengths) => {
    for (const [index, id] of ids.entries()) {
      const full = await paged(list, value, more, 'first', 50, id);
      expect(full).toHaveLength(lengths[index]);
      for (const size of [1, 2, 3]) {
        expect([
          size,
          await paged(list, value, more, 'first', size, id),
          await paged(list, value, more, 'last', size, id),
        ]).toEqual([size, full, full]);
      }
    }
  },
);
