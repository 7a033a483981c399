/** @jest-environment ./test/support/apollo-environment.cjs */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ApolloServer } from '@apollo/server';
import { defineIntegrationTestSuite } from '@apollo/server-integration-testsuite';
import { HttpTransport } from '../../../src/platform/graphql/apollo/http-transport';
import { createErrorFormat } from '../../../src/platform/graphql/operations/error-format';
import { createOriginReader } from '../../../src/platform/http/origin';
import { LargeInputs } from '../../../src/platform/large-inputs';
import { createLogger } from '../../../src/platform/log/logger';
import { configOf } from '../../support/calls/rest-transport';

const config = configOf();
const log = createLogger(config, { write: () => undefined });

// The tests of Apollo for integrations, which use Apollo Server as it is: without the executor and the plugins of the service.
defineIntegrationTestSuite(
  async (options, { context } = {}) => {
    const apollo = new ApolloServer(options);
    await apollo.start();
    const transport = new HttpTransport({
      apollo,
      createContext: async () => (context ? context() : {}),
      limits: config.limits,
      largeInputs: new LargeInputs(),
      originOf: createOriginReader(config),
      requireSession: () => Promise.resolve(),
      excessOf: () => null,
      formatErrors: createErrorFormat(log),
      // Nothing is added to the answer.
      textOf: ({ body }) => (body.kind === 'complete' ? body.string : ''),
    });
    const http = createServer((request, response) => {
      void transport.serve(
        Object.assign(request, { originalUrl: request.url ?? '' }),
        Object.assign(response, { locals: {} }),
      );
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return {
      server: apollo,
      url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
      extraCleanup: async () => {
        http.closeAllConnections();
        await new Promise((resolve) => http.close(resolve));
      },
    };
  },
  { noIncrementalDelivery: true },
);
