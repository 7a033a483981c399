import type { Actor } from '../../../platform/access/actor';
import type { Collection } from '../../../platform/store/collection';
import type { Store, Tx } from '../../../platform/store/store';
import type { AuditService } from '../../audit/audit.service';
import type { WorkflowWriter } from '../saving/workflow-writer';
import { workflowCollection } from '../workflow.model';
import type { WorkflowRecord } from '../workflow.model';
import type { WorkflowReader } from '../workflow-reader';

declare module '../../../platform/context' {
  interface Services {
    resumeSettings: ResumeSettings;
  }
}

/**
 * Whether runs of a workflow go on after a crash. Not part of the document, so clients that save
 * whole documents without knowing it do not remove it.
 */
export class ResumeSettings {
  private readonly workflows: Collection<WorkflowRecord>;

  constructor(
    private readonly store: Store,
    private readonly deps: {
      readonly audit: AuditService;
      readonly reading: WorkflowReader;
      readonly writing: WorkflowWriter;
    },
  ) {
    this.workflows = workflowCollection(store);
  }

  /** Applies to runs that are started from then on. @throws NotFound CONNECTION_NOT_FOUND */
  set(actor: Actor, id: number, resume: boolean): Promise<WorkflowRecord> {
    const { audit, reading, writing } = this.deps;
    return this.store.transaction(async (tx) => {
      const before = await writing.claim(id, tx);
      await this.write(id, resume, tx);
      await audit.record(
        actor,
        'workflow.resume',
        { type: 'Workflow', id },
        { resume: before.resume === true },
        { resume },
        tx,
      );
      return reading.get(id, tx);
    });
  }

  /** Copies the setting to a workflow that is created in this transaction. */
  async copy({ resume }: Pick<WorkflowRecord, 'resume'>, to: number, tx: Tx): Promise<void> {
    if (resume === true) await this.write(to, resume, tx);
  }

  private async write(id: number, resume: boolean, tx: Tx): Promise<void> {
    await this.workflows.updateOne(
      { _id: id },
      resume ? { $set: { resume } } : { $unset: { resume: 1 } },
      tx,
    );
  }
}
