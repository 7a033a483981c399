/**
 * Calls `onEvent` for each event of a run, each once, also when sockets are lost in between.
 * Resolves when the run has ended. `client` is one of graphql-ws; `query` has the variables
 * `$runId: ID!` and `$afterSequence: Int!` and selects `sequence`.
 */
export function followRun(client, { query, runId, afterSequence = 0 }, onEvent) {
  let last = afterSequence;
  const variables = {
    runId,
    // Read again for each subscription: graphql-ws repeats a subscription after a lost socket.
    get afterSequence() {
      return last;
    },
  };
  return new Promise((resolve, reject) => {
    client.subscribe(
      { query, variables },
      {
        next({ data, errors }) {
          if (errors) return reject(new Error(errors[0].message));
          last = data.runEvents.sequence;
          onEvent(data.runEvents);
        },
        error: reject,
        complete: resolve,
      },
    );
  });
}
