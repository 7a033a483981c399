import { z } from 'zod';
import { keysOf } from '../../../platform/http/scalars';
import { RULE_TYPES } from './rule-kinds';

export const RuleTypeText = z.enum(keysOf(RULE_TYPES));

/** A rule that is sent. Clients send it as they read it; an id in the path counts. */
export const MaskingRuleBody = z
  .object({ type: RuleTypeText, expression: z.string() })
  .meta({ id: 'MaskingRuleBody' });
