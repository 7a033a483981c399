import { z } from 'zod';
import { presenter } from '../../../platform/http/presenters';
import type { Presenter } from '../../../platform/http/presenters';
import { AnswerId } from '../../../platform/http/scalars';
import type { RuleRecord } from './rule.model';
import { RuleTypeText } from './rule.schema';

export interface MaskingRulePresenters {
  readonly one: Presenter<[RuleRecord]>;
  readonly list: Presenter<[readonly RuleRecord[]]>;
}

declare module '../../../platform/http/presenters' {
  interface Presenters {
    readonly maskingRules: MaskingRulePresenters;
  }
}

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
