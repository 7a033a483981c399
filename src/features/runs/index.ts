import type { Feature } from '../../platform/feature';
import { LogResolver } from './logs/log.graphql';
import { documentedLogs } from './logs/log.presenter';
import { logRoutes } from './logs/log.rest';
import { logDestinations } from './logs/log.stomp';
import { RetriesOfRunResolver, RunRepairResolver } from './run-repair.graphql';
import { RunEventResolver, RunLogResolver, RunResolver, RunValueResolver } from './run.graphql';
import { documentedRuns } from './run.presenter';
import { runRoutes } from './run.rest';
import { RunsChangedResolver } from './runs-changed.graphql';
import { RunsOfWorkflowResolver, WorkflowOfRunResolver } from './workflow-runs.graphql';

export const runsFeature: Feature = {
  tags: {
    Logs: 'What executions sent and what came back, step by step.',
    Runs: 'Executions of workflows.',
  },
  resolvers: [
    LogResolver,
    RetriesOfRunResolver,
    RunEventResolver,
    RunLogResolver,
    RunRepairResolver,
    RunResolver,
    RunValueResolver,
    RunsChangedResolver,
    RunsOfWorkflowResolver,
    WorkflowOfRunResolver,
  ],
  presenters: { logs: documentedLogs, runs: documentedRuns },
  routes: ({ services, presenters }) => [
    ...logRoutes(services, presenters),
    ...runRoutes(services, presenters),
  ],
  destinations: ({ services, presenters }) => logDestinations(services, presenters),
};
