/** The tabs of a browser that has none yet: an operation of each kind, to run and to change. */
export const WELCOME = `# Sign in above: every tab is then signed in.
# Ctrl-Enter runs the operation under the cursor.
# A subscription shows all its events, the newest first.

query Me {
  me {
    email
    group {
      name
    }
  }
}
`;

const WORKFLOWS = `query Workflows {
  workflows(first: 10) {
    nodes {
      databaseId
      title
      steps {
        __typename
        index
        ... on MethodStep {
          name
        }
      }
    }
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`;

const RUN_WORKFLOW = `# The variables below name the workflow.
mutation RunWorkflow($input: WorkflowRunInput!) {
  workflowRun(input: $input) {
    run {
      databaseId
      state
    }
    userErrors {
      code
      message
      path
    }
  }
}
`;

const WATCH_RUN = `# The variables below name the run.
subscription WatchRun($runId: ID!) {
  runEvents(runId: $runId) {
    sequence
    __typename
    ... on StepStarted {
      index
      name
    }
    ... on StepFinished {
      index
      state
      statusCode
      durationMs
    }
    ... on RunFinished {
      state
      stepCount
    }
  }
}
`;

const USERS = `query UsersWithGroups {
  users(first: 20) {
    nodes {
      email
      lastLogin
      group {
        name
      }
    }
    totalCount
  }
}
`;

const variables = (value) => JSON.stringify(value, null, 2);

export const TABS = [
  { query: WELCOME },
  { query: WORKFLOWS },
  { query: RUN_WORKFLOW, variables: variables({ input: { workflowId: '1' } }) },
  { query: WATCH_RUN, variables: variables({ runId: '1' }) },
  { query: USERS },
];
