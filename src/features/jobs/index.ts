import { Jobs } from '../../platform/jobs/jobs';
import { JobService } from './job.service';
import type { Feature } from '../../feature';
import { JobResolver } from './job.graphql';
import { documentedJobs, jobRoutes } from './job.rest';

declare module '../../platform/context' {
  interface Services {
    /** Runs the jobs of all features. */
    backgroundJobs: Jobs;
  }
}

export const jobsFeature: Feature = {
  services: {
    backgroundJobs: ({ core, config, services: { authenticator } }) =>
      new Jobs({
        core,
        config,
        isStillAllowed: (actor, need) => authenticator.recheckPermission(actor, need),
      }),
    jobs: ({ services: { backgroundJobs, audit } }) => new JobService(backgroundJobs, audit),
  },
  async prepare({ core: { log }, services: { backgroundJobs } }) {
    const lost = await backgroundJobs.recover();
    if (lost > 0)
      log.warn({ jobs: lost }, 'Jobs of a process that died were marked as interrupted.');
  },
  stop: ({ services }) => services.backgroundJobs.stop(),
  tags: { Jobs: 'Long work in the background.' },
  resolvers: [JobResolver],
  presenters: { jobs: documentedJobs },
  routes: ({ services, presenters }) => jobRoutes(services, presenters),
};
