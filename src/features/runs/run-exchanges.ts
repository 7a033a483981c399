import type { RecordedExchange } from '../../engine';
import type { Collection } from '../../platform/store/collection';
import { schemaOf } from '../../platform/store/schema';
import type { Store, Tx } from '../../platform/store/store';

interface RunExchangeRecord {
  readonly _id: number;
  /** `RecordedExchange` as JSON. */
  readonly json: string;
}

const exchangeSchema = schemaOf<RunExchangeRecord>({ _id: Number, json: String });

/**
 * What the steps that ended runs sent and received, secrets masked. In a separate collection, so
 * that lists of runs do not read them. Removed with their run.
 */
export class RunExchanges {
  private readonly records: Collection<RunExchangeRecord>;

  constructor(store: Store) {
    this.records = store.collection<RunExchangeRecord>(
      'RunExchange',
      exchangeSchema,
      'run_exchanges',
    );
  }

  async write(runId: number, exchange: RecordedExchange, tx: Tx): Promise<void> {
    const record = { _id: runId, json: JSON.stringify(exchange) };
    await this.records.insertMany([record], tx);
  }

  /** In the order of the ids, null where there is none. */
  async byIds(runIds: readonly number[]): Promise<(RecordedExchange | null)[]> {
    const records = await this.records.byIds(runIds);
    return records.map((record) => record && (JSON.parse(record.json) as RecordedExchange));
  }

  async remove(runIds: readonly number[], tx: Tx): Promise<void> {
    await this.records.deleteMany({ _id: { $in: [...runIds] } }, tx);
  }
}
