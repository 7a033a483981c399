import type { Actor } from '../../../platform/access/actor';
import { allows } from '../../../platform/access/need';
import type { Core } from '../../../platform/core';
import type { Collection } from '../../../platform/store/collection';
import { eachOnce, everyRecord } from '../../../platform/store/records';
import { NOTHING } from '../../../platform/store/lists/filter';
import { LiveList } from '../../../platform/store/lists/live-list';
import type { ListChange } from '../../../platform/store/lists/live-list';
import { fold } from '../../../platform/text/fold';
import type { WorkflowChanged } from '../workflow.events';
import { WORKFLOW_TOPIC } from '../workflow.events';
import type { WorkflowRecord } from '../workflow.model';
import { workflowCollection } from '../workflow.model';
import { workflowPolicy } from '../workflow.policy';
import type { KnownConnectors } from '../references/referenced-records';
import { workflowsOfKind } from '../workflow-reader';

declare module '../../../platform/context' {
  interface Services {
    workflowLists: WorkflowLists;
  }
}

/** What lists show of a workflow, read without its document. */
export interface WorkflowMetadata {
  readonly record: MetadataRecord;
  readonly connectors: readonly ListedConnector[];
  /** Those of the two containers that 4.x clients see, source and target. */
  readonly containers: readonly ListedConnector[];
}

/** A connector that a step calls; its title and invoker are null if it was deleted. */
interface ListedConnector {
  readonly connectorId: number;
  readonly title: string | null;
  readonly invoker: string | null;
}

const FIELDS = {
  title: 1,
  description: 1,
  icon: 1,
  test: 1,
  version: 1,
  categoryId: 1,
  connectorIds: 1,
  containerIds: 1,
  invokers: 1,
  createdAt: 1,
  updatedAt: 1,
} as const;
type MetadataRecord = Pick<WorkflowRecord, '_id' | keyof typeof FIELDS>;

interface MetadataQuery {
  readonly includeTest: boolean;
}

/** Which changes of a list to stream, and for how long. */
interface ChangesQuery extends MetadataQuery {
  /** Also changes of records next to the workflow, such as presence. */
  readonly includeParts?: boolean;
  readonly most: number;
  readonly signal: AbortSignal;
}

/** A workflow in a list is sent again when one of these changes. */
const REVISION = ['version', 'snapshotId', 'updatedAt', 'title', 'categoryId'] as const;

/** Rows read from the store at once. */
const ROWS_AT_ONCE = 200;

/** Lists of workflows without documents: streamed once, or as changes. */
export class WorkflowLists {
  private readonly workflows: Collection<WorkflowRecord>;
  private readonly liveList: LiveList<WorkflowRecord>;
  private readonly liveListWithParts: LiveList<WorkflowRecord>;

  constructor(
    { store, bus }: Core,
    private readonly connectors: KnownConnectors,
  ) {
    this.workflows = workflowCollection(store);
    const parts = {
      collection: this.workflows,
      isExclusive: store.isExclusive,
      listen: (note: (ids: readonly number[]) => void) =>
        bus.subscribe<WorkflowChanged>(WORKFLOW_TOPIC, ({ workflowId }) => note([workflowId])),
      order: { field: 'createdAt', direction: 'desc', isDefault: true },
    } as const;
    this.liveList = new LiveList<WorkflowRecord>({ ...parts, revision: REVISION });
    this.liveListWithParts = new LiveList<WorkflowRecord>({
      ...parts,
      revision: [...REVISION, 'partChanges'],
    });
  }

  /**
   * Streams the changes of a list that the actor may see, until the signal is aborted. The
   * permission is rechecked each time.
   * @throws BadInput while iterating: a long list with a filter or order that no index supports
   */
  changes(
    actor: () => Promise<Actor>,
    filter: Record<string, unknown>,
    { includeTest, includeParts, most, signal }: ChangesQuery,
  ): AsyncGenerator<ListChange<WorkflowRecord>, void, undefined> {
    return (includeParts ? this.liveListWithParts : this.liveList).follow({
      filter,
      most,
      signal,
      within: async () =>
        allows(workflowPolicy.read, await actor()) ? workflowsOfKind(includeTest) : NOTHING,
    });
  }

  /** All workflows, by id. */
  metadata(query: MetadataQuery): AsyncGenerator<WorkflowMetadata, void, void> {
    return this.withConnectors(
      everyRecord<WorkflowRecord>(
        this.workflows,
        query.includeTest ? {} : { test: false },
        FIELDS,
        ROWS_AT_ONCE,
      ),
    );
  }

  /**
   * These workflows in the given order, without duplicates and without ids that do not exist.
   * @throws BadInput too many ids
   */
  metadataOf(
    ids: readonly number[],
    query: MetadataQuery,
  ): AsyncGenerator<WorkflowMetadata, void, void> {
    return this.withConnectors(this.inOrder(eachOnce(ids, 'workflows'), query));
  }

  /**
   * Workflows that call a connector of this invoker or name the invoker, without regard to case, by
   * id.
   */
  async metadataByInvoker(
    invoker: string,
    query: MetadataQuery,
  ): Promise<AsyncGenerator<WorkflowMetadata, void, void>> {
    const connectorIds = await this.connectors.ofInvoker(invoker);
    const conditions = [
      { invokerKeys: fold(invoker) },
      ...(connectorIds.length > 0 ? [{ connectorIds: { $in: [...connectorIds] } }] : []),
    ];
    const rows = await Promise.all(
      conditions.map((condition) =>
        this.workflows.find<{ _id: number }>(
          { ...workflowsOfKind(query.includeTest), ...condition },
          { fields: { _id: 1 } },
        ),
      ),
    );
    const ids = [...new Set(rows.flat().map(({ _id }) => _id))].sort((a, b) => a - b);
    return this.withConnectors(this.inOrder(ids, query));
  }

  /** Reads the connectors of a batch in one query. */
  private async *withConnectors(
    batches: AsyncIterable<MetadataRecord[]>,
  ): AsyncGenerator<WorkflowMetadata, void, void> {
    for await (const records of batches) {
      const ids = [...new Set(records.flatMap(idsOf))];
      const facts = ids.length > 0 ? await this.connectors.facts(ids) : undefined;
      for (const record of records) {
        const listed = (id: number): ListedConnector => ({
          connectorId: id,
          title: facts?.get(id)?.title ?? null,
          invoker: facts?.get(id)?.invoker ?? null,
        });
        yield {
          record,
          connectors: record.connectorIds.map(listed),
          containers: containerIdsOf(record).map(listed),
        };
      }
    }
  }

  /** The existing workflows among these ids, in the given order. */
  private async *inOrder(
    ids: readonly number[],
    { includeTest }: MetadataQuery,
  ): AsyncGenerator<MetadataRecord[], void, void> {
    for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
      const batch = ids.slice(from, from + ROWS_AT_ONCE);
      const records = await this.workflows.byIds(batch, {
        within: workflowsOfKind(includeTest),
        fields: FIELDS,
      });
      yield records.filter((record) => record !== null);
    }
  }
}

/** Rows of earlier versions do not have the order of the connectors. */
const containerIdsOf = ({ containerIds, connectorIds }: MetadataRecord): readonly number[] =>
  containerIds ?? connectorIds.slice(0, 2);

const idsOf = (record: MetadataRecord): number[] => [
  ...record.connectorIds,
  ...containerIdsOf(record),
];
