import type { Steps, Turn } from '../../../platform/json/turns';
import { everyText } from '../json';
import type { JsonObject } from '../json';

/** A parameter of the webhook that starts a workflow. */
export interface WebhookVariable {
  readonly name: string;
  readonly type: string;
}

/** `${name}`, `${name:type}`. Of bounded length, so that a text full of marks is read in linear time. */
const VARIABLE = /\$\{([^{}:]{1,200})(?::([^{}]{0,40}))?\}/g;
const MOST = 10_000;

/** Every parameter that a document refers to, in the order of the document, each once; one that names no type is a text. */
export function* webhookVariables(document: JsonObject, turn: Turn): Steps<WebhookVariable[]> {
  const found = new Map<string, WebhookVariable>();
  yield* everyText(document, (text) => {
    if (!text.includes('${') || found.size >= MOST) return;
    for (const [, name = '', type = ''] of text.matchAll(VARIABLE)) {
      const variable = { name: name.trim(), type: type.trim() === '' ? 'string' : type.trim() };
      if (variable.name !== '') found.set(JSON.stringify(variable), variable);
    }
  }, turn);
  return [...found.values()];
}
