/** Only the agent: the main module also loads caches, fetch and WebSocket (0.1 s at start). */
declare module 'undici/lib/dispatcher/agent' {
  import { Agent } from 'undici';

  export = Agent;
}

declare module 'undici/lib/core/connect' {
  import { buildConnector } from 'undici';

  export = buildConnector;
}
