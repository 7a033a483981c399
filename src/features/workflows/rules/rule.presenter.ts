import { z } from 'zod';
import { presenter } from '../../../platform/http/presenters';
import type { Presenter } from '../../../platform/http/presenters';
import { AnswerId, keysOf } from '../../../platform/http/scalars';
import { RULE_TYPES } from './rule-expression';
import type { RuleRecord } from './rule.model';

interface MaskingRulePresenters {
  readonly one: Presenter<[RuleRecord]>;
  readonly list: Presenter<[readonly RuleRecord[]]>;
}

declare module '../../../platform/http/presenters' {
  interface Presenters {
    readonly maskingRules: MaskingRulePresenters;
  }
}

const RuleTypeText = z.enum(keysOf(RULE_TYPES));

/** A rule in a request. Clients may send the id that they read; the id in the URL is used. */
export const MaskingRuleBody = z
  .object({ type: RuleTypeText, expression: z.string() })
  .meta({ id: 'MaskingRuleBody' });

const RuleAnswer = z
  .object({ ruleId: AnswerId, type: RuleTypeText, expression: z.string() })
  .meta({ id: 'MaskingRule' });

const presentRule = ({ _id, type, expression }: RuleRecord): z.output<typeof RuleAnswer> => ({
  ruleId: _id,
  type,
  expression,
});

export const documentedRules: MaskingRulePresenters = {
  one: presenter(RuleAnswer, presentRule),
  list: presenter(z.array(RuleAnswer), (rules: readonly RuleRecord[]) => rules.map(presentRule)),
};
