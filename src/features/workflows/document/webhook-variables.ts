import { everyText } from './json';
import type { JsonObject } from './json';

/** A parameter of the webhook that starts a workflow. */
export interface WebhookVariable {
  readonly name: string;
  readonly type: string;
}

/** `${name}`, `${name:type}`. Length-limited, so that hostile texts are matched in linear time. */
const VARIABLE = /\$\{([^{}:]{1,200})(?::([^{}]{0,40}))?\}/g;
const MAX_VARIABLES = 10_000;

/** Finds the webhook parameters in a document, unique, in document order. Default type: `string`. */
export function webhookVariables(document: JsonObject): WebhookVariable[] {
  const byName = new Map<string, WebhookVariable>();
  everyText(document, (text) => {
    if (!text.includes('${') || byName.size >= MAX_VARIABLES) return;
    for (const [, name = '', type = ''] of text.matchAll(VARIABLE)) {
      const variable = { name: name.trim(), type: type.trim() === '' ? 'string' : type.trim() };
      if (variable.name !== '') byName.set(JSON.stringify(variable), variable);
    }
  });
  return [...byName.values()];
}
