import { inTurns } from '../../../platform/json/turns';
import type { Migration } from '../../../platform/store/migrations';
import { createWorkflowContents } from '../versions/workflow-contents';
import type { ContentRef } from '../workflow.model';
import { documentFacts } from './document-facts';
import type { DocumentFacts } from './document-facts';

/** Documents in memory at the same time; one may weigh 20 MiB. */
const BATCH = 10;

interface Row {
  readonly _id: number;
  readonly content: ContentRef;
}

/**
 * Writes into rows what their documents say: `picked` of the facts, where a row has no field `missing`. Those that have it are not read again, so a
 * start that died goes on where it was.
 */
const filled = (name: string, missing: keyof DocumentFacts, picked: (facts: DocumentFacts) => Partial<DocumentFacts>): Migration => ({
  name,
  async run({ store, requireLease }) {
    const [rows, contents] = [store.connection.collection<Row>('workflows'), createWorkflowContents(store)];

    /** Writes the facts of what was read, unless another document is there by now. True: it was written. */
    const fill = async ({ _id, content }: Row, document: object): Promise<boolean> => {
      const facts = await inTurns((turn) => documentFacts(document as Record<string, unknown>, turn));
      return (await rows.updateOne({ _id, 'content.id': content.id }, { $set: picked(facts) })).matchedCount > 0;
    };

    /** Goes through all once. False: some were saved meanwhile. */
    const pass = async (): Promise<boolean> => {
      let isDone = true;
      for (let last = 0; ;) {
        const batch = await rows.find({ _id: { $gt: last }, [missing]: { $exists: false } }, { projection: { content: 1 } }).sort({ _id: 1 }).limit(BATCH).toArray();
        const documents = await contents.read(batch.map(({ content }) => content));
        for (const row of batch) isDone = await fill(row, documents.get(row.content.id) ?? {}) && isDone;
        requireLease();
        if (batch.length < BATCH) return isDone;
        last = batch[batch.length - 1]?._id ?? last;
      }
    };

    while (!(await pass()));
  },
});

/** Rows did not say what their documents refer to. */
export const rowsOfWorkflows = filled('what workflows refer to', 'connectorIds', (facts) => facts);

/** Nor which aggregators their methods name. */
export const aggregatorsOfWorkflows = filled('the aggregators of workflows', 'aggregatorIds', ({ aggregatorIds }) => ({ aggregatorIds }));
