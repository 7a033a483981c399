import type { Actor } from '../../platform/access/actor';
import { Conflict } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { inTurns } from '../../platform/event-loop';
import { eachOnce, placesIn, requireVersion, THE_ID } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import { toldTitles } from '../../platform/text/characters';
import type { InvokerRecord } from './invoker.model';
import { maskInvoker } from './mask-invoker';
import type { InvokerPorts } from './invoker.ports';
import type { InvokerReading } from './invoker-reading';
import type { InvokerWriting } from './invoker-writing';

export interface InvokerDeletionDependencies {
  readonly store: Store;
  readonly ports: InvokerPorts;
  readonly reading: InvokerReading;
  readonly writing: InvokerWriting;
}

/**
 * `force`: deletes invokers in use. Their users then report the missing invoker when they are
 * validated.
 */
export interface DeletionOptions {
  readonly force?: boolean;
  readonly expectedVersion?: ExpectedVersion;
}

type FindRow = (tx?: Tx) => Promise<InvokerRecord>;

export function createInvokerDeletion({
  store,
  ports,
  reading,
  writing,
}: InvokerDeletionDependencies) {
  const requireUnused = async ({ name }: InvokerRecord, path: InputPath, tx: Tx): Promise<void> => {
    const connectors = await ports.connectorsUsing([name], tx);
    const workflows = await ports.workflowsUsing([name], tx);
    if (connectors.length + workflows.length === 0) return;
    const users = [
      ['connectors', connectors],
      ['workflows', workflows],
    ] as const;
    const told = users
      .filter(([, list]) => list.length > 0)
      .map(([kind, list]) => `${kind} ${toldTitles(list)}`)
      .join('; ');
    throw new Conflict('INVOKER_IN_USE', `The invoker ${name} is in use: ${told}.`, { path });
  };

  const removeWithin = async (
    actor: Actor,
    find: FindRow,
    path: InputPath,
    { force = false, expectedVersion }: DeletionOptions,
    last: Map<number, object | null>,
    tx: Tx,
  ): Promise<InvokerRecord> => {
    const before = await find(tx);
    const found = new Findings();
    found.ofSync(() => requireVersion('invoker', before, expectedVersion));
    if (!force) await found.of(() => requireUnused(before, path, tx));
    found.refuse();
    await writing.remove(actor, before, last.get(before._id) ?? null, tx);
    return before;
  };

  /** The deleted definitions for the audit, without secrets. Read outside the transaction. */
  const lastSaid = async (finds: readonly FindRow[]): Promise<Map<number, object | null>> => {
    const last = new Map<number, object | null>();
    for (const find of finds) {
      const row = await find().catch(() => null);
      const invoker = row && (await reading.invokerOf(row));
      if (row) last.set(row._id, invoker && (await inTurns((turn) => maskInvoker(invoker, turn))));
    }
    return last;
  };

  const removeEach = async (
    actor: Actor,
    asked: readonly { readonly find: FindRow; readonly path: InputPath }[],
    options: DeletionOptions,
  ): Promise<InvokerRecord[]> => {
    const last = await lastSaid(asked.map(({ find }) => find));
    return store.transaction(async (tx) => {
      const found = new Findings();
      const removed: InvokerRecord[] = [];
      for (const { find, path } of asked) {
        const row = await found.of(() => removeWithin(actor, find, path, options, last, tx));
        if (row) removed.push(row);
      }
      found.refuse();
      return removed;
    });
  };

  const byName = (name: string, path: InputPath) => ({
    path,
    find: (tx?: Tx) => reading.getRow(name, tx, path),
  });

  const byId = (id: number, path: InputPath) => ({
    path,
    find: (tx?: Tx) => reading.getRowById(id, tx, path),
  });

  return {
    async isUsed(name: string): Promise<boolean> {
      const { name: known } = await reading.getRow(name);
      return (await ports.connectorsUsing([known])).length > 0;
    },

    /**
     * Deletes an invoker. Returns it as it was.
     * @throws NotFound INVOKER_NOT_FOUND
     * @throws Conflict INVOKER_IN_USE with the titles of its users; CONFLICT if the version is not
     * the expected one
     */
    async remove(
      actor: Actor,
      name: string,
      options: DeletionOptions = {},
    ): Promise<InvokerRecord> {
      const [removed] = await removeEach(actor, [byName(name, ['name'])], options);
      if (!removed)
        throw new Error('A deletion removed nothing, and nothing was found against it.');
      return removed;
    },

    /**
     * Deletes all given invokers or none, by name.
     * @throws BadInput if there are too many
     * @throws NotFound INVOKER_NOT_FOUND for each missing one
     * @throws Conflict INVOKER_IN_USE for each one in use, with the titles of its users
     */
    async removeAll(
      actor: Actor,
      names: readonly string[],
      options: Pick<DeletionOptions, 'force'> = {},
    ): Promise<InvokerRecord[]> {
      const place = placesIn(names);
      return removeEach(
        actor,
        eachOnce(names, 'invokers', fold).map((name) => byName(name, place(name))),
        options,
      );
    },

    async removeById(
      actor: Actor,
      id: number,
      options: DeletionOptions = {},
    ): Promise<InvokerRecord> {
      const [removed] = await removeEach(actor, [byId(id, THE_ID(id))], options);
      if (!removed)
        throw new Error('A deletion removed nothing, and nothing was found against it.');
      return removed;
    },

    async removeAllById(
      actor: Actor,
      ids: readonly number[],
      options: Pick<DeletionOptions, 'force'> = {},
    ): Promise<InvokerRecord[]> {
      const place = placesIn(ids);
      return removeEach(
        actor,
        eachOnce(ids, 'invokers').map((id) => byId(id, place(id))),
        options,
      );
    },
  };
}
