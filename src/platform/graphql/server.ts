import type { ApolloServer } from '@apollo/server';
import type { Config } from '../../config/config';
import type { HttpHandler, HttpRequest } from '../http/http-handler';
import { createOriginReader } from '../http/origin';
import { requestUrl } from '../http/request-url';
import { LargeInputs } from '../large-inputs';
import type { Logger } from '../log/logger';
import { settledWithin } from '../queues';
import { createApolloServer, textOfAnswer } from './apollo/apollo-server';
import type { ApolloContext } from './apollo/exchange';
import { HttpTransport, METHODS } from './apollo/http-transport';
import { loadPlugins } from './apollo/plugins';
import type { GraphqlExecutor } from './operations/executor';

export const GRAPHQL_PATHS: ReadonlySet<string> = new Set(['/graphql', '/api/graphql']);

/** How long plugins may take to stop, ms. */
const STOP_TIMEOUT_MS = 5_000;

interface GraphqlServerParts {
  readonly executor: GraphqlExecutor;
  readonly config: Config;
  readonly log: Logger;
  readonly largeInputs?: LargeInputs;
}

/** GraphQL over HTTP, as https://graphql.github.io/graphql-over-http/draft/ describes it. */
export class GraphqlServer {
  private readonly apollo: ApolloServer<ApolloContext>;
  private readonly transport: HttpTransport<ApolloContext>;

  /** @throws Error a plugin cannot be loaded */
  constructor(private readonly parts: GraphqlServerParts) {
    const { executor, config, log, largeInputs = new LargeInputs() } = parts;
    const { limits, graphql } = config;
    const plugins = loadPlugins(graphql.plugins);
    this.apollo = createApolloServer({ executor, limits, log, plugins });
    this.transport = new HttpTransport({
      apollo: this.apollo,
      createContext: (exchange) => ({ requestId: exchange.caller.origin.requestId, exchange }),
      limits,
      largeInputs,
      originOf: createOriginReader(config),
      requireSession: (caller) => executor.requireSession(caller),
      excessOf: (text) => executor.documents.excessOf(text),
      formatErrors: (errors, requestId) => executor.formatErrors(errors, requestId),
      textOf: textOfAnswer,
    });
  }

  /** Starts the plugins. Rejects if one fails. */
  start(): Promise<void> {
    return this.apollo.start();
  }

  /** Stops the plugins. Never rejects, and waits a limited time: what else is open must be closed. */
  async stop(): Promise<void> {
    const stopped = this.apollo.stop().catch((err: unknown) => {
      this.parts.log.error({ err }, 'a plugin of the GraphQL server could not stop');
    });
    await settledWithin(stopped, STOP_TIMEOUT_MS);
  }

  /** Answers `/graphql` and `/api/graphql`; passes on all else, and browsers that want a page. */
  readonly handler: HttpHandler = (request, response, next) => {
    const { path } = requestUrl(request.originalUrl);
    if (
      !GRAPHQL_PATHS.has(path.length > 1 ? path.replace(/\/$/, '') : path) ||
      wantsPage(request)
    ) {
      next();
      return;
    }
    if (request.method === 'OPTIONS') {
      response.setHeader('Allow', METHODS.join(', '));
      response.writeHead(204).end();
      return;
    }
    this.transport.serve(request, response).catch(next);
  };
}

/** Returns whether a browser wants a page, which is so unless the URL contains an operation. */
const wantsPage = (request: HttpRequest): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  request.headers.accept?.includes('text/html') === true &&
  !/[?&](query|extensions)=/.test(requestUrl(request.originalUrl).search);
