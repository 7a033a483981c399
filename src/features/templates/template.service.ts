import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { BadInput, Forbidden, NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { MOST_AT_ONCE, requireVersion } from '../../platform/store/records';
import { changeAll } from '../../platform/store/change-all';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import { workflowPolicy } from '../workflows/workflow.policy';
import type { WorkflowWithDocument } from '../workflows/workflow-reader';
import { assignSlots, fillSlots } from './body/connector-slots';
import type { TemplateBody } from './body/template-body';
import type { ConnectorChoice, WorkflowBodies } from './body/workflow-bodies';
import type { TemplateRecord } from './template.model';
import { templatePolicy } from './template.policy';
import {
  factProblems,
  newTemplateId,
  prefixPaths,
  readTemplate,
  templateIdOf,
  templateInvalid,
  throwAsOne,
} from './template.rules';
import type { SentTemplate, TemplateFacts } from './template.rules';
import { templateNotFound, TemplateReads } from './template-reads';
import type { TemplateWithBody } from './template-reads';
import type { TemplateRecords } from './template-records';
import { packSentTemplate, packTemplate } from './template-tasks';
import type { PackedTemplate } from './template-tasks';

export { templateIdOf } from './template.rules';

declare module '../../platform/context' {
  interface Services {
    templates: TemplateService;
  }
}

export interface UnsavedTemplate extends TemplateFacts {
  readonly templateId: string;
  readonly body: TemplateBody;
}

interface Instantiation {
  readonly connectors: readonly ConnectorChoice[];
  /** Null: the name of the template, or the first free title derived from it. */
  readonly title: string | null;
}

/** Templates: workflows without connectors and secrets, from which workflows are created. */
export class TemplateService extends TemplateReads {
  constructor(
    private readonly store: Store,
    records: TemplateRecords,
    private readonly workflowBodies: WorkflowBodies,
  ) {
    super(records);
  }

  /**
   * Streams the templates whose invokers are those of the two connectors, with these filled in, for
   * clients of the 4.x line. If both have the same invoker, the first slot gets the first
   * connector.
   * @throws NotFound CONNECTOR_NOT_FOUND
   */
  async forConnectors(
    fromConnectorId: number,
    toConnectorId: number,
  ): Promise<AsyncGenerator<TemplateWithBody, void, void>> {
    const ids = { fromConnectorId, toConnectorId };
    const [from, to] = await this.workflowBodies.requireConnectors(ids);
    const chosenFor = ({ connectors }: TemplateRecord) => assignSlots(connectors, from, to);
    const templates = this.all({ metadataOnly: false }, (record) => chosenFor(record) !== null);
    async function* filled(): AsyncGenerator<TemplateWithBody, void, void> {
      for await (const { record, body } of templates) {
        const chosen = chosenFor(record);
        if (body && chosen) yield { record, body: fillSlots(body, record.connectors, chosen) };
      }
    }
    return filled();
  }

  /**
   * Returns a workflow as a template with a new id, without storing it.
   * @throws NotFound CONNECTION_NOT_FOUND, also without the permission to read workflows
   */
  async ofWorkflow(actor: Actor, workflowId: number): Promise<UnsavedTemplate> {
    if (!allows(workflowPolicy.read, actor))
      throw new NotFound('CONNECTION_NOT_FOUND', `There is no workflow ${workflowId}.`, {
        path: ['workflowId'],
      });
    const { record, body } = await this.workflowBodies.read(workflowId);
    const { title: name, description } = record;
    return { templateId: newTemplateId(), name, description, license: null, body };
  }

  /**
   * Stores a workflow as a template. It contains the names of invokers, but no credentials,
   * connectors or secrets. Missing facts are taken from the workflow.
   * @throws NotFound CONNECTION_NOT_FOUND
   * @throws Refused TEMPLATE_INVALID, NAME_INVALID
   */
  async create(
    actor: Actor,
    workflowId: number,
    { name, description, license = null }: Partial<TemplateFacts>,
  ): Promise<TemplateRecord> {
    const findings = new Findings();
    const problems = factProblems({ name: name ?? 'title of the workflow', description, license });
    if (problems.length > 0) findings.add(templateInvalid(problems));
    const unsaved = findings.passed(await findings.of(() => this.ofWorkflow(actor, workflowId)));
    const facts = {
      name: name?.trim() ?? unsaved.name,
      description: description === undefined ? unsaved.description : description,
      license,
    };
    return this.insert(actor, await packTemplate(unsaved.templateId, facts, unsaved.body));
  }

  /**
   * Stores a template from a client, under a new id.
   * @throws Refused TEMPLATE_INVALID
   */
  async add(actor: Actor, sent: SentTemplate): Promise<TemplateRecord> {
    return this.insert(actor, await packSentTemplate(newTemplateId(), sent));
  }

  /**
   * Replaces a template.
   * @throws NotFound TEMPLATE_NOT_FOUND
   * @throws BadInput BAD_REQUEST the template contains another id
   * @throws Refused TEMPLATE_INVALID
   * @throws Conflict CONFLICT the version differs
   */
  async replace(
    actor: Actor,
    templateId: string,
    sent: SentTemplate,
    expectedVersion?: ExpectedVersion,
  ): Promise<TemplateRecord> {
    const id = templateIdOf(templateId);
    if (sent.templateId !== null && sent.templateId !== id) {
      const message = `The body has the template id ${sent.templateId}, the path the id ${templateId}.`;
      throw new BadInput('BAD_REQUEST', message, { path: ['templateId'] });
    }
    const packed = await packSentTemplate(id ?? '', sent);
    return this.store.transaction(async (tx) => {
      const before = await this.get(templateId, ['id'], tx);
      requireVersion('template', before, expectedVersion);
      return this.records.replace(actor, before, packed, tx);
    });
  }

  /**
   * Replaces templates, all or none, and returns them in the given order.
   * @throws NotFound TEMPLATE_NOT_FOUND
   * @throws Refused TEMPLATE_INVALID
   */
  async replaceAll(actor: Actor, sent: readonly unknown[]): Promise<TemplateRecord[]> {
    if (sent.length > MOST_AT_ONCE)
      throw new BadInput('BAD_REQUEST', `At most ${MOST_AT_ONCE} templates at once.`, {
        reason: 'LIST_TOO_LONG',
      });
    const findings = new Findings();
    const packed: PackedTemplate[] = [];
    for (const [at, value] of sent.entries())
      await findings.of(() =>
        prefixPaths([at], async () => {
          const template = readTemplate(value);
          packed.push(await packSentTemplate(template.templateId ?? '', template));
        }),
      );
    throwAsOne(findings);
    return this.store.transaction(async (tx) => {
      const missing = new Findings();
      const changed: TemplateRecord[] = [];
      for (const [at, next] of packed.entries()) {
        const path = [at, 'templateId'];
        const before = await missing.of(() => this.get(next.templateId, path, tx));
        if (before) changed.push(await this.records.replace(actor, before, next, tx));
      }
      missing.refuse();
      return changed;
    });
  }

  /**
   * Deletes a template, by its UUID or integer id, and returns the deleted record.
   * @throws NotFound TEMPLATE_NOT_FOUND
   * @throws Conflict CONFLICT the version differs
   */
  remove(
    actor: Actor,
    id: string | number,
    expectedVersion?: ExpectedVersion,
  ): Promise<TemplateRecord> {
    return this.store.transaction((tx) => this.removeOne(actor, id, ['id'], expectedVersion, tx));
  }

  /**
   * Deletes templates by their UUIDs, all or none.
   * @throws BadInput too many ids
   * @throws NotFound TEMPLATE_NOT_FOUND
   */
  async removeAll(actor: Actor, templateIds: readonly string[]): Promise<void> {
    await changeAll(this.store, templateIds, 'templates', (id, path, tx) =>
      this.removeOne(actor, id, path, undefined, tx),
    );
  }

  /**
   * Saves a new workflow from a template, with a connector for each open slot.
   * @throws Forbidden may not create workflows
   * @throws NotFound TEMPLATE_NOT_FOUND, also without the permission to read templates
   * @throws the errors of `WorkflowBodies.save`
   */
  async instantiate(
    actor: Actor,
    id: number,
    { connectors: choices, title }: Instantiation,
  ): Promise<WorkflowWithDocument> {
    if (!allows(workflowPolicy.create, actor))
      throw new Forbidden(`This needs ${workflowPolicy.create}.`);
    const template = allows(templatePolicy.read, actor)
      ? await this.withBody(() => this.byId(id))
      : null;
    if (!template) throw templateNotFound(id);
    const { record, body } = template;
    return this.workflowBodies.save(
      actor,
      { body, slots: record.connectors, choices, title, fallbackTitle: record.name },
      new Findings(),
    );
  }

  private insert(actor: Actor, packed: PackedTemplate): Promise<TemplateRecord> {
    return this.store.transaction((tx) => this.records.insert(actor, packed, tx));
  }

  private async removeOne(
    actor: Actor,
    id: string | number,
    path: InputPath,
    expectedVersion: ExpectedVersion,
    tx: Tx,
  ): Promise<TemplateRecord> {
    const before =
      typeof id === 'number' ? await this.records.byId(id, tx) : await this.byTemplateId(id, tx);
    if (!before) throw templateNotFound(id, path);
    requireVersion('template', before, expectedVersion);
    await this.records.remove(actor, before, tx);
    return before;
  }
}
