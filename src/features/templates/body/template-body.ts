import { Findings } from '../../../platform/errors/findings';
import { reasonsOf } from '../../../platform/errors/errors';
import type { Problem } from '../../../platform/errors/errors';
import { isJsonObject, MOST_STEPS, readDocument } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';
import type { ConnectorFacts } from '../../workflows/references/referenced-records';
import { assumptionsOf, convertToLatest4 } from '../conversion/template-versions';
import { templateInvalid } from '../template.rules';
import { ConnectorNumbering, withoutNumbers } from './connector-slots';
import type { ConnectorSlot } from './connector-slots';
import { leaveOutSecrets } from './leave-out-secrets';
import type { Origin } from './leave-out-secrets';

/** The body of a template, ready to be stored. */
export interface TemplateBody {
  /** A workflow in the 5.0 shape, without connectors, secrets, ids and category. */
  readonly document: JsonObject;
  readonly connectors: readonly ConnectorSlot[];
  /** Paths of removed values. */
  readonly leftOut: readonly string[];
  /** Assumptions about a file of an older version, each with its path. */
  readonly warnings: readonly string[];
}

/**
 * Creates a template body from a workflow: converts older versions and the 4.x shape, opens
 * connector slots and removes secrets. The workflow may be unfinished.
 * @param connectors current titles and invokers, by connector id
 * @throws Refused TEMPLATE_INVALID the workflow cannot be read
 */
export function templateBody(
  connection: JsonObject,
  version: string | null,
  origin: Origin,
  connectors: ReadonlyMap<number, ConnectorFacts> = new Map(),
): TemplateBody {
  requireFewSteps(connection);
  const warnings = assumptionsOf(connection, version);
  const converted = convertToLatest4(connection, version);
  const numbering = new ConnectorNumbering(connectors);
  const {
    categoryId: _category,
    nodeId: _node,
    connectionId: _id,
    ...sent
  } = numbering.numbered(converted);
  const findings = new Findings();
  const document = readDocument(sent, findings);
  if (!document) throw unreadable(findings);
  // The title is not checked: an invalid one can be replaced when a workflow is created.
  const title = typeof connection.title === 'string' ? connection.title : '';
  const { document: clean, leftOut } = leaveOutSecrets(
    { ...withoutNumbers(document), title },
    origin,
    (text) => numbering.openCredentials(text),
  );
  return { document: clean, connectors: numbering.slots, leftOut, warnings };
}

/** Rejects lists that are longer than any workflow allows, before they are processed. */
function requireFewSteps(connection: JsonObject): void {
  const lists = [
    ['fromConnector', 'methods'],
    ['fromConnector', 'operators'],
    ['toConnector', 'methods'],
    ['toConnector', 'operators'],
    ['fieldBinding'],
  ] as const;
  const problems = lists.flatMap((path): Problem[] => {
    const list = path.reduce<unknown>(
      (value, name) => (isJsonObject(value) ? value[name] : undefined),
      connection,
    );
    if (!Array.isArray(list) || list.length <= MOST_STEPS) return [];
    const message = `Expected at most ${MOST_STEPS} entries.`;
    return [{ code: 'LIST_TOO_LONG', path: ['connection', ...path], message }];
  });
  if (problems.length > 0) throw templateInvalid(problems);
}

/** Problems of workflow rules are left out: they can be solved after the import. */
function unreadable(findings: Findings) {
  try {
    findings.refuse();
  } catch (error) {
    const problems = reasonsOf(error as Parameters<typeof reasonsOf>[0]).filter(
      ({ code }) => code === 'WORKFLOW_INVALID' || code === 'LIST_TOO_LONG',
    );
    return templateInvalid(
      problems.map((problem) => ({ ...problem, path: ['connection', ...problem.path] })),
    );
  }
  return templateInvalid([]);
}
