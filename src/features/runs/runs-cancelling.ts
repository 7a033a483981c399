import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { Refused } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { eachOnce } from '../../platform/store/records';
import type { SharedTransactions } from '../../platform/store/shared-transactions';
import type { RunEndings } from './run-endings';
import type { RunLine } from './run-line';
import type { RunRecord } from './run.model';
import { maySee } from './run.policy';
import { runNotFound } from './run-reading';

export interface RunsCancellingDependencies {
  readonly runs: Model<RunRecord>;
  readonly line: RunLine;
  /**
   * Serialises starts and ends of runs: while a list is checked and cancelled, none of its runs
   * ends.
   */
  readonly turns: SharedTransactions;
  readonly endings: Pick<RunEndings, 'endWithin' | 'askOwner'>;
}

/** Cancels several runs, all or none. */
export function createRunsCancelling({
  runs,
  line,
  turns,
  endings: { endWithin, askOwner },
}: RunsCancellingDependencies) {
  const requireAll = (actor: Actor, ids: readonly number[], found: readonly RunRecord[]): void => {
    const known = new Map(found.map((run) => [run._id, run]));
    const findings = new Findings();
    for (const [at, id] of ids.entries()) {
      const run = known.get(id);
      const path = ['ids', at];
      if (!run || (run.test && !maySee(actor, run))) findings.add(runNotFound(id, path));
      else if (run.state !== 'QUEUED' && run.state !== 'RUNNING')
        findings.add(
          new Refused('EXECUTION_ALREADY_FINISHED', `Run ${id} has ended: ${run.state}.`, { path }),
        );
    }
    findings.refuse();
  };

  /**
   * Ends queued runs, asks other processes to cancel theirs, and stops runs of this process after
   * the commit.
   */
  const cancelWithin = (
    actor: Actor,
    ids: readonly number[],
    told: (lettingGo: readonly Promise<unknown>[]) => void,
  ) =>
    turns.alone(async (tx) => {
      requireAll(
        actor,
        ids,
        await runs.find({ _id: { $in: ids } }, null, { session: tx.session }).lean<RunRecord[]>(),
      );
      const goingOn = { here: [] as number[], elsewhere: [] as number[] };
      for (const _id of ids) {
        const ending = {
          state: 'CANCELLED',
          error: null,
          steps: 0,
          sequence: 1,
          cancelledBy: actor,
        } as const;
        if (line.isActive(_id)) goingOn.here.push(_id);
        else if (
          (await endWithin({ _id, state: 'QUEUED' }, ending, tx)) === null &&
          (await askOwner(_id, actor, tx))
        )
          goingOn.elsewhere.push(_id);
      }
      const left = new Set(goingOn.here);
      tx.afterCommit(() => {
        line.withdraw(new Set(ids.filter((id) => !left.has(id))));
        told([
          ...goingOn.here.map((id) => line.cancel(id, actor)),
          line.othersLetGo(goingOn.elsewhere),
        ]);
      });
    });

  return {
    /**
     * Cancels runs, all or none, and returns their current records: CANCELLED, or still RUNNING
     * while a step takes time to end.
     * @throws BadInput if there are too many
     * @throws NotFound EXECUTION_NOT_FOUND for each unknown run and each test of another user
     * @throws Refused  EXECUTION_ALREADY_FINISHED
     */
    async cancelAll(actor: Actor, ids: readonly number[]): Promise<RunRecord[]> {
      const unique = eachOnce(ids, 'runs');
      let lettingGo: readonly Promise<unknown>[] = [];
      await cancelWithin(actor, unique, (told) => {
        lettingGo = told;
      });
      await Promise.all(lettingGo);
      const found = new Map(
        (await runs.find({ _id: { $in: unique } }).lean<RunRecord[]>()).map((run) => [
          run._id,
          run,
        ]),
      );
      return unique.flatMap((id) => found.get(id) ?? []);
    },
  };
}
