import type { Model } from 'mongoose';
import { eachOnce, everyRecord } from '../../../platform/store/records';
import { fold } from '../../../platform/text/fold';
import type { WorkflowRecord } from '../workflow.model';
import type { KnownConnectors } from '../workflow.ports';

/** What lists show of a workflow, read without its document. */
export interface WorkflowMetadata {
  readonly record: MetadataRecord;
  readonly connectors: readonly ListedConnector[];
}

/** A connector that a step calls; its title and invoker are null if it was deleted. */
export interface ListedConnector {
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
  invokers: 1,
  createdAt: 1,
  updatedAt: 1,
} as const;
export type MetadataRecord = Pick<WorkflowRecord, '_id' | keyof typeof FIELDS>;

export interface MetadataQuery {
  /** Includes workflows of test runs. */
  readonly includeTest: boolean;
}

/** Rows read from the store at once. */
const BATCH = 200;

/** Lists of workflows without documents, streamed. */
export function createWorkflowMetadata({
  workflows,
  connectors,
}: {
  workflows: Model<WorkflowRecord>;
  connectors: KnownConnectors | undefined;
}) {
  const kinds = ({ includeTest }: MetadataQuery): { test: boolean | { $in: boolean[] } } => ({
    test: includeTest ? { $in: [false, true] } : false,
  });

  /** Reads the connectors of a batch in one query. */
  async function* shown(
    batches: AsyncIterable<MetadataRecord[]>,
  ): AsyncGenerator<WorkflowMetadata, void, void> {
    for await (const records of batches) {
      const ids = [...new Set(records.flatMap(({ connectorIds }) => connectorIds))];
      const facts = connectors && ids.length > 0 ? await connectors.facts(ids) : undefined;
      for (const record of records) {
        yield {
          record,
          connectors: record.connectorIds.map((id) => ({
            connectorId: id,
            title: facts?.get(id)?.title ?? null,
            invoker: facts?.get(id)?.invoker ?? null,
          })),
        };
      }
    }
  }

  /** The existing workflows among these ids, in the given order. */
  async function* inOrder(
    ids: readonly number[],
    query: MetadataQuery,
  ): AsyncGenerator<MetadataRecord[], void, void> {
    for (let from = 0; from < ids.length; from += BATCH) {
      const asked = ids.slice(from, from + BATCH);
      const found = await workflows
        .find({ _id: { $in: asked }, ...kinds(query) }, FIELDS)
        .lean<MetadataRecord[]>();
      const known = new Map(found.map((record) => [record._id, record]));
      yield asked.flatMap((id) => known.get(id) ?? []);
    }
  }

  return {
    metadata: (query: MetadataQuery): AsyncGenerator<WorkflowMetadata, void, void> =>
      shown(
        everyRecord<WorkflowRecord>(
          workflows,
          query.includeTest ? {} : { test: false },
          FIELDS,
          BATCH,
        ),
      ),

    /**
     * These workflows in the given order, without duplicates and without ids that do not exist.
     * @throws BadInput too many ids
     */
    metadataOf: (
      ids: readonly number[],
      query: MetadataQuery,
    ): AsyncGenerator<WorkflowMetadata, void, void> =>
      shown(inOrder(eachOnce(ids, 'workflows'), query)),

    /**
     * Workflows that call a connector of this invoker or name the invoker, without regard to case,
     * by id.
     */
    async metadataByInvoker(
      invoker: string,
      query: MetadataQuery,
    ): Promise<AsyncGenerator<WorkflowMetadata, void, void>> {
      const ids = (await connectors?.ofInvoker(invoker)) ?? [];
      const using = [
        { invokerKeys: fold(invoker) },
        ...(ids.length > 0 ? [{ connectorIds: { $in: [...ids] } }] : []),
      ];
      const found = await Promise.all(
        using.map((condition) =>
          workflows.find({ ...kinds(query), ...condition }, { _id: 1 }).lean<{ _id: number }[]>(),
        ),
      );
      return shown(
        inOrder(
          [...new Set(found.flat().map(({ _id }) => _id))].sort((a, b) => a - b),
          query,
        ),
      );
    },
  };
}
