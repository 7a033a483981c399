import type { Repeating } from '../../platform/repeating';
import { createRemoteCallService } from './remote-call/remote-call.service';
import { createTestSweeper } from './test-sweeper';
import { workflowPolicy } from './workflow.policy';
import { createWorkflowService } from './workflow.service';
import type { Feature } from '../../feature';
import {
  DiffOfWorkflowResolver,
  FieldBindingDifferenceResolver,
  StepDifferenceResolver,
  WorkflowDiffResolver,
} from './diff/diff.graphql';
import { documentedDiffs } from './diff/diff.presenter';
import { diffRoutes } from './diff/diff.rest';
import { WorkflowEditsResolver } from './edits/edit.graphql';
import { ErrorWorkflowResolver } from './error-workflow/error-workflow.graphql';
import { errorWorkflowRoutes } from './error-workflow/error-workflow.rest';
import { documentedMetadata, workflowMetadataRoutes } from './lists/workflow-lists.rest';
import { documentedPatches } from './patches/patch.presenter';
import { patchRoutes } from './patches/patch.rest';
import { remoteCallRoutes } from './remote-call/remote-call.rest';
import { MaskingRuleResolver, RulesOfWorkflowResolver } from './rules/rule.graphql';
import { documentedRules } from './rules/rule.presenter';
import { ruleRoutes } from './rules/rule.rest';
import { undoRoutes } from './undo/undo.rest';
import { ValidationOfWorkflowResolver } from './validation/validation.graphql';
import { documentedValidation, validationRoutes } from './validation/validation.rest';
import { VersionChangesResolver } from './versions/version.graphql';
import { documentedVersions } from './versions/version.presenter';
import { versionRoutes } from './versions/version.rest';
import { WorkflowResolver, WorkflowVersionResolver } from './workflow.graphql';
import { documentedWorkflows, workflowRoutes } from './workflow.rest';
import { WorkflowsChangedResolver } from './workflows-changed.graphql';

declare module '../../platform/context' {
  interface Services {
    /** Deletes workflows that tests left behind. */
    testSweeper: Repeating;
  }
}

export const workflowsFeature: Feature = {
  services: {
    remoteCalls: ({ outbound }) => createRemoteCallService({ outbound }),
    testSweeper: ({ core: { clock, log }, config, services }) =>
      createTestSweeper({
        workflows: services.workflows,
        interruptedAmong: (ids) => services.runs.interruptedAmong(ids),
        config,
        clock,
        log,
      }),
    workflows: ({ core: { store, bus, clock }, config, services }) =>
      createWorkflowService({
        store,
        bus,
        clock,
        audit: services.audit,
        counters: services.runCounters,
        config,
        ports: {
          invokers: services.invokerCatalog,
          connectors: services.connectorCatalog,
          secrets: services.secretNames,
          aggregators: services.aggregatorCatalog,
          categories: services.knownCategories,
          schedules: { removeOf: (...of) => services.schedules.removeOf(...of) },
        },
      }),
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
