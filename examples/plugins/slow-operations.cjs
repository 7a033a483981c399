// Logs GraphQL operations over HTTP that take long, with their request id:
//   HYPHA_GRAPHQL_PLUGINS=./examples/plugins/slow-operations.cjs npm start
// SLOW_OPERATION_MS sets from how many milliseconds on; default 500.
const slowMs = Number(process.env.SLOW_OPERATION_MS ?? 500);

module.exports = ({ Kind }) => {
  /** Returns `query workflows`: names only, since arguments may contain personal data. */
  const nameOf = ({ operation, selectionSet }) =>
    [
      operation,
      ...selectionSet.selections.map((node) => (node.kind === Kind.FIELD ? node.name.value : '…')),
    ].join(' ');

  return {
    async requestDidStart({ logger, contextValue: { requestId } }) {
      const startedAt = performance.now();
      return {
        async willSendResponse({ operation }) {
          const ms = Math.round(performance.now() - startedAt);
          if (operation && ms >= slowMs)
            logger.warn({ requestId, operation: nameOf(operation), ms }, 'slow GraphQL operation');
        },
      };
    },
  };
};
