import type { Actor } from '../../../platform/access/actor';
import type { Collection } from '../../../platform/store/collection';
import type { Store, Tx } from '../../../platform/store/store';
import type { AuditService } from '../../audit/audit.service';
import type { WorkflowWriter } from '../saving/workflow-writer';
import { workflowCollection } from '../workflow.model';
import type { WorkflowRecord } from '../workflow.model';

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
      readonly writing: WorkflowWriter;
    },
  ) {
    this.workflows = workflowCollection(store);
  }

  /** Applies to runs that are started from then on. @throws NotFound CONNECTION_NOT_FOUND */
  set(actor: Actor, id: number, resume: boolean): Promise<WorkflowRecord> {
    const { audit, writing } = this.deps;
    return this.store.transaction(async (tx) => {
      const before = await writing.claim(id, tx);
      const after = await this.workflows.change(id, { resume }, tx);
      await audit.record(
        actor,
        'workflow.resume',
        { type: 'Workflow', id },
        { resume: before.resume === true },
        { resume },
        tx,
      );
      return after;
    });
  }

  /** Copies the setting to a workflow that is created in this transaction. */
  async copy({ resume }: Pick<WorkflowRecord, 'resume'>, to: number, tx: Tx): Promise<void> {
    if (resume === true) await this.workflows.change(to, { resume }, tx);
  }
}
