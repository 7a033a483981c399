import type { Actor } from '../../../platform/access/actor';
import { Conflict, isCurable, NotFound, reasonsOf, Refused } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import { withSuffix } from '../../../platform/text/characters';
import { fold } from '../../../platform/text/fold';
import type { AggregatorCatalog } from '../../aggregators/aggregator-catalog';
import { parseTitle, TITLE_LENGTH } from '../../workflows/workflow-document.service';
import type { JsonObject } from '../../workflows/workflow-document.service';
import type { KnownConnectors } from '../../workflows/references/referenced-records';
import type { WorkflowWithDocument } from '../../workflows/workflow-reader';
import type { WorkflowService } from '../../workflows/workflow.service';
import { TEMPLATE_VERSION } from '../conversion/template-versions';
import { connectorIdsIn, fillSlots } from './connector-slots';
import type { ChosenConnector, ChosenConnectors, ConnectorSlot } from './connector-slots';
import { withAggregatorIds, withAggregatorNames } from './named-aggregators';
import { templateBody } from './template-body';
import type { TemplateBody } from './template-body';

export interface ConnectorChoice {
  /** Number of the slot, from 1. */
  readonly slot: number;
  readonly connectorId: number;
}

interface BodyToSave {
  readonly body: JsonObject;
  readonly slots: readonly ConnectorSlot[];
  readonly choices: readonly ConnectorChoice[];
  /** Null: the first free title derived from `fallbackTitle`. */
  readonly title: string | null;
  readonly fallbackTitle: string;
}

/** Maximum attempts: concurrent requests may take a title that was free. */
const MAX_TITLE_ATTEMPTS = 20;

/** Converts workflows to bodies without connectors, and saves such bodies as workflows. */
export class WorkflowBodies {
  constructor(
    private readonly deps: {
      readonly workflows: WorkflowService;
      readonly connectors: Pick<KnownConnectors, 'facts' | 'ofInvoker'>;
      readonly aggregators: AggregatorCatalog;
    },
  ) {}

  /** @throws NotFound CONNECTION_NOT_FOUND */
  async read(workflowId: number) {
    const { record, document } = await this.deps.workflows.getOriginal(workflowId);
    const body: TemplateBody = templateBody(
      await withAggregatorNames(document, this.deps.aggregators),
      TEMPLATE_VERSION,
      'workflow',
      await this.deps.connectors.facts(connectorIdsIn(document)),
    );
    return { record, body };
  }

  /**
   * Saves a body as a new workflow, with a connector for each slot. Errors of the save have an
   * empty path and the document path in their message, because the client did not send the
   * document.
   * @param findings errors found before
   * @throws Refused TEMPLATE_CONNECTOR_MISSING, TEMPLATE_CONNECTOR_UNKNOWN,
   * TEMPLATE_CONNECTOR_MISFIT; the errors of a save
   * @throws NotFound CONNECTOR_NOT_FOUND a chosen connector does not exist
   * @throws Conflict TITLE_HAS_ALREADY_TAKEN the given title is in use
   */
  async save(
    actor: Actor,
    { body, slots, choices, title, fallbackTitle }: BodyToSave,
    findings: Findings,
  ): Promise<WorkflowWithDocument> {
    const chosen = await this.resolveChoices(slots, choices, findings);
    const document = await withAggregatorIds(fillSlots(body, slots, chosen), this.deps.aggregators);
    if (title === null) {
      findings.refuse();
      return this.saveWithFreeTitle(actor, document, fallbackTitle);
    }
    const parsed = findings.ofSync(() => parseTitle(title));
    if (parsed !== undefined && (await this.deps.workflows.titleTaken(parsed)))
      findings.add(
        new Conflict(
          'TITLE_HAS_ALREADY_TAKEN',
          `There is already a workflow with the title ${JSON.stringify(parsed)}.`,
          { path: ['title'] },
        ),
      );
    findings.refuse();
    return this.saveDocument(actor, { ...document, title: parsed });
  }

  /** Chooses connectors for open slots: those with the same title and invoker. */
  async chooseByTitle(
    slots: readonly ConnectorSlot[],
    choices: readonly ConnectorChoice[],
  ): Promise<ConnectorChoice[]> {
    const { connectors } = this.deps;
    const chosen = new Set(choices.map(({ slot }) => slot));
    const added: ConnectorChoice[] = [];
    for (const [at, { invoker, title }] of slots.entries()) {
      if (chosen.has(at + 1) || invoker === null) continue;
      const candidates = await connectors.facts([...(await connectors.ofInvoker(invoker))]);
      const same = [...candidates].find(([, facts]) => fold(facts.title) === fold(title));
      if (same) added.push({ slot: at + 1, connectorId: same[0] });
    }
    return added;
  }

  /**
   * Returns connectors in the given order.
   * @param ids ids by name of the field of the input
   * @throws NotFound CONNECTOR_NOT_FOUND
   */
  async requireConnectors(ids: Readonly<Record<string, number>>): Promise<ChosenConnector[]> {
    const findings = new Findings();
    const factsById = await this.deps.connectors.facts(Object.values(ids));
    const connectors = Object.entries(ids).flatMap(([field, id]) => {
      const facts = factsById.get(id);
      if (!facts) findings.add(connectorNotFound(id, [field]));
      return facts ? [{ id, ...facts }] : [];
    });
    findings.refuse();
    return connectors;
  }

  /** Reports each slot without a connector or with a wrong one. */
  private async resolveChoices(
    slots: readonly ConnectorSlot[],
    choices: readonly ConnectorChoice[],
    findings: Findings,
  ): Promise<ChosenConnectors> {
    const ids = [...new Set(choices.map(({ connectorId }) => connectorId))];
    const factsById = await this.deps.connectors.facts(ids);
    const chosen = new Map<number, ChosenConnector>();
    const used = new Set<number>();
    choices.forEach(({ slot: number, connectorId }, at) => {
      const slot = slots[number - 1] as ConnectorSlot | undefined;
      const facts = factsById.get(connectorId);
      const slotPath = { path: ['connectors', at, 'slot'] };
      const connectorPath = { path: ['connectors', at, 'connectorId'] };
      if (!slot) {
        const message = `There is no connector slot ${number}: there are ${slots.length}.`;
        findings.add(new Refused('TEMPLATE_CONNECTOR_UNKNOWN', message, slotPath));
      } else if (used.has(number)) {
        const message = `A connector for slot ${number} was already chosen.`;
        findings.add(new Refused('TEMPLATE_CONNECTOR_UNKNOWN', message, slotPath));
      } else used.add(number);
      if (!facts) findings.add(connectorNotFound(connectorId, connectorPath.path));
      else if (slot && slot.invoker !== null && fold(slot.invoker) !== fold(facts.invoker)) {
        const message = `The connector ${facts.title} belongs to the invoker ${facts.invoker}, but the slot needs ${describeSlot(slot)}.`;
        findings.add(new Refused('TEMPLATE_CONNECTOR_MISFIT', message, connectorPath));
      } else if (slot) chosen.set(number, { ...facts, id: connectorId });
    });
    slots.forEach((slot, at) => {
      if (used.has(at + 1)) return;
      const message = `No connector was chosen for slot ${at + 1}, ${describeSlot(slot)}.`;
      findings.add(new Refused('TEMPLATE_CONNECTOR_MISSING', message, { path: ['connectors'] }));
    });
    return chosen;
  }

  private async saveWithFreeTitle(
    actor: Actor,
    document: JsonObject,
    title: string,
  ): Promise<WorkflowWithDocument> {
    for (let number = 1, attempts = 1; ; number += 1) {
      const candidate = numberTitle(title, number);
      if (await this.deps.workflows.titleTaken(candidate)) continue;
      try {
        return await this.saveDocument(actor, { ...document, title: candidate });
      } catch (error) {
        if (!isTitleTaken(error) || (attempts += 1) > MAX_TITLE_ATTEMPTS) throw error;
      }
    }
  }

  private async saveDocument(actor: Actor, document: JsonObject): Promise<WorkflowWithDocument> {
    try {
      return await this.deps.workflows.save(actor, null, { document });
    } catch (error) {
      if (!isCurable(error) || error.code === 'TITLE_HAS_ALREADY_TAKEN') throw error;
      const problems = reasonsOf(error).map(({ code, path, message }) =>
        path[0] === 'title'
          ? { code, path, message }
          : { code, path: [], message: `${path.join('.')}: ${message}` },
      );
      throw new Refused(error.code, error.message, { reason: error.reason, problems });
    }
  }
}

const isTitleTaken = (error: unknown): boolean =>
  error instanceof Conflict && error.code === 'TITLE_HAS_ALREADY_TAKEN';

const describeSlot = ({ invoker, title }: ConnectorSlot): string =>
  invoker === null ? title : `${title} (invoker ${invoker})`;

const connectorNotFound = (id: number, path: InputPath): NotFound =>
  new NotFound('CONNECTOR_NOT_FOUND', `There is no connector ${id}.`, { path });

/** `Tickets`, `Tickets (2)`; a long title is cut so that the number fits. */
const numberTitle = (title: string, number: number): string =>
  withSuffix(title, number === 1 ? '' : ` (${number})`, TITLE_LENGTH);
