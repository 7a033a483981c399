import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { EventBus } from '../../platform/events/bus';
import { NOTHING } from '../../platform/store/conjuncts';
import { createLiveList } from '../../platform/store/live-list';
import type { ListChange } from '../../platform/store/live-list';
import type { Store } from '../../platform/store/store';
import type { WorkflowChanged } from './workflow.events';
import { WORKFLOW_TOPIC } from './workflow.events';
import type { WorkflowRecord } from './workflow.model';
import { workflowPolicy } from './workflow.policy';
import { workflowsOfKind } from './workflow-reading';

/** Follows lists of workflows. */
export function createWorkflowsChanging({ store, bus, workflows }: { readonly store: Store; readonly bus: EventBus; readonly workflows: Model<WorkflowRecord> }) {
  const list = createLiveList<WorkflowRecord>({
    model: workflows,
    isExclusive: store.isExclusive,
    listen: (note) => bus.subscribe<WorkflowChanged>(WORKFLOW_TOPIC, ({ workflowId }) => note([workflowId])),
    revision: ['version', 'snapshotId', 'updatedAt', 'title', 'categoryId'],
    order: { field: 'createdAt', direction: 'desc', isDefault: true },
  });

  return {
    /**
     * What changes in a list of workflows, as far as the actor may see it at each moment, until the signal is aborted.
     * @throws BadInput while iterating: what no index serves in a long list
     */
    changes: (actor: () => Promise<Actor>, filter: Record<string, unknown>, { includeTest, most, signal }: { readonly includeTest: boolean; readonly most: number; readonly signal: AbortSignal }): AsyncGenerator<ListChange<WorkflowRecord>, void, undefined> =>
      list({ filter, most, signal, within: async () => (allows(workflowPolicy.read, await actor()) ? workflowsOfKind(includeTest) : NOTHING) }),
  };
}
