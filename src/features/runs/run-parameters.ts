import { TooLarge } from '../../platform/errors/errors';
import type { SealedValues } from '../../platform/crypto/rekey';
import { sealedPart } from '../../platform/crypto/sealed';
import type { Sealed } from '../../platform/crypto/sealed';
import { sealedRecords } from '../../platform/crypto/sealed-records';
import type { Vault } from '../../platform/crypto/vault';
import { insertRecord } from '../../platform/store/records';
import { schemaOf } from '../../platform/store/schema';
import type { Store, Tx } from '../../platform/store/store';

/** What a run was started with; most are started with nothing and have no such record. */
export interface SealedParameters {
  /** Of the run. */
  readonly _id: number;
  readonly sealed: Sealed;
}

const runParametersSchema = schemaOf<SealedParameters>({ _id: Number, sealed: sealedPart });
runParametersSchema.index({ 'sealed.keyId': 1 });

/** Sealed they are a third larger, and a record has 16 MiB at most. */
const LARGEST_BYTES = 8 * 1024 * 1024;

/** What the text belongs to: it opens with its run only. */
const sealingOf = (runId: number): string => `run:${runId}`;

export type RunParameters = ReturnType<typeof createRunParameters>;

/**
 * What runs are started with, as JSON. It may hold secrets, so it is sealed; it stands beside the runs, whose lists nobody reads it with, and stays
 * as long as they do.
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
    /** Seals them outside of any transaction. @throws TooLarge */
    seal(runId: number, json: string): SealedParameters {
      if (Buffer.byteLength(json) > LARGEST_BYTES)
        throw new TooLarge(`The parameters of a run have ${LARGEST_BYTES} bytes at most.`);
      return { _id: runId, sealed: vault.seal(json, sealingOf(runId)) };
    },

    /** In the transaction that stores the run. */
    write: (parameters: SealedParameters, tx: Tx): Promise<SealedParameters> =>
      insertRecord<SealedParameters>(records, parameters, tx),

    /** The same of many runs, in one write. */
    async writeAll(parameters: readonly SealedParameters[], tx: Tx): Promise<void> {
      if (parameters.length > 0)
        await records.insertMany(parameters, { session: tx.session, lean: true });
    },

    /** Those of a run that has some. @throws SealBroken */
    async open(runId: number): Promise<string> {
      const json = await find(runId);
      if (json === null) throw new Error(`The parameters of run ${runId} are missing.`);
      return json;
    },

    /** Null when there are none, or none any more. @throws SealBroken */
    find,

    async remove(runIds: readonly number[], tx: Tx): Promise<void> {
      await records.deleteMany({ _id: { $in: [...runIds] } }, { session: tx.session });
    },

    sealing: sealedRecords({ store, vault, records, contextOf: sealingOf }) satisfies SealedValues,
  };
}
