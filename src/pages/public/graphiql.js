import { createClient } from '/vendor/graphql-ws/client.js';
import { mountSignIn } from './sign-in.js';

const { React, ReactDOM, GraphiQL } = globalThis;
const socketUrl = `${location.origin.replace(/^http/, 'ws')}/graphql`;

const WELCOME = `# Sign in above, or paste a token into "Headers" below:
#   { "Authorization": "Bearer ..." }
# Ctrl-Enter runs the operation under the cursor.
# Subscriptions work too.

query Me {
  me {
    email
  }
}
`;

/** The value of the Authorization header as it stands in the editor, or undefined. */
function authorizationOf(headers = {}) {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
}

/** A fetcher whose socket says in connection_init what the header editor says; a changed token gets a new socket. */
function createFetcher() {
  let authorization;
  let client;
  let fetcher;
  const connect = () => {
    client?.dispose();
    client = createClient({
      url: socketUrl,
      retryAttempts: 0,
      connectionParams: () => (authorization ? { Authorization: authorization } : {}),
    });
    fetcher = GraphiQL.createFetcher({ url: '/graphql', wsClient: client });
  };
  connect();
  return (params, options) => {
    const wanted = authorizationOf(options?.headers);
    if (wanted !== authorization) {
      authorization = wanted;
      connect();
    }
    return fetcher(params, options);
  };
}

const fetcher = createFetcher();

function App() {
  const [headers, setHeaders] = React.useState('');
  React.useEffect(() => {
    mountSignIn((authorization) => setHeaders(authorization ? JSON.stringify({ Authorization: authorization }, null, 2) : '{}'));
  }, []);
  return React.createElement(GraphiQL, {
    fetcher,
    headers,
    defaultQuery: WELCOME,
    defaultEditorToolsVisibility: 'headers',
    isHeadersEditorEnabled: true,
    shouldPersistHeaders: false,
  });
}

ReactDOM.createRoot(document.getElementById('graphiql')).render(React.createElement(App));
