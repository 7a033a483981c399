import { authorOf } from '../../../platform/access/actor';
import type { Actor } from '../../../platform/access/actor';
import type { Clock } from '../../../platform/clock/clock';
import { NotFound, Refused } from '../../../platform/errors/errors';
import type { InputPath } from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import { requireVersion } from '../../../platform/store/records';
import type { ExpectedVersion } from '../../../platform/store/records';
import type { Page, PageRequest } from '../../../platform/store/keyset';
import type { Store, Tx } from '../../../platform/store/store';
import type { AuditService } from '../../audit/audit.service';
import type { MaskingRule } from '../../../platform/masking/rule-mask';
import { workflowOfKey } from '../test-key.service';
import type { WorkflowReading } from '../workflow-reading';
import type { WorkflowRecord } from '../workflow.model';
import type { WorkflowWriting } from '../workflow-writing';
import type { RuleRows } from './rule-rows';
import type { RuleRecord } from './rule.model';
import { MOST_RULES, refuseRule } from './rule.rules';
import type { RuleContent } from './rule.rules';

export interface MaskingRulesDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly reading: WorkflowReading;
  readonly writing: WorkflowWriting;
  readonly rows: RuleRows;
}

export type MaskingRules = ReturnType<typeof createMaskingRules>;

const ruleNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('RULE_NOT_FOUND', `There is no such rule ${id}.`, { path });

const told = ({ _id, type, expression }: RuleRecord): object => ({ ruleId: _id, type, expression });

/**
 * Masking rules are part of their workflow: they need its permission, and are copied and deleted
 * with it. Every change writes the workflow too, so that it conflicts with a concurrent deletion.
 */
export function createMaskingRules({
  store,
  clock,
  audit,
  reading,
  writing,
  rows,
}: MaskingRulesDependencies) {
  /** @param workflowId null: do not check which workflow the rule belongs to */
  async function get(workflowId: number | null, id: number, tx?: Tx): Promise<RuleRecord> {
    const rule = await rows.one(id, tx);
    if (!rule || (workflowId !== null && rule.workflowId !== workflowId)) throw ruleNotFound(id);
    return rule;
  }

  async function rule(workflowId: number | null, id: number): Promise<RuleRecord> {
    if (workflowId !== null) await reading.get(workflowId);
    return get(workflowId, id);
  }

  async function judge(
    workflowId: number,
    contents: readonly RuleContent[],
    place: (position: number) => InputPath,
  ): Promise<WorkflowRecord> {
    const found = new Findings();
    if (contents.length > MOST_RULES) throw tooMany();
    for (const [position, content] of contents.entries())
      found.ofSync(() => refuseRule(content, place(position)));
    return found.passed(await found.of(() => reading.get(workflowId)));
  }

  const made = (
    actor: Actor,
    workflowId: number,
    { type, expression }: RuleContent,
    id: number,
  ): RuleRecord => {
    const [now, author] = [clock.now(), authorOf(actor)];
    return {
      _id: id,
      workflowId,
      type,
      expression,
      version: 1,
      createdAt: now,
      createdBy: author,
      updatedAt: now,
      updatedBy: author,
    };
  };

  return {
    rule,

    /** @throws NotFound CONNECTION_NOT_FOUND */
    async rulesOf(workflowId: number): Promise<RuleRecord[]> {
      await reading.get(workflowId);
      return rows.of(workflowId);
    },

    /**
     * The masking rules for a run log. Empty if the log belongs to no workflow; null if the
     * workflow is deleted, and its rules with it.
     */
    async rulesOfLog(key: string): Promise<MaskingRule[] | null> {
      const workflowId = workflowOfKey(key);
      const rules = workflowId === null ? [] : await rows.of(workflowId);
      if (workflowId !== null && rules.length === 0 && (await reading.byId(workflowId)) === null)
        return null;
      return rules.map(({ type, expression }) => ({ type, expression }));
    },

    /** Rules by id, in the given order; null where there is none. */
    rulesByIds: (ids: readonly number[]): Promise<(RuleRecord | null)[]> => rows.byIds(ids),

    rulePages: (workflowIds: readonly number[], page: PageRequest): Promise<Page<RuleRecord>[]> =>
      rows.pages(workflowIds, page),

    /**
     * Adds rules to a workflow, all or none, and returns them in the given order.
     * @param place path of each rule in the input
     * @throws NotFound CONNECTION_NOT_FOUND
     * @throws Refused  RULE_INVALID for each invalid or too expensive rule; LIST_TOO_LONG too many
     * rules
     */
    async addRules(
      actor: Actor,
      workflowId: number,
      contents: readonly RuleContent[],
      place: (position: number) => InputPath,
    ): Promise<RuleRecord[]> {
      await judge(workflowId, contents, place);
      const added: RuleRecord[] = [];
      for (const content of contents)
        added.push(made(actor, workflowId, content, await store.nextId('maskingRules')));
      return store.transaction(async (tx) => {
        await writing.claim(workflowId, tx);
        if ((await rows.of(workflowId, tx)).length + added.length > MOST_RULES) throw tooMany();
        await rows.insert(added, tx);
        await audit.record(
          actor,
          'workflow.rules-add',
          { type: 'Workflow', id: workflowId },
          null,
          { rules: added.map(told) },
          tx,
        );
        return added;
      });
    },

    /**
     * Checks rules that are applied once and not stored. Returns the workflow.
     * @throws the errors of `addRules`
     */
    judgeRules: judge,

    /**
     * Changes a rule.
     * @throws NotFound CONNECTION_NOT_FOUND, RULE_NOT_FOUND
     * @throws Conflict CONFLICT the version differs
     * @throws Refused  RULE_INVALID
     */
    async changeRule(
      actor: Actor,
      workflowId: number | null,
      id: number,
      change: Partial<RuleContent>,
      expectedVersion?: ExpectedVersion,
    ): Promise<RuleRecord> {
      const found = new Findings();
      const seen = await found.of(() => rule(workflowId, id));
      if (seen) found.ofSync(() => requireVersion('rule', seen, expectedVersion));
      const judged = {
        type: change.type ?? seen?.type ?? 'regex',
        expression: change.expression ?? seen?.expression ?? 'x',
      };
      found.ofSync(() => refuseRule(judged, []));
      found.refuse();
      return store.transaction(async (tx) => {
        const before = await get(workflowId, id, tx);
        requireVersion('rule', before, expectedVersion);
        const content = {
          type: change.type ?? before.type,
          expression: change.expression ?? before.expression,
        };
        refuseRule(content, []);
        await writing.claim(before.workflowId, tx);
        const after = await rows.change(
          id,
          {
            ...content,
            version: before.version + 1,
            updatedAt: clock.now(),
            updatedBy: authorOf(actor),
          },
          tx,
        );
        await audit.record(
          actor,
          'workflow.rules-change',
          { type: 'Workflow', id: before.workflowId },
          { rules: [told(before)] },
          { rules: [told(after)] },
          tx,
        );
        return after;
      });
    },

    /**
     * Deletes a rule and returns the deleted record.
     * @throws NotFound CONNECTION_NOT_FOUND, RULE_NOT_FOUND
     * @throws Conflict CONFLICT the version differs
     */
    async removeRule(
      actor: Actor,
      workflowId: number | null,
      id: number,
      expectedVersion?: ExpectedVersion,
    ): Promise<RuleRecord> {
      await rule(workflowId, id);
      return store.transaction(async (tx) => {
        const before = await get(workflowId, id, tx);
        requireVersion('rule', before, expectedVersion);
        await writing.claim(before.workflowId, tx);
        await rows.remove(id, tx);
        await audit.record(
          actor,
          'workflow.rules-remove',
          { type: 'Workflow', id: before.workflowId },
          { rules: [told(before)] },
          null,
          tx,
        );
        return before;
      });
    },

    /**
     * Deletes all rules of a workflow; succeeds also if there are none.
     * @throws NotFound CONNECTION_NOT_FOUND
     */
    async removeRules(actor: Actor, workflowId: number): Promise<void> {
      await store.transaction(async (tx) => {
        await writing.claim(workflowId, tx);
        const before = await rows.of(workflowId, tx);
        if (before.length === 0) return;
        await rows.removeOf(workflowId, tx);
        await audit.record(
          actor,
          'workflow.rules-remove',
          { type: 'Workflow', id: workflowId },
          { rules: before.map(told) },
          null,
          tx,
        );
      });
    },

    /** Copies the rules to a workflow that is created in this transaction. Returns their number. */
    async copyRules(actor: Actor, from: number, to: number, tx: Tx): Promise<number> {
      const copies: RuleRecord[] = [];
      for (const content of await rows.of(from, tx))
        copies.push(made(actor, to, content, await store.nextId('maskingRules')));
      await rows.insert(copies, tx);
      return copies.length;
    },
  };
}

const tooMany = (): Refused =>
  new Refused('RULE_INVALID', `A workflow has at most ${MOST_RULES} masking rules.`, {
    path: ['rules'],
    reason: 'LIST_TOO_LONG',
  });
