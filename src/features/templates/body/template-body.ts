import { Findings } from '../../../platform/errors/findings';
import { reasonsOf } from '../../../platform/errors/errors';
import type { Problem } from '../../../platform/errors/errors';
import { inTurns } from '../../../platform/event-loop';
import { isJsonObject, MOST_STEPS, readDocument } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';
import type { ConnectorFacts } from '../../workflows/workflow.ports';
import { assumedOf } from '../conversion/assumptions';
import { brought } from '../conversion/template-versions';
import { templateInvalid } from '../template.rules';
import { numberConnectors, withoutNumbers } from './connector-slots';
import type { ConnectorSlot } from './connector-slots';
import { leaveOutSecrets } from './leave-out-secrets';
import type { Origin } from './leave-out-secrets';

/** The body of a template, ready to be stored. */
export interface TemplateBody {
  /** A workflow in the 5.0 shape, without connectors, secrets, ids and category. */
  readonly document: JsonObject;
  readonly connectors: readonly ConnectorSlot[];
  readonly leftOut: readonly string[];
  /** Assumptions about a file of an older version, each with its path. */
  readonly warnings: readonly string[];
}

const NOTHING: ReadonlyMap<number, ConnectorFacts> = new Map();

/** `{#12.url}`: a credential of the connector with this id. */
const CREDENTIAL = /\{#(\d{1,10})(?=\.)/g;
/** `{#slot-1.url}`: a credential of a connector that is not chosen yet. */
const OPEN_CREDENTIAL = /\{#slot-(\d{1,6})(?=\.)/g;

/**
 * Creates a template body from a workflow: converts older versions and the 4.x shape, opens
 * connector slots and removes secrets. The workflow may be unfinished.
 * @throws Refused TEMPLATE_INVALID the workflow cannot be read
 */
export async function templateBody(
  connection: JsonObject,
  version: string | null,
  origin: Origin,
  known = NOTHING,
): Promise<TemplateBody> {
  requireFewSteps(connection);
  const warnings = await inTurns((turn) => assumedOf(connection, version, turn));
  const {
    document: numbered,
    slots,
    numberOf,
  } = numberConnectors(await inTurns((turn) => brought(connection, version, turn)), known);
  const { categoryId: _category, nodeId: _node, connectionId: _id, ...sent } = numbered;
  const found = new Findings();
  const document = await inTurns((turn) => readDocument(sent, found, turn));
  if (!document) throw unreadable(found);
  const open = (text: string): string =>
    text.includes('{#')
      ? text.replace(CREDENTIAL, (_match, id: string) => `{#slot-${numberOf.get(Number(id)) ?? 0}`)
      : text;
  const { document: clean, leftOut } = await inTurns((turn) =>
    leaveOutSecrets(
      { ...withoutNumbers(document), title: titleOf(connection) },
      origin,
      open,
      turn,
    ),
  );
  return { document: clean, connectors: slots, leftOut, warnings };
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
    return Array.isArray(list) && list.length > MOST_STEPS
      ? [
          {
            code: 'LIST_TOO_LONG',
            path: ['connection', ...path],
            message: `Expected at most ${MOST_STEPS} entries.`,
          },
        ]
      : [];
  });
  if (problems.length > 0) throw templateInvalid(problems);
}

/**
 * The text of the title is not checked here: an invalid one can be replaced when a workflow is
 * created.
 */
const titleOf = ({ title }: JsonObject): string => (typeof title === 'string' ? title : '');

function unreadable(found: Findings) {
  try {
    found.refuse();
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

/** Replaces the slots in credential references by the ids of the chosen connectors. */
export const closeCredentials = (text: string, chosen: readonly (number | undefined)[]): string =>
  text.includes('{#slot-')
    ? text.replace(OPEN_CREDENTIAL, (match, number: string) =>
        chosen[Number(number) - 1] === undefined ? match : `{#${chosen[Number(number) - 1]}`,
      )
    : text;
