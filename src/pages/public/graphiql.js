import { createFetcher } from './fetcher.js';
import { mountSignIn } from './sign-in.js';

const { React, ReactDOM, GraphiQL } = globalThis;

const WELCOME = `# Sign in above: every tab is then signed in.
# Ctrl-Enter runs the operation under the cursor.
# A subscription shows all its events, the newest first.

query Me {
  me {
    email
  }
}
`;

mountSignIn();
ReactDOM.createRoot(document.getElementById('graphiql')).render(React.createElement(GraphiQL, {
  fetcher: createFetcher(),
  defaultQuery: WELCOME,
  isHeadersEditorEnabled: true,
  shouldPersistHeaders: false,
}));
