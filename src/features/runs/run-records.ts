import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import type { SealedValues } from '../../platform/crypto/sealed-records';
import { sealedPart } from '../../platform/crypto/sealed';
import type { Sealed } from '../../platform/crypto/sealed';
import { sealedRecords } from '../../platform/crypto/sealed-records';
import type { Vault } from '../../platform/crypto/vault';
import { NotFound, Refused, TooLarge } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { Collection } from '../../platform/store/collection';
import { schemaOf } from '../../platform/store/schema';
import { createSharedTransactions } from '../../platform/store/shared-transactions';
import type { SharedTransactions } from '../../platform/store/shared-transactions';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { HeldSnapshot } from '../workflows/versions/workflow-snapshots';
import { RUN_QUEUED_TOPIC, RUN_TOPIC } from './run.events';
import type { RunChanged, RunQueued, RunStateName } from './run.events';
import { runCollection } from './run.model';
import type { RunRecord } from './run.model';
import { maySee, requireVisible } from './run.policy';

export const runNotFound = (id: number, path: InputPath = ['id'], kind = 'run'): NotFound =>
  new NotFound('EXECUTION_NOT_FOUND', `There is no ${kind} ${id}.`, { path });

export const alreadyFinished = ({ _id, state }: RunRecord, path: InputPath = ['id']): Refused =>
  new Refused('EXECUTION_ALREADY_FINISHED', `Run ${_id} has ended: ${state}.`, { path });

export const notRepeatable = ({ _id }: Pick<RunRecord, '_id'>): Refused =>
  new Refused(
    'RUN_NOT_REPEATABLE',
    `Run ${_id} cannot be retried: its workflow, version or parameters no longer exist.`,
    { path: ['id'] },
  );

/** The stored runs, and what each change of a run needs: transactions, audit and publication. */
export class RunRecords {
  readonly collection: Collection<RunRecord>;
  /**
   * Serialises starts and ends of runs of this process, which write the same workflows and
   * counters.
   */
  readonly transactions: SharedTransactions;

  constructor(private readonly deps: { readonly core: Core; readonly audit: AuditService }) {
    this.collection = runCollection(deps.core.store);
    this.transactions = createSharedTransactions(deps.core.store);
  }

  reserveIds(count: number): Promise<number[]> {
    return this.deps.core.store.nextIds('runs', count);
  }

  async find(id: number): Promise<RunRecord | null> {
    return this.collection.byId(id);
  }

  /** @throws NotFound EXECUTION_NOT_FOUND */
  async get(id: number): Promise<RunRecord> {
    const run = await this.find(id);
    if (!run) throw runNotFound(id);
    return run;
  }

  /**
   * Returns null if there is no such run, or if it is a test of another user.
   * @throws Forbidden for actors who may see only their own tests
   */
  async findVisible(actor: Actor, id: number): Promise<RunRecord | null> {
    const run = await this.find(id);
    requireVisible(actor, run);
    return run && maySee(actor, run) ? run : null;
  }

  publishChange({ _id, workflowId, test, state }: RunRecord): void {
    this.deps.core.bus.publish<RunChanged>(RUN_TOPIC, { runId: _id, workflowId, test, state });
  }

  /** Tells the processes that execute runs. */
  publishQueued({ _id: runId }: Pick<RunRecord, '_id'>): void {
    this.deps.core.bus.publish<RunQueued>(RUN_QUEUED_TOPIC, { runId });
  }

  auditStart(
    actor: Actor,
    { _id: id, workflowId, workflowTitle: title, scheduleId, retryOf, test, logging }: RunRecord,
    { snapshotId }: Pick<HeldSnapshot, 'snapshotId'>,
    tx: Tx,
  ): Promise<void> {
    return this.deps.audit.record(
      actor,
      'run.start',
      { type: 'Run', id },
      null,
      {
        workflowId,
        title,
        snapshotId,
        scheduleId: scheduleId ?? null,
        ...(retryOf !== undefined && { retryOf }),
        test,
        logging,
      },
      tx,
    );
  }

  auditCancel(
    actor: Actor,
    { _id: id, workflowId, workflowTitle: title }: RunRecord,
    state: RunStateName,
    tx: Tx,
  ): Promise<void> {
    return this.deps.audit.record(
      actor,
      'run.cancel',
      { type: 'Run', id },
      { workflowId, title },
      { state },
      tx,
    );
  }
}

/** Start parameters of a run. Most runs have none and no such record. */
export interface SealedParameters {
  readonly _id: number;
  readonly sealed: Sealed;
}

const runParametersSchema = schemaOf<SealedParameters>({ _id: Number, sealed: sealedPart });
runParametersSchema.index({ 'sealed.keyId': 1 });

/** Sealing adds a third, and a record has at most 16 MiB. */
const MAX_BYTES = 8 * 1024 * 1024;

/** Seal context: the text can be opened for this run only. */
const sealingOf = (runId: number): string => `run:${runId}`;

/**
 * Start parameters of runs, as JSON. Sealed, since they may hold secrets; in a separate collection,
 * so that lists of runs do not read them. Removed with their run.
 */
export class RunParameters {
  /** For changing the vault key. */
  readonly sealing: SealedValues;
  private readonly records: Collection<SealedParameters>;

  constructor(
    store: Store,
    private readonly vault: Vault,
  ) {
    this.records = store.collection<SealedParameters>(
      'RunParameters',
      runParametersSchema,
      'run_parameters',
    );
    this.sealing = sealedRecords({ store, vault, records: this.records, contextOf: sealingOf });
  }

  /** Seals outside a transaction. @throws TooLarge */
  seal(runId: number, json: string): SealedParameters {
    if (Buffer.byteLength(json) > MAX_BYTES)
      throw new TooLarge(`The parameters of a run have ${MAX_BYTES} bytes at most.`);
    return { _id: runId, sealed: this.vault.seal(json, sealingOf(runId)) };
  }

  write(parameters: SealedParameters, tx: Tx): void {
    this.records.insertLater(parameters, tx);
  }

  /** The parameters of a run that has some. @throws SealBroken */
  async open(runId: number): Promise<string> {
    const json = await this.find(runId);
    if (json === null) throw new Error(`The parameters of run ${runId} are missing.`);
    return json;
  }

  /** Returns null if there are none, or no longer. @throws SealBroken */
  async find(runId: number): Promise<string | null> {
    const record = await this.records.byId(runId);
    return record && this.vault.open(record.sealed, sealingOf(runId));
  }

  async remove(runIds: readonly number[], tx: Tx): Promise<void> {
    await this.records.deleteMany({ _id: { $in: [...runIds] } }, tx);
  }
}
