/** The agent alone: the front door of the package loads caches, fetch and sockets of its own beside it, which costs every start a tenth of a second. */
declare module 'undici/lib/dispatcher/agent' {
  import { Agent } from 'undici';

  export = Agent;
}
