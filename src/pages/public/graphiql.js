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

const { fetcher, leave } = createFetcher();
let shown;

/** GraphiQL shows results in the open tab, so a subscription ends when its tab is left. */
function onTabChange({ tabs, activeTabIndex }) {
  const { id } = tabs[activeTabIndex];
  if (shown !== undefined && shown !== id) leave();
  shown = id;
}

mountSignIn();
ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, {
    fetcher,
    onTabChange,
    defaultQuery: WELCOME,
    isHeadersEditorEnabled: true,
    shouldPersistHeaders: false,
  }),
);
