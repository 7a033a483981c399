import { executeCall } from './connector-step';
import { executeHttpRequest } from './http-step';
import type { StepExecutor } from './step-executor';
import { executeWebhook } from './webhook-step';

/** One executor per method type; a type that is missing here ends the run with METHOD_TYPE_UNKNOWN. */
export const executors: ReadonlyMap<string, StepExecutor> = new Map([
  ['CONNECTOR', executeCall],
  ['HTTP_REQUEST', executeHttpRequest],
  ['WEBHOOK', executeWebhook],
]);
