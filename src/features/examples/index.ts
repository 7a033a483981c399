import type { Feature } from '../../feature';
import { ExampleEcho } from './example-echo';
import { ExampleResolver } from './example.graphql';
import { ExampleWorkflows } from './example.service';

/** A workflow to try, and the systems that it calls. */
export const examplesFeature: Feature = {
  services: {
    exampleEcho: ({ runMarks }) => new ExampleEcho(runMarks),
    exampleWorkflows: ({ config, port, services }) =>
      new ExampleWorkflows(config.server, port, services.workflows),
  },
  resolvers: [ExampleResolver],
};
