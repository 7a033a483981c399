import { createFetcher } from './fetcher.js';
import { TABS, WELCOME } from './graphiql-tabs.js';
import { mountSignIn } from './sign-in.js';

const { React, ReactDOM, GraphiQL } = globalThis;

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
    defaultTabs: TABS,
    isHeadersEditorEnabled: true,
    shouldPersistHeaders: false,
  }),
);
