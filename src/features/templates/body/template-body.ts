import { Findings } from '../../../platform/errors/findings';
import { reasonsOf } from '../../../platform/errors/errors';
import type { Problem } from '../../../platform/errors/errors';
import { inTurns } from '../../../platform/json/turns';
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
  /** What was assumed of a file of an older version, each with its place. */
  readonly warnings: readonly string[];
}

const NOTHING: ReadonlyMap<number, ConnectorFacts> = new Map();

/** `{#12.url}`, a credential of the connector with this id. */
const CREDENTIAL = /\{#(\d{1,10})(?=\.)/g;
/** The same of a connector that is still to be chosen. */
const OPEN_CREDENTIAL = /\{#slot-(\d{1,6})(?=\.)/g;

/**
 * Makes the body of a template of a workflow as it is written: brought from the form of older versions, converted from the shape of the 4.x
 * line, connectors left open, secrets left out. An unfinished workflow is an unfinished template.
 * @throws Refused TEMPLATE_INVALID it cannot be read as a workflow
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

/** More than any workflow may have are not looked at. */
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

/** The text of a title that cannot be one is told when a workflow is made of the template, where another can be given. */
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

/** The texts of a body with the ids of the chosen connectors in their places. */
export const closeCredentials = (text: string, chosen: readonly (number | undefined)[]): string =>
  text.includes('{#slot-')
    ? text.replace(OPEN_CREDENTIAL, (match, number: string) =>
        chosen[Number(number) - 1] === undefined ? match : `{#${chosen[Number(number) - 1]}`,
      )
    : text;
