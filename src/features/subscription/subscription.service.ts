import type { Clock } from '../../platform/clock/clock';
import { BadInput } from '../../platform/errors/errors';
import type { Period, RunUsage, UsedRun } from '../runs/run-usage.service';
import type { RunCounters } from '../widgets/run-counters.service';
import type { WorkflowLists, WorkflowMetadata } from '../workflows/lists/workflow-lists';

declare module '../../platform/context' {
  interface Services {
    subscription: SubscriptionService;
  }
}

/** The current month, which the released clients show as the period of a subscription. */
export interface CurrentUsage {
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly runs: number;
}

export interface WorkflowUsage extends WorkflowMetadata {
  readonly runs: number;
}

/** Part of a list by number, as the released clients ask for it; from 0. */
interface NumberedPage {
  readonly page: number;
  readonly size: number;
}

export interface NumberedRows<T> extends NumberedPage {
  readonly rows: readonly T[];
  readonly total: number;
}

/**
 * The usage of this service for the licence pages of the released clients. Nothing is limited and
 * nothing is sent anywhere. A run is one operation.
 */
export class SubscriptionService {
  constructor(
    private readonly deps: {
      readonly counters: RunCounters;
      readonly runs: RunUsage;
      readonly workflows: WorkflowLists;
      readonly clock: Clock;
    },
  ) {}

  async current(): Promise<CurrentUsage> {
    const { counters, clock } = this.deps;
    const { from, to, executions: runs } = await counters.ofMonth(clock.now());
    return { from, to, runs };
  }

  /**
   * Workflows by their number of runs of all time, busiest first. With a period, their number is
   * that of the stored runs in it.
   */
  async usage({ page, size }: NumberedPage, period: Period): Promise<NumberedRows<WorkflowUsage>> {
    const { counters, workflows, runs } = this.deps;
    const [total, counted] = await Promise.all([
      counters.countWorkflows(),
      counters.busiest(size, page * size),
    ]);
    const allTime = new Map(counted.map((row) => [row.workflowId, row.executions]));
    const isBounded = period.from !== null || period.to !== null;
    const rows: WorkflowUsage[] = [];
    for await (const workflow of workflows.metadataOf([...allTime.keys()], {
      includeTest: false,
    })) {
      const { _id } = workflow.record;
      const used = isBounded ? await runs.count(_id, period) : (allTime.get(_id) ?? 0);
      rows.push({ ...workflow, runs: used });
    }
    return { rows, page, size, total };
  }

  /** The stored runs of a workflow; empty if there is none. */
  async runsOf(
    workflowId: number,
    { page, size }: NumberedPage,
    { period, direction }: { readonly period: Period; readonly direction: 1 | -1 },
  ): Promise<NumberedRows<UsedRun>> {
    const { runs } = this.deps;
    const [total, rows] = await Promise.all([
      runs.count(workflowId, period),
      runs.list(workflowId, period, { skip: page * size, limit: size, direction }),
    ]);
    return { rows, page, size, total };
  }

  /**
   * Reads the bounds of a period: milliseconds, times, or days in the configured time zone. The
   * last day is part of the period.
   * @throws BadInput BAD_REQUEST
   */
  periodOf(startDate: string, endDate: string): Period {
    return {
      from: this.boundOf('startDate', startDate)?.[0] ?? null,
      to: this.boundOf('endDate', endDate)?.[1] ?? null,
    };
  }

  /** The moment that a text names, and the end of what it names. */
  private boundOf(name: string, text: string): readonly [Date, Date] | null {
    if (text === '') return null;
    const time = /^\d{1,15}$/.test(text) ? Number(text) : Date.parse(text);
    if (Number.isNaN(time))
      throw new BadInput('BAD_REQUEST', `'${name}' must be a day, or a time in milliseconds.`, {
        path: [name],
      });
    return /^\d{4}-\d{2}-\d{2}$/.test(text)
      ? this.deps.counters.calendar.boundsOf(text)
      : [new Date(time), new Date(time + 1)];
  }
}
