// Watches a run over a socket, one event a line with the name of its step, and ends with the run.
// `TOKEN="Bearer …" node examples/watch.mjs <runId> [address of the service]`
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { followRun } from './clients/follow-run.mjs';

const [runId, url = 'http://127.0.0.1:8080'] = process.argv.slice(2);
if (!runId || !process.env.TOKEN) {
  console.error('Usage: TOKEN="Bearer …" node examples/watch.mjs <runId> [http://host:port]');
  process.exit(2);
}

const client = createClient({
  url: `${url.replace(/^http/, 'ws')}/graphql`,
  webSocketImpl: WebSocket,
  connectionParams: { Authorization: process.env.TOKEN },
});
const query = `subscription Watch($runId: ID!, $afterSequence: Int!) {
  runEvents(runId: $runId, afterSequence: $afterSequence) {
    sequence
    __typename
    ... on StepStarted { index name label }
    ... on StepFinished { index state statusCode durationMs }
    ... on ConditionEvaluated { index result }
    ... on OperatorFailed { index error { code message } }
    ... on LoopStarted { index iterator size }
    ... on LoopIteration { index iterator turn size }
    ... on LoopFinished { index turns }
    ... on RunFinished { state error { code message } }
  }
}`;

/** Names of steps, by index. */
const names = new Map();
await followRun(client, { query, runId }, (event) => {
  const { sequence, __typename: kind, name, label, ...facts } = event;
  if (kind === 'StepStarted') names.set(facts.index, label ?? name);
  const step = names.get(facts.index) ?? '';
  console.log(
    `${String(sequence).padStart(3)}  ${kind.padEnd(18)} ${step}${step && ' '}${JSON.stringify(facts)}`,
  );
});
await client.dispose();
