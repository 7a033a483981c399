import { LoggedRun } from './logged-run';
import { SupportLogPacker } from './support-log-packer';
import { SupportLogService } from './support-log.service';
import type { Feature } from '../../feature';
import { SupportLogResolver } from './support-log.graphql';
import { supportLogPolicy } from './support-log.policy';
import { documentedSupportLogs, releasedSupportLogs } from './support-log.presenter';
import { supportLogRoutes } from './support-log.rest';

/** Changes combined in one STOMP message, which does not list them. */
const MAX_CHANGES = 100;

declare module '../../platform/context' {
  interface Services {
    supportLogPacker: SupportLogPacker;
  }
}

export const supportLogsFeature: Feature = {
  services: {
    supportLogPacker: ({ core, config, services }) =>
      new SupportLogPacker({
        clock: core.clock,
        maskingRules: services.maskingRules,
        exchange: services.workflowExchange,
        runs: services.runLogFiles,
        systemCheck: services.systemCheck,
        keepDays: config.supportLogs.keepDays,
      }),
    supportLogs: ({ core, services }) =>
      new SupportLogService({
        core,
        audit: services.audit,
        jobs: services.jobs,
        maskingRules: services.maskingRules,
        loggedRun: new LoggedRun(services.runs, services.runEvents),
        packer: services.supportLogPacker,
      }),
  },
  tags: { 'Support files': 'Logs of workflows, packed for support.' },
  resolvers: [SupportLogResolver],
  presenters: { supportLogs: documentedSupportLogs },
  releasedPresenters: { supportLogs: releasedSupportLogs },
  routes: ({ services, presenters }) => supportLogRoutes(services, presenters),
  destinations: ({ services: { supportLogs } }) => [
    {
      path: '/execution/support-file',
      needs: supportLogPolicy.read,
      async *messages({ signal }) {
        for await (const { changed, removedIds } of supportLogs.changes({}, MAX_CHANGES, signal)) {
          if (changed.length + removedIds.length > 0) yield { event: 'LIST_CHANGED' };
        }
      },
    },
  ],
};
