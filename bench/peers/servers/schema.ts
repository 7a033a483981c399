import type { IncomingHttpHeaders } from 'node:http';
import { globalId } from '../../../src/platform/graphql/schema/ids';
import type { PeerWorkflow } from '../data';
import { requirePeer } from '../installed';
import type { Backend, Session, ShownUser } from './backend';

/** What the measured documents use of Hypha's schema. */
const TYPES = `
  scalar DateTime
  type Query {
    me: User!
    users(first: Int, last: Int): UserConnection!
    workflows(first: Int!): WorkflowConnection!
  }
  type Mutation { userDetailChange(input: UserDetailChangeInput!): UserPayload! }
  type UserConnection { nodes: [User!]! }
  type User {
    id: ID! databaseId: Int! email: String! detail: UserDetail! group: UserGroup! createdAt: DateTime! version: Int!
  }
  type UserDetail {
    name: String surname: String salutation: String phoneNumber: String department: String organisation: String
    appTour: Boolean! theme: String themeSync: Boolean! bitbucketUser: String
  }
  type UserGroup { id: ID! name: String! description: String version: Int! components: [GroupComponent!]! }
  type GroupComponent { component: Component! permissions: [Permission!]! }
  type Component { id: ID! name: String! description: String! }
  type Permission { id: ID! name: String! description: String version: Int! }
  type WorkflowConnection { nodes: [Workflow!]! }
  type Workflow { id: ID! title: String! description: String version: Int! steps: [Step!]! }
  interface Step { stepId: ID! index: String }
  type MethodStep implements Step {
    stepId: ID! index: String name: String methodType: String request: StepRequest
  }
  type StepRequest { endpoint: String method: String }
  input UserDetailChangeInput { id: ID! detail: UserDetailInput! }
  input UserDetailInput { phoneNumber: String }
  type UserPayload { user: User userErrors: [UserError!]! }
  type UserError { code: String! message: String! }
`;

interface Context {
  readonly session: Session;
}

/** Returns the schema of the GraphQL peers. */
export function peerSchema(backend: Backend): unknown {
  const { makeExecutableSchema } = requirePeer('@graphql-tools/schema');
  const { GraphQLScalarType } = requirePeer('graphql');
  const idOf = (type: string) => ({
    id: ({ id }: { id: number }) => globalId(type, id),
  });
  return makeExecutableSchema({
    typeDefs: TYPES,
    resolvers: {
      DateTime: new GraphQLScalarType({
        name: 'DateTime',
        serialize: (value: Date) => value.toISOString(),
      }),
      Query: {
        me: (_root: unknown, _args: unknown, { session }: Context) => session.user,
        async users(_root: unknown, args: { first?: number; last?: number }, { session }: Context) {
          backend.require(session, 'USER:READ');
          return { nodes: await backend.users(args) };
        },
        async workflows(_root: unknown, { first }: { first: number }, { session }: Context) {
          backend.require(session, 'CONNECTION:READ');
          return { nodes: await backend.workflows(first) };
        },
      },
      Mutation: {
        async userDetailChange(
          _root: unknown,
          { input }: { input: { id: string; detail: object } },
          { session }: Context,
        ) {
          if (input.id !== globalId('User', session.user._id))
            backend.require(session, 'USER:UPDATE');
          return { user: await backend.changeDetail(session, input.detail), userErrors: [] };
        },
      },
      User: {
        id: ({ _id }: ShownUser) => globalId('User', _id),
        databaseId: ({ _id }: ShownUser) => _id,
        group: (user: ShownUser) => backend.groupOf(user),
      },
      UserGroup: idOf('UserGroup'),
      Component: idOf('Component'),
      Permission: idOf('Permission'),
      Workflow: { id: ({ _id }: PeerWorkflow) => globalId('Workflow', _id) },
      Step: { __resolveType: () => 'MethodStep' },
    },
  });
}

/** Authenticates a request, before anything is executed. */
export const contextOf = async (
  backend: Backend,
  headers: IncomingHttpHeaders,
): Promise<Context> => ({ session: await backend.authenticate(headers.authorization) });
