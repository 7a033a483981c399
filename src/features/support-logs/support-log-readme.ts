/** What somebody reads first who is sent a support file. */
export const aboutTheFiles = (workflowId: number, at: Date): string => `Logs of the workflow ${workflowId}, packed at ${at.toISOString()}.

bundle.json          what this is, and of which runs logs are in it, the newest first
system.json          the service and what it runs on
workflow.json        the workflow as it is now, as an export: names of connectors, invokers and secrets, no credentials and no values
runs/<id>/run.json   when a run began and ended, and how
runs/<id>/events.jsonl
                     its log, an event in JSON on each line, in order: what was sent, what came back, how each step ended

Values of secrets and credentials are hidden in all of it, and what the masking rules select. Long bodies are cut, which is said where it was done.
`;
