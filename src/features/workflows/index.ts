import { RemoteCallService } from './remote-call/remote-call.service';
import { WorkflowReferences } from './references/workflow-references';
import { TestSweeper } from './test-sweeper';
import { workflowPolicy } from './workflow.policy';
import type { WorkflowSnapshots } from './versions/workflow-snapshots';
import { createWorkflows } from './workflow.service';
import type { Feature } from '../../feature';
import {
  DiffOfWorkflowResolver,
  FieldBindingDifferenceResolver,
  StepDifferenceResolver,
  WorkflowDiffResolver,
} from './editing/diff.graphql';
import { diffRoutes, documentedDiffs } from './editing/diff.rest';
import { WorkflowEditsResolver } from './editing/editing.graphql';
import { ErrorWorkflowResolver } from './error-workflow/error-workflow.graphql';
import { errorWorkflowRoutes } from './error-workflow/error-workflow.rest';
import { documentedMetadata, workflowMetadataRoutes } from './lists/workflow-lists.rest';
import { documentedPatches, patchRoutes, undoRoutes } from './editing/editing.rest';
import { remoteCallRoutes } from './remote-call/remote-call.rest';
import { MaskingRuleResolver, RulesOfWorkflowResolver } from './rules/rule.graphql';
import { documentedRules } from './rules/rule.presenter';
import { ruleRoutes } from './rules/rule.rest';
import { ValidationOfWorkflowResolver } from './validation/validation.graphql';
import { documentedValidation, validationRoutes } from './validation/validation.rest';
import { VersionChangesResolver } from './versions/version.graphql';
import { documentedVersions, versionRoutes } from './versions/version.rest';
import { WorkflowResolver, WorkflowVersionResolver } from './workflow.graphql';
import { documentedWorkflows, workflowRoutes } from './workflow.rest';
import { WorkflowsChangedResolver } from './workflows-changed.graphql';

declare module '../../platform/context' {
  interface Services {
    /** Deletes workflows that tests left behind. */
    testSweeper: TestSweeper;
    workflowSnapshots: WorkflowSnapshots;
    workflowParts: ReturnType<typeof createWorkflows>;
  }
}

export const workflowsFeature: Feature = {
  services: {
    errorWorkflows: ({ services }) => services.workflowParts.errorWorkflows,
    maskingRules: ({ services }) => services.workflowParts.maskingRules,
    remoteCalls: ({ outbound }) => new RemoteCallService(outbound),
    testSweeper: ({ core, config, services }) =>
      new TestSweeper(
        core,
        services.workflowDeletion,
        (ids) => services.runs.interruptedAmong(ids),
        config.sweeper,
      ),
    workflowDeletion: ({ services }) => services.workflowParts.workflowDeletion,
    workflowDuplication: ({ services }) => services.workflowParts.workflowDuplication,
    workflowEditing: ({ services }) => services.workflowParts.workflowEditing,
    workflowLists: ({ services }) => services.workflowParts.workflowLists,
    workflowParts: ({ core, config, services }) =>
      createWorkflows({
        core,
        audit: services.audit,
        counters: services.runCounters,
        config,
        records: {
          invokers: services.invokerCatalog,
          connectors: services.connectorCatalog,
          secrets: services.secretNames,
          aggregators: services.aggregatorCatalog,
          categories: services.knownCategories,
        },
        schedules: services.scheduleRemoval,
      }),
    workflowReferences: ({ core: { store } }) => new WorkflowReferences(store),
    workflowSnapshots: ({ services }) => services.workflowParts.workflowSnapshots,
    workflowValidation: ({ services }) => services.workflowParts.workflowValidation,
    workflowVersions: ({ services }) => services.workflowParts.workflowVersions,
    workflows: ({ services }) => services.workflowParts.workflows,
  },
  search: ({ workflows }) => ({
    type: 'Workflow',
    need: workflowPolicy.read,
    find: (...of) => workflows.searchTitles(...of),
  }),
  start: ({ services }) => services.testSweeper.start(),
  stop: ({ services }) => services.testSweeper.stop(),
  tags: {
    'Masking rules': 'Additional masking of the logs of a workflow.',
    'Workflow versions': 'Versions of workflows, one for each save.',
    Workflows: 'Workflows, called `connection` in the REST API.',
  },
  resolvers: [
    ErrorWorkflowResolver,
    MaskingRuleResolver,
    RulesOfWorkflowResolver,
    DiffOfWorkflowResolver,
    FieldBindingDifferenceResolver,
    StepDifferenceResolver,
    WorkflowDiffResolver,
    ValidationOfWorkflowResolver,
    VersionChangesResolver,
    WorkflowEditsResolver,
    WorkflowResolver,
    WorkflowsChangedResolver,
    WorkflowVersionResolver,
  ],
  presenters: {
    patches: documentedPatches,
    workflowValidation: documentedValidation,
    workflowDiffs: documentedDiffs,
    workflowMetadata: documentedMetadata,
    maskingRules: documentedRules,
    workflowVersions: documentedVersions,
    workflows: documentedWorkflows,
  },
  routes: ({ services, presenters }) => [
    ...workflowRoutes(services, presenters),
    ...workflowMetadataRoutes(services, presenters),
    ...remoteCallRoutes(services),
    ...versionRoutes(services, presenters),
    ...diffRoutes(services, presenters),
    ...ruleRoutes(services, presenters),
    ...validationRoutes(services, presenters),
    ...patchRoutes(services, presenters),
    ...undoRoutes(services, presenters),
    ...errorWorkflowRoutes(services),
  ],
};
