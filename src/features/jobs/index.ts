import { createJobs } from '../../platform/jobs/jobs';
import type { Jobs } from '../../platform/jobs/jobs';
import { createJobService } from './job.service';
import type { Feature } from '../../feature';
import { JobResolver } from './job.graphql';
import { documentedJobs } from './job.presenter';
import { jobRoutes } from './job.rest';

declare module '../../platform/context' {
  interface Services {
    /** Runs the jobs of all features. */
    backgroundJobs: Jobs;
  }
}

export const jobsFeature: Feature = {
  services: {
    backgroundJobs: ({ core: { store, bus, clock, log }, config, services: { mayStill } }) =>
      createJobs({
        store,
        bus,
        clock,
        config,
        mayStill,
        onFault: (error, jobId) =>
          log.error({ err: error, jobId }, 'A job failed because of an internal error.'),
      }),
    jobs: ({ core: { bus }, services: { backgroundJobs, audit } }) =>
      createJobService({ jobs: backgroundJobs, audit, bus }),
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
