import { randomBytes } from 'node:crypto';
import type { Actor } from '../../platform/access/actor';
import { Conflict } from '../../platform/errors/errors';
import type { WorkflowRecord } from './workflow.model';
import type { WorkflowSaving } from './workflow-saving';

/** Two drafts of one name in a row are next to impossible. */
const ATTEMPTS = 5;

/** Empty workflows, for clients that want an id before there is anything to save. */
export function createWorkflowDraft({ save }: Pick<WorkflowSaving, 'save'>) {
  return {
    /** Saves an empty workflow under a title of its own, `Untitled 3f09ac`, and answers what was stored. */
    async saveDraft(actor: Actor): Promise<WorkflowRecord> {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return (await save(actor, null, { document: { title: `Untitled ${randomBytes(3).toString('hex')}` } })).record;
        } catch (error) {
          if (!(error instanceof Conflict) || attempt >= ATTEMPTS) throw error;
        }
      }
    },
  };
}
