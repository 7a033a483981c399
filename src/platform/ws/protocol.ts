import { randomUUID } from 'node:crypto';
import type { ExecutionArgs, ExecutionResult, GraphQLSchema } from 'graphql';
import { makeServer } from 'graphql-ws';
import type { Context, Server } from 'graphql-ws';
import type { Config } from '../../config/config';
import type { Authenticate } from '../context';
import { doorError } from '../graphql/error-format';
import type { Caller, FitOperation, FrontDoor } from '../graphql/front-door';
import type { Outcome } from '../graphql/outcome';
import type { OperationRequest } from '../graphql/validate-operation';
import { CLOSE } from './socket';
import type { Socket } from './socket';

/** Carried through graphql-ws in the place of a context; the front door makes the real one, afresh for each event. */
interface Running {
  readonly checked: FitOperation;
  readonly request: OperationRequest;
  readonly caller: Caller;
}

export interface SocketExtra {
  readonly socket: Socket;
}

export interface ProtocolParts {
  readonly schema: GraphQLSchema;
  readonly config: Pick<Config, 'limits'>;
  readonly authenticate: Authenticate;
  readonly front: FrontDoor;
}

type Init = Record<string, unknown>;

/** `graphql-transport-ws`, with every operation going through the front door. */
export function createProtocol({ schema, config, authenticate, front }: ProtocolParts): Server<SocketExtra> {
  const runningOf = (args: ExecutionArgs): Running => args.contextValue as Running;
  return makeServer<Init, SocketExtra>({
    connectionInitWaitTimeout: INIT_MS,

    async onConnect({ connectionParams, extra: { socket } }) {
      const token = tokenIn(connectionParams) ?? socket.token;
      if (token === undefined) return true;
      const authentication = await authenticate(token, socket.origin);
      if (authentication.state === 'signed-in') {
        socket.signIn(token, authentication.actor);
        return true;
      }
      socket.close(CLOSE.forbidden, authentication.state === 'expired' ? 'The token has expired.' : 'The token is not valid.');
      return false;
    },

    onSubscribe(context, _id, { query, variables, operationName }) {
      if (Object.keys(context.subscriptions).length > config.limits.socketOperations) {
        return [doorError('RATE_LIMITED', `A socket may have ${config.limits.socketOperations} operations at once.`)];
      }
      const request = { query, variables, operationName };
      const checked = front.check(request);
      if (checked.verdict !== 'fit') return checked.errors;
      const running: Running = { checked, request, caller: callerOf(context) };
      return { schema, document: checked.document, operationName, variableValues: variables, contextValue: running };
    },

    async execute(args) {
      const { checked, request, caller } = runningOf(args);
      return asResult(await front.run(checked, request, caller));
    },

    async subscribe(args) {
      const { checked, request, caller } = runningOf(args);
      return asResult(await front.subscribe(checked, request, caller));
    },

    onNext: (_context, _id, _payload, _args, result) => result,
    onError: (_context, _id, _payload, errors) => front.refuse(errors, randomUUID()),
  });
}

/** A client that connects has this long to say who it is, ms. */
const INIT_MS = 3_000;

/** Results come worded from the front door and are sent by `onNext` as they are; graphql-ws, which types them unworded, never reads them. */
const asResult = <T>(worded: Outcome | T): ExecutionResult & AsyncGenerator<ExecutionResult> => worded as unknown as ExecutionResult & AsyncGenerator<ExecutionResult>;

const callerOf = ({ extra: { socket } }: Context<Init, SocketExtra>): Caller => ({
  origin: { ...socket.origin, requestId: randomUUID() },
  token: socket.token,
  gone: socket.gone,
  watchIdentity: (listener) => socket.watchIdentity(listener),
});

/** `{ Authorization: 'Bearer …' }` in any case, or `{ token: '…' }`. */
function tokenIn(parameters: Init | undefined): string | undefined {
  for (const [name, value] of Object.entries(parameters ?? {})) {
    if (typeof value !== 'string' || value === '') continue;
    if (name.toLowerCase() === 'authorization') return value.replace(/^Bearer +/i, '');
    if (name === 'token') return value;
  }
  return undefined;
}
