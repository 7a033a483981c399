import type { Feature } from '../../platform/feature';
import { JobResolver } from './job.graphql';
import { documentedJobs } from './job.presenter';
import { jobRoutes } from './job.rest';

export const jobsFeature: Feature = {
  tags: { Jobs: 'Long work in the background.' },
  resolvers: [JobResolver],
  presenters: { jobs: documentedJobs },
  routes: ({ services, presenters }) => jobRoutes(services, presenters),
};
