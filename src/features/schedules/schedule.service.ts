import { authorOf } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import { zoneName } from '../../platform/clock/time-zone';
import type { Core } from '../../platform/core';
import { BadInput, Conflict } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { changeTogether } from '../../platform/store/change-all';
import type { Adoption } from '../../platform/store/startup/adoption';
import { requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Tx } from '../../platform/store/store';
import { UniqueNames } from '../../platform/store/unique-names';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import type { WorkflowService } from '../workflows/workflow.service';
import { NEVER_CRON, nextFire, tidyCron } from '../../platform/clock/cron';
import { computeNextRuns } from './next-runs';
import type { NextRuns } from './next-runs';
import { DEFAULT_MISSED_FIRES, DEFAULT_OVERLAP_POLICY } from './schedule-options';
import type { ScheduleRecords } from './schedule-records';
import type { ScheduleRemoval } from './schedule-removal';
import { auditedFields, checkScheduleChange, NEVER_RUN } from './schedule.model';
import type { ScheduleChange, ScheduleRecord } from './schedule.model';

declare module '../../platform/context' {
  interface Services {
    schedules: ScheduleService;
  }
}

/** Writes more about a schedule in the transaction that saves it. */
type Alongside = (schedule: ScheduleRecord, tx: Tx) => Promise<void>;

type Timing = Pick<ScheduleRecord, 'enabled' | 'cron' | 'timeZone'>;

/** Saves and deletes schedules; `ScheduleRecords` reads them. */
export class ScheduleService {
  private readonly titles: UniqueNames<ScheduleRecord>;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly records: ScheduleRecords;
      readonly removal: ScheduleRemoval;
      readonly workflows: WorkflowService;
      /** Time zone of schedules that specify none. */
      readonly timeZone: string;
    },
  ) {
    this.titles = new UniqueNames(deps.records.collection, {
      key: 'titleKey',
      takenError: (title) =>
        new Conflict(
          'TITLE_ALREADY_EXISTS',
          `There is already a schedule called ${JSON.stringify(title)}.`,
          { path: ['title'] },
        ),
    });
  }

  /**
   * @param alongside writes more in the same transaction
   * @throws BadInput if title, cron expression or time zone are invalid, or no workflow is given
   * @throws NotFound CONNECTION_NOT_FOUND
   * @throws Conflict TITLE_ALREADY_EXISTS
   */
  async create(
    actor: Actor,
    input: ScheduleChange,
    alongside?: Alongside,
    adoption?: Adoption,
  ): Promise<ScheduleRecord> {
    const { core, audit, records } = this.deps;
    const { cron = NEVER_CRON, timeZone = this.deps.timeZone } = input;
    const title = input.title?.trim() ?? '';
    const work = async (tx: Tx): Promise<ScheduleRecord> => {
      const findings = new Findings(
        checkScheduleChange(
          { title: input.title ?? null, cron, timeZone },
          { timeZone, now: core.clock.now(), isNew: true },
        ),
      );
      await this.titles.check(title, null, findings, tx);
      const workflow = findings.passed(await this.claimWorkflow(input.workflowId, findings, tx));
      const [id, now, author] = [
        adoption?.id ?? (await core.store.nextId('schedules', tx)),
        core.clock.now(),
        authorOf(actor),
      ];
      const timing = {
        enabled: input.enabled ?? true,
        cron: tidyCron(cron),
        timeZone: zoneName(timeZone),
      };
      const record = await records.collection.insert(
        {
          _id: id,
          title,
          titleKey: fold(title),
          workflowId: workflow._id,
          ...timing,
          logging: input.logging ?? false,
          missedFires: input.missedFires ?? DEFAULT_MISSED_FIRES,
          overlapPolicy: input.overlapPolicy ?? DEFAULT_OVERLAP_POLICY,
          nextFireAt: this.nextFireOf(timing),
          ...NEVER_RUN,
          createdAt: now,
          createdBy: author,
          updatedAt: now,
          updatedBy: author,
          version: 1,
        },
        tx,
      );
      const target = { type: 'Schedule', id } as const;
      await audit.record(actor, 'schedule.create', target, null, auditedFields(record), tx);
      await alongside?.(record, tx);
      records.publish([id], tx);
      return record;
    };
    return adoption ? work(adoption.tx) : this.withTitle(title, work);
  }

  /**
   * Changes the given fields.
   * @throws BadInput if title, cron expression or time zone are invalid
   * @throws NotFound SCHEDULER_NOT_FOUND, CONNECTION_NOT_FOUND
   * @throws Conflict TITLE_ALREADY_EXISTS; CONFLICT if the version is not the expected one
   */
  async update(
    actor: Actor,
    id: number,
    input: ScheduleChange,
    expectedVersion?: ExpectedVersion,
    alongside?: Alongside,
  ): Promise<ScheduleRecord> {
    const { core, records } = this.deps;
    return this.withTitle(input.title?.trim() ?? '', async (tx) => {
      const findings = new Findings();
      const before = await findings.of(() => records.get(id, tx));
      if (before) findings.ofSync(() => requireVersion('schedule', before, expectedVersion));
      findings.add(
        ...checkScheduleChange(input, {
          timeZone: input.timeZone ?? before?.timeZone ?? this.deps.timeZone,
          now: core.clock.now(),
          isNew: input.cron !== undefined && tidyCron(input.cron) !== before?.cron,
        }),
      );
      const title = input.title === undefined ? (before?.title ?? '') : (input.title?.trim() ?? '');
      if (title !== before?.title) await this.titles.check(title, id, findings, tx);
      const { workflowId, cron, timeZone, enabled, logging, missedFires, overlapPolicy } = input;
      if (workflowId !== undefined && workflowId !== before?.workflowId)
        await this.claimWorkflow(workflowId, findings, tx);
      const base = findings.passed(before);
      await alongside?.(base, tx);
      return this.change(
        actor,
        base,
        {
          ...(title !== base.title && { title, titleKey: fold(title) }),
          workflowId,
          cron: cron === undefined ? undefined : tidyCron(cron),
          timeZone: timeZone === undefined ? undefined : zoneName(timeZone),
          enabled,
          logging,
          missedFires,
          overlapPolicy,
        },
        tx,
      );
    });
  }

  /**
   * Enables or disables schedules, all or none, and returns their current records.
   * @throws BadInput if there are too many
   * @throws NotFound SCHEDULER_NOT_FOUND for each unknown one
   */
  enableAll(actor: Actor, ids: readonly number[], enabled: boolean): Promise<ScheduleRecord[]> {
    const { core, records } = this.deps;
    return changeTogether(core.store, ids, 'schedules', async (unique, pathOf, tx) => {
      const changed: ScheduleRecord[] = [];
      for (const record of await records.getAll(unique, pathOf, tx))
        changed.push(
          record.enabled === enabled ? record : await this.change(actor, record, { enabled }, tx),
        );
      return changed;
    });
  }

  /**
   * Deletes a schedule and returns the deleted record.
   * @throws NotFound SCHEDULER_NOT_FOUND
   * @throws Conflict CONFLICT if the version is not the expected one
   */
  remove(actor: Actor, id: number, expectedVersion?: ExpectedVersion): Promise<ScheduleRecord> {
    const { core, records, removal } = this.deps;
    return core.store.transaction(async (tx) => {
      const record = await records.get(id, tx);
      requireVersion('schedule', record, expectedVersion);
      await removal.remove(actor, [record], tx);
      return record;
    });
  }

  /**
   * Deletes schedules, all or none, and returns the deleted records.
   * @throws BadInput if there are too many
   * @throws NotFound SCHEDULER_NOT_FOUND for each unknown one
   */
  removeAll(actor: Actor, ids: readonly number[]): Promise<ScheduleRecord[]> {
    const { core, records, removal } = this.deps;
    return changeTogether(core.store, ids, 'schedules', async (unique, pathOf, tx) => {
      const removed = await records.getAll(unique, pathOf, tx);
      await removal.remove(actor, removed, tx);
      return removed;
    });
  }

  /** A schedule that is enabled again is due from now on: earlier times are skipped. */
  private async change(
    actor: Actor,
    base: ScheduleRecord,
    set: Partial<ScheduleRecord>,
    tx: Tx,
  ): Promise<ScheduleRecord> {
    const { core, audit, records } = this.deps;
    const timing = {
      enabled: set.enabled ?? base.enabled,
      cron: set.cron ?? base.cron,
      timeZone: set.timeZone ?? base.timeZone,
    };
    const isTimed =
      timing.enabled !== base.enabled ||
      timing.cron !== base.cron ||
      timing.timeZone !== base.timeZone;
    const after = await records.collection.change(
      base._id,
      {
        ...set,
        ...(isTimed && { nextFireAt: this.nextFireOf(timing) }),
        updatedAt: core.clock.now(),
        updatedBy: authorOf(actor),
        version: base.version + 1,
      },
      tx,
    );
    const target = { type: 'Schedule', id: base._id } as const;
    const [old, changed] = [auditedFields(base), auditedFields(after)];
    await audit.record(actor, 'schedule.update', target, old, changed, tx);
    records.publish([base._id], tx);
    return after;
  }

  private withTitle<R>(title: string, work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.titles.guard(title, () => this.deps.core.store.transaction(work));
  }

  /**
   * Writes the workflow, so that a concurrent deletion conflicts. Rejects the temporary workflow of
   * a test.
   */
  /** When an expression that is not saved is due. */
  nextRuns(cron: string, timeZone: string | null, count: number): NextRuns {
    const zone = timeZone ?? this.deps.timeZone;
    return computeNextRuns(cron, zone, count, this.deps.core.clock.now());
  }

  private claimWorkflow(id: number | undefined, findings: Findings, tx: Tx) {
    return findings.of(() => {
      if (id === undefined)
        throw new BadInput('BAD_REQUEST', 'A schedule needs a workflow to run.', {
          path: ['workflowId'],
        });
      return this.deps.workflows.claimLasting(id, tx, ['workflowId']);
    });
  }

  private nextFireOf({ enabled, cron, timeZone }: Timing): Date | null {
    return enabled ? nextFire(cron, timeZone, this.deps.core.clock.now()) : null;
  }
}
