import type { Config } from '../../config/config';
import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { RunCounters } from '../widgets/run-counters.service';
import type { WorkflowRecord } from './workflow.model';
import { workflowSchema } from './workflow.model';
import type { WorkflowPorts } from './workflow.ports';
import { createWorkflowMetadata } from './lists/workflow-metadata';
import { createKnownReferences } from './references/known-references';
import { createWorkflowCategories } from './references/workflow-categories';
import { rowsNaming } from './references/rows-naming';
import { createSecretUsers } from './references/secret-users';
import { createWorkflowUsage } from './references/workflow-usage';
import { createMaskingRules } from './rules/masking-rules';
import { createRuleRows } from './rules/rule-rows';
import { createErrorWorkflows } from './error-workflow/error-workflows';
import { createWorkflowDeletion } from './workflow-deletion';
import { createWorkflowDuplication } from './workflow-duplication';
import { createWorkflowReading, workflowsOfKind } from './workflow-reading';
import { createWorkflowEdits } from './edits/workflow-edits';
import { createWorkflowPatches } from './patches/workflow-patches';
import { createUndoStack } from './undo/undo-stack';
import { createWorkflowUndo } from './undo/workflow-undo';
import { createWorkflowSaving } from './workflow-saving';
import type { WorkflowSaving } from './workflow-saving';
import { createWorkflowSnapshots } from './versions/workflow-snapshots';
import { createWorkflowDiff } from './diff/workflow-diff';
import { createWorkflowValidation } from './validation/workflow-validation';
import { createVersionHistory } from './versions/version-history';
import { createWorkflowVersions } from './versions/workflow-versions';
import { createWorkflowWriting } from './workflow-writing';
import type { WorkflowWriting } from './workflow-writing';
import { randomBytes } from 'node:crypto';
import type { Actor } from '../../platform/access/actor';
import { Conflict } from '../../platform/errors/errors';
import type { Model } from 'mongoose';
import { allows } from '../../platform/access/need';
import { NOTHING } from '../../platform/store/filter';
import { createLiveList } from '../../platform/store/live-list';
import type { ListChange } from '../../platform/store/live-list';
import type { WorkflowChanged } from './workflow.events';
import { WORKFLOW_TOPIC } from './workflow.events';
import { workflowPolicy } from './workflow.policy';
import { LRUCache } from 'lru-cache';
import { inTurns } from '../../platform/event-loop';
import type { WorkflowReading } from './workflow-reading';
import type { Steps, Turn } from '../../platform/event-loop';
import { everyText } from './json';
import type { JsonObject } from './json';

/** A parameter of the webhook that starts a workflow. */
interface WebhookVariable {
  readonly name: string;
  readonly type: string;
}

/** `${name}`, `${name:type}`. Length-limited, so that hostile texts are matched in linear time. */
const VARIABLE = /\$\{([^{}:]{1,200})(?::([^{}]{0,40}))?\}/g;
const MOST = 10_000;

/**
 * The webhook parameters in a document, unique, in document order. The default type is `string`.
 */
function* webhookVariables(document: JsonObject, turn: Turn): Steps<WebhookVariable[]> {
  const found = new Map<string, WebhookVariable>();
  yield* everyText(
    document,
    (text) => {
      if (!text.includes('${') || found.size >= MOST) return;
      for (const [, name = '', type = ''] of text.matchAll(VARIABLE)) {
        const variable = { name: name.trim(), type: type.trim() === '' ? 'string' : type.trim() };
        if (variable.name !== '') found.set(JSON.stringify(variable), variable);
      }
    },
    turn,
  );
  return [...found.values()];
}

/** Number of documents whose variables are cached. */
const KEPT = 200;

/**
 * Returns the webhook variables of a workflow.
 * @throws NotFound CONNECTION_NOT_FOUND
 */
function createWebhookVariables({
  get,
  getOriginal,
}: Pick<WorkflowReading, 'get' | 'getOriginal'>) {
  const known = new LRUCache<string, readonly WebhookVariable[]>({ max: KEPT });
  return async (workflowId: number): Promise<readonly WebhookVariable[]> => {
    const before = known.get((await get(workflowId)).content.id);
    if (before) return before;
    const { record, document } = await getOriginal(workflowId);
    const found = await inTurns((turn) => webhookVariables(document, turn));
    known.set(record.content.id, found);
    return found;
  };
}

function createWorkflowsChanging({
  store,
  bus,
  workflows,
}: {
  readonly store: Store;
  readonly bus: EventBus;
  readonly workflows: Model<WorkflowRecord>;
}) {
  const list = createLiveList<WorkflowRecord>({
    model: workflows,
    isExclusive: store.isExclusive,
    listen: (note) =>
      bus.subscribe<WorkflowChanged>(WORKFLOW_TOPIC, ({ workflowId }) => note([workflowId])),
    revision: ['version', 'snapshotId', 'updatedAt', 'title', 'categoryId'],
    order: { field: 'createdAt', direction: 'desc', isDefault: true },
  });

  return {
    /**
     * Streams the changes of a list that the actor may see, until the signal is aborted. The
     * permission is rechecked each time.
     * @throws BadInput while iterating: a long list with a filter or order that no index supports
     */
    changes: (
      actor: () => Promise<Actor>,
      filter: Record<string, unknown>,
      {
        includeTest,
        most,
        signal,
      }: { readonly includeTest: boolean; readonly most: number; readonly signal: AbortSignal },
    ): AsyncGenerator<ListChange<WorkflowRecord>, void, undefined> =>
      list({
        filter,
        most,
        signal,
        within: async () =>
          allows(workflowPolicy.read, await actor()) ? workflowsOfKind(includeTest) : NOTHING,
      }),
  };
}

/** Random titles practically never collide this often. */
const ATTEMPTS = 5;

/** Empty workflows, for clients that need an id before the first save. */
function createWorkflowDraft({ save }: Pick<WorkflowSaving, 'save'>) {
  return {
    /** Saves an empty workflow with a unique title such as `Untitled 3f09ac`. */
    async saveDraft(actor: Actor): Promise<WorkflowRecord> {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return (
            await save(actor, null, {
              document: { title: `Untitled ${randomBytes(3).toString('hex')}` },
            })
          ).record;
        } catch (error) {
          if (!(error instanceof Conflict) || attempt >= ATTEMPTS) throw error;
        }
      }
    },
  };
}

declare module '../../platform/context' {
  interface Services {
    workflows: WorkflowService;
  }
}

export type WorkflowService = ReturnType<typeof createWorkflowService>;

export interface WorkflowDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly counters: RunCounters;
  readonly config: Pick<Config, 'workflow' | 'limits'>;
  readonly ports: WorkflowPorts;
}

/** Combines the use cases of workflows, one file each. */
export function createWorkflowService({
  store,
  bus,
  clock,
  audit,
  counters,
  config,
  ports,
}: WorkflowDependencies) {
  const workflows = store.model<WorkflowRecord>('Workflow', workflowSchema, 'workflows');
  const versions = createWorkflowVersions(store);
  const reading = createWorkflowReading({ workflows, versions });
  const references = createKnownReferences(ports);
  const undos = createUndoStack(store);
  const rows = createRuleRows(store);
  const writing = createWorkflowWriting({
    store,
    bus,
    clock,
    workflows,
    versions,
    references,
    undos,
    rules: rows,
  });
  const saving = createWorkflowSaving({
    store,
    audit,
    config,
    reading,
    writing,
    versions,
    references,
    undos,
  });
  const history = createVersionHistory({ store, audit, reading, writing, versions });
  const errors = createErrorWorkflows({ store, audit, workflows, reading, writing });
  const rules = createMaskingRules({ store, clock, audit, reading, writing, rows });

  return {
    ...reading,
    ...rules,
    ...errors,
    ...createWorkflowUsage(workflows),
    ...createWorkflowCategories({ workflows, writing }),
    ...createSecretUsers(workflows),
    /** The saved workflows that use each of these aggregators, in one query. */
    workflowsOfAggregators: (ids: readonly number[]) => rowsNaming(workflows, 'aggregatorIds', ids),
    ...createWorkflowMetadata({ workflows, connectors: ports.connectors }),
    ...createWorkflowSnapshots({ store, clock, config, workflows, reading, writing, versions }),

    ...history,

    ...createWorkflowDiff({ reading, history }),

    ...createWorkflowDuplication({
      store,
      audit,
      workflows,
      reading,
      writing,
      versions,
      rules,
      errors,
    }),

    webhookVariables: createWebhookVariables(reading),

    ...createWorkflowValidation({ reading, ports }),

    ...createWorkflowDeletion({
      store,
      audit,
      counters,
      workflows,
      reading,
      writing,
      versions,
      errors,
      schedules: ports.schedules,
    }),

    claimLasting: (...of: Parameters<WorkflowWriting['claimLasting']>) =>
      writing.claimLasting(...of),
    save: (...of: Parameters<WorkflowSaving['save']>) => saving.save(...of),
    ...createWorkflowPatches({ config, saving }),
    ...createWorkflowEdits({ saving }),
    ...createWorkflowUndo({ reading, saving, undos }),
    ...createWorkflowDraft(saving),
    ...createWorkflowsChanging({ store, bus, workflows }),
  };
}
