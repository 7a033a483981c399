/** The operations of user interface screens. */
export const SCREENS = {
  Editor: `query EditorQuery($id: ID!) {
    workflow(id: $id) {
      id title description version ui viewerCan { update delete }
      steps {
        __typename
        ... on MethodStep { stepId index name color methodType request { method endpoint header body { type data fields } } }
        ... on OperatorStep { stepId index type iterator expression }
      }
      fieldBindings { bindingId from { color field } to { color field } }
      versions(first: 10) { totalCount nodes { number comment createdAt author { email } } }
      lastRun { id state durationMs }
    }
    me { id email can { component action } }
  }`,
  Users: `query UsersQuery($first: Int!) {
    users(first: $first, orderBy: { field: EMAIL }) {
      totalCount
      edges { cursor node { id email version detail { name surname department } group { id name } viewerCan { update delete } } }
      pageInfo { hasNextPage endCursor }
    }
    userGroups(first: 100) { nodes { id name } }
    me { id email }
  }`,
  Dashboard: `query DashboardQuery {
    executionsTimeline(days: 7) { date dayOfWeek executions failures }
    topWorkflows(limit: 5) { title executions failureRate workflow { id title } }
    runs(first: 5) { nodes { id state queuedAt durationMs workflow { id title } } }
  }`,
  RunPage: `query RunPageQuery($id: ID!) {
    run(id: $id) {
      id state queuedAt startedAt finishedAt durationMs stepCount error { code message } startedBy { email }
      workflow { id title }
      workflowVersion { number steps { __typename ... on MethodStep { stepId name } ... on OperatorStep { stepId expression } } }
      events(first: 100) { nodes { __typename sequence at ... on StepFinished { index name state statusCode durationMs } ... on RunFinished { state durationMs } } }
      viewerCan { cancel }
    }
  }`,
} as const;

export const USER_UPDATE = `mutation ScreensUserUpdateMutation($input: UserUpdateInput!) {
  userUpdate(input: $input) { user { id version detail { surname } } userErrors { code path message } }
}`;

export const RUN_EVENTS = `subscription ScreensRunEventsSubscription($runId: ID!) {
  runEvents(runId: $runId) { __typename sequence ... on RunFinished { state } }
}`;
