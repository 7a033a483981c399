import { authorOf } from '../../../platform/access/actor';
import type { Actor } from '../../../platform/access/actor';
import type { Core } from '../../../platform/core';
import { NotFound, Refused } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import { requireVersion } from '../../../platform/store/records';
import type { ExpectedVersion } from '../../../platform/store/records';
import type { Page, PageRequest } from '../../../platform/store/lists/keyset';
import type { Tx } from '../../../platform/store/store';
import type { AuditService } from '../../audit/audit.service';
import type { WorkflowReader } from '../workflow-reader';
import type { WorkflowRecord } from '../workflow.model';
import type { WorkflowWriter } from '../saving/workflow-writer';
import { MAX_RULES, requireValidRule } from './rule-expression';
import type { RuleContent } from './rule-expression';
import type { MaskingRuleRecords } from './rule-records';
import type { RuleRecord } from './rule.model';

declare module '../../../platform/context' {
  interface Services {
    maskingRules: MaskingRuleService;
  }
}

/**
 * Masking rules are part of their workflow: they need its permission, and are copied and deleted
 * with it. Every change writes the workflow too, so that it conflicts with a concurrent deletion.
 */
export class MaskingRuleService {
  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly reading: WorkflowReader;
      readonly writing: WorkflowWriter;
      readonly records: MaskingRuleRecords;
    },
  ) {}

  /**
   * @param workflowId null: do not check which workflow the rule belongs to
   * @throws NotFound CONNECTION_NOT_FOUND, RULE_NOT_FOUND
   */
  async get(workflowId: number | null, id: number): Promise<RuleRecord> {
    if (workflowId !== null) await this.deps.reading.get(workflowId);
    return this.require(workflowId, id);
  }

  /** @throws NotFound CONNECTION_NOT_FOUND */
  async rulesOf(workflowId: number): Promise<RuleRecord[]> {
    await this.deps.reading.get(workflowId);
    return this.deps.records.of(workflowId);
  }

  /** Rules by id, in the given order; null where there is none. */
  byIds(ids: readonly number[]): Promise<(RuleRecord | null)[]> {
    return this.deps.records.byIds(ids);
  }

  /** One page of rules per workflow, oldest first. */
  pages(workflowIds: readonly number[], page: PageRequest): Promise<Page<RuleRecord>[]> {
    return this.deps.records.pages(workflowIds, page);
  }

  /**
   * Checks rules that are applied once and not stored. Returns the workflow.
   * @throws the errors of `add`
   */
  async checkRules(
    workflowId: number,
    contents: readonly RuleContent[],
    place: (position: number) => InputPath,
  ): Promise<WorkflowRecord> {
    const findings = new Findings();
    if (contents.length > MAX_RULES) throw tooMany();
    for (const [position, content] of contents.entries())
      findings.ofSync(() => requireValidRule(content, place(position)));
    return findings.passed(await findings.of(() => this.deps.reading.get(workflowId)));
  }

  /**
   * Adds rules to a workflow, all or none, and returns them in the given order.
   * @param place path of each rule in the input
   * @throws NotFound CONNECTION_NOT_FOUND
   * @throws Refused  RULE_INVALID for each invalid or too expensive rule; LIST_TOO_LONG too many
   * rules
   */
  async add(
    actor: Actor,
    workflowId: number,
    contents: readonly RuleContent[],
    place: (position: number) => InputPath,
  ): Promise<RuleRecord[]> {
    const { core, writing, records } = this.deps;
    await this.checkRules(workflowId, contents, place);
    const added = await this.newRecords(actor, workflowId, contents);
    return core.store.transaction(async (tx) => {
      await writing.claim(workflowId, tx);
      if ((await records.of(workflowId, tx)).length + added.length > MAX_RULES) throw tooMany();
      await records.insert(added, tx);
      await this.audit(actor, 'workflow.rules-add', workflowId, null, added, tx);
      return added;
    });
  }

  /**
   * Changes a rule.
   * @throws NotFound CONNECTION_NOT_FOUND, RULE_NOT_FOUND
   * @throws Conflict CONFLICT the version differs
   * @throws Refused  RULE_INVALID
   */
  async change(
    actor: Actor,
    workflowId: number | null,
    id: number,
    change: Partial<RuleContent>,
    expectedVersion?: ExpectedVersion,
  ): Promise<RuleRecord> {
    const { core, writing, records } = this.deps;
    const findings = new Findings();
    const current = await findings.of(() => this.get(workflowId, id));
    if (current) findings.ofSync(() => requireVersion('rule', current, expectedVersion));
    const checked = changed(current ?? { type: 'regex', expression: 'x' }, change);
    findings.ofSync(() => requireValidRule(checked, []));
    findings.refuse();
    return core.store.transaction(async (tx) => {
      const before = await this.require(workflowId, id, tx);
      requireVersion('rule', before, expectedVersion);
      const content = changed(before, change);
      requireValidRule(content, []);
      await writing.claim(before.workflowId, tx);
      const after = await records.change(
        id,
        {
          ...content,
          version: before.version + 1,
          updatedAt: core.clock.now(),
          updatedBy: authorOf(actor),
        },
        tx,
      );
      await this.audit(actor, 'workflow.rules-change', before.workflowId, [before], [after], tx);
      return after;
    });
  }

  /**
   * Deletes a rule and returns the deleted record.
   * @throws NotFound CONNECTION_NOT_FOUND, RULE_NOT_FOUND
   * @throws Conflict CONFLICT the version differs
   */
  async remove(
    actor: Actor,
    workflowId: number | null,
    id: number,
    expectedVersion?: ExpectedVersion,
  ): Promise<RuleRecord> {
    const { core, writing, records } = this.deps;
    await this.get(workflowId, id);
    return core.store.transaction(async (tx) => {
      const before = await this.require(workflowId, id, tx);
      requireVersion('rule', before, expectedVersion);
      await writing.claim(before.workflowId, tx);
      await records.remove(id, tx);
      await this.audit(actor, 'workflow.rules-remove', before.workflowId, [before], null, tx);
      return before;
    });
  }

  /**
   * Deletes all rules of a workflow; succeeds also if there are none.
   * @throws NotFound CONNECTION_NOT_FOUND
   */
  async removeAll(actor: Actor, workflowId: number): Promise<void> {
    const { core, writing, records } = this.deps;
    await core.store.transaction(async (tx) => {
      await writing.claim(workflowId, tx);
      const before = await records.of(workflowId, tx);
      if (before.length === 0) return;
      await records.removeOf(workflowId, tx);
      await this.audit(actor, 'workflow.rules-remove', workflowId, before, null, tx);
    });
  }

  /** Copies the rules to a workflow that is created in this transaction. Returns their number. */
  async copyRules(actor: Actor, from: number, to: number, tx: Tx): Promise<number> {
    const copies = await this.newRecords(actor, to, await this.deps.records.of(from, tx));
    await this.deps.records.insert(copies, tx);
    return copies.length;
  }

  private async require(workflowId: number | null, id: number, tx?: Tx): Promise<RuleRecord> {
    const rule = await this.deps.records.byId(id, tx);
    if (!rule || (workflowId !== null && rule.workflowId !== workflowId))
      throw new NotFound('RULE_NOT_FOUND', `There is no masking rule ${id}.`, { path: ['id'] });
    return rule;
  }

  private async newRecords(
    actor: Actor,
    workflowId: number,
    contents: readonly RuleContent[],
  ): Promise<RuleRecord[]> {
    const { store, clock } = this.deps.core;
    const [now, author] = [clock.now(), authorOf(actor)];
    const records: RuleRecord[] = [];
    for (const { type, expression } of contents)
      records.push({
        _id: await store.nextId('maskingRules'),
        workflowId,
        type,
        expression,
        version: 1,
        createdAt: now,
        createdBy: author,
        updatedAt: now,
        updatedBy: author,
      });
    return records;
  }

  private audit(
    actor: Actor,
    action: 'workflow.rules-add' | 'workflow.rules-change' | 'workflow.rules-remove',
    workflowId: number,
    before: readonly RuleRecord[] | null,
    after: readonly RuleRecord[] | null,
    tx: Tx,
  ): Promise<void> {
    const record = (rules: readonly RuleRecord[] | null): object | null =>
      rules && {
        rules: rules.map(({ _id, type, expression }) => ({ ruleId: _id, type, expression })),
      };
    return this.deps.audit.record(
      actor,
      action,
      { type: 'Workflow', id: workflowId },
      record(before),
      record(after),
      tx,
    );
  }
}

const changed = ({ type, expression }: RuleContent, change: Partial<RuleContent>): RuleContent => ({
  type: change.type ?? type,
  expression: change.expression ?? expression,
});

const tooMany = (): Refused =>
  new Refused('RULE_INVALID', `A workflow has at most ${MAX_RULES} masking rules.`, {
    path: ['rules'],
    reason: 'LIST_TOO_LONG',
  });
