import { TooLarge } from '../../platform/errors/errors';
import type { SealedValues } from '../../platform/crypto/sealed-records';
import { sealedPart } from '../../platform/crypto/sealed';
import type { Sealed } from '../../platform/crypto/sealed';
import { sealedRecords } from '../../platform/crypto/sealed-records';
import type { Vault } from '../../platform/crypto/vault';
import { insertRecord } from '../../platform/store/records';
import { schemaOf } from '../../platform/store/schema';
import type { Store, Tx } from '../../platform/store/store';

/** Start parameters of a run. Most runs have none and no such record. */
export interface SealedParameters {
  /** Id of the run. */
  readonly _id: number;
  readonly sealed: Sealed;
}

const runParametersSchema = schemaOf<SealedParameters>({ _id: Number, sealed: sealedPart });
runParametersSchema.index({ 'sealed.keyId': 1 });

/** Sealing adds a third, and a record has at most 16 MiB. */
const LARGEST_BYTES = 8 * 1024 * 1024;

/** Seal context: the text can be opened for this run only. */
const sealingOf = (runId: number): string => `run:${runId}`;

export type RunParameters = ReturnType<typeof createRunParameters>;

/**
 * Start parameters of runs, as JSON. Sealed, since they may hold secrets; in a separate collection,
 * so that lists of runs do not read them. Removed with their run.
 */
export function createRunParameters({
  store,
  vault,
}: {
  readonly store: Store;
  readonly vault: Vault;
}) {
  const records = store.model<SealedParameters>(
    'RunParameters',
    runParametersSchema,
    'run_parameters',
  );

  async function find(runId: number): Promise<string | null> {
    const record = await records.findById(runId).lean<SealedParameters>();
    return record && vault.open(record.sealed, sealingOf(runId));
  }

  return {
    /** Seals outside a transaction. @throws TooLarge */
    seal(runId: number, json: string): SealedParameters {
      if (Buffer.byteLength(json) > LARGEST_BYTES)
        throw new TooLarge(`The parameters of a run have ${LARGEST_BYTES} bytes at most.`);
      return { _id: runId, sealed: vault.seal(json, sealingOf(runId)) };
    },

    /** In the transaction that stores the run. */
    write: (parameters: SealedParameters, tx: Tx): Promise<SealedParameters> =>
      insertRecord<SealedParameters>(records, parameters, tx),

    /** The same for many runs, in one write. */
    async writeAll(parameters: readonly SealedParameters[], tx: Tx): Promise<void> {
      if (parameters.length > 0)
        await records.insertMany(parameters, { session: tx.session, lean: true });
    },

    /** The parameters of a run that has some. @throws SealBroken */
    async open(runId: number): Promise<string> {
      const json = await find(runId);
      if (json === null) throw new Error(`The parameters of run ${runId} are missing.`);
      return json;
    },

    /** Returns null if there are none, or no longer. @throws SealBroken */
    find,

    async remove(runIds: readonly number[], tx: Tx): Promise<void> {
      await records.deleteMany({ _id: { $in: [...runIds] } }, { session: tx.session });
    },

    sealing: sealedRecords({ store, vault, records, contextOf: sealingOf }) satisfies SealedValues,
  };
}
