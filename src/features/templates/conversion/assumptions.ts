import { wrapBareBody } from '../../../engine';
import type { Steps, Turn } from '../../../platform/event-loop';
import { isJsonObject, isLegacyDocument } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';
import { isOldestForm, isVersion12 } from './template-versions';

const MAX_WARNINGS = 100;

/** Assumptions about incomplete template files; each text starts with its path. */
export function* assumedOf(
  connection: JsonObject,
  version: string | null,
  turn: Turn,
): Steps<string[]> {
  const warnings: string[] = [];
  const add = (warning: string): void =>
    void (warnings.length < MAX_WARNINGS && warnings.push(warning));
  if (isOldestForm(version) && isLegacyDocument(connection)) {
    add(
      version === null
        ? 'version: There is none; the template was read as one of the oldest form, before 1.2.'
        : `version: ${version} is older than 1.2; the template was read as one of the oldest form.`,
    );
  }
  // Bodies of version 1.2 are always bare, so nothing is assumed.
  if (isVersion12(version)) return warnings;
  for (const container of ['fromConnector', 'toConnector']) {
    const holder = connection[container];
    for (const [at, method] of (isJsonObject(holder) && Array.isArray(holder.methods)
      ? (holder.methods as unknown[])
      : []
    ).entries()) {
      if (turn.over) yield;
      const body =
        isJsonObject(method) && isJsonObject(method.request) ? method.request.body : null;
      if (wrapBareBody(body) !== body)
        add(
          `connection.${container}.methods.${at}.request.body: Bare JSON was read as the fields of a JSON body.`,
        );
    }
  }
  return warnings;
}
