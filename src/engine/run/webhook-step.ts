import { webhookTokenIn } from '../../platform/secrets';
import { EngineError } from '../errors';
import { exchangeWith } from './http-step';
import type { StepExecutor } from './step-executor';

/**
 * Starts a workflow by its webhook without waiting for the run. The token in the URL is treated as
 * a secret, since it suffices to start the workflow.
 */
export const executeWebhook: StepExecutor = (node, context, trace, deadline) => {
  if (node.request === null)
    return Promise.reject(new EngineError('REQUEST_URL_IS_EMPTY', 'The request has no URL.'));
  const { http, webhooks = http } = context.ports;
  const urlOf = (url: string): string => {
    const token = webhookTokenIn(url);
    if (token !== null) context.secrets.learn.named(token);
    return url;
  };
  return exchangeWith(node.request, context, trace, {
    http: webhooks,
    deadline,
    credentials: null,
    verifyTls: true,
    readsFields: node.readsFields,
    urlOf,
  });
};
