import { z } from 'zod';
import { keysOf } from '../../../platform/http/scalars';
import { RULE_TYPES } from './rule-kinds';

export const RuleTypeText = z.enum(keysOf(RULE_TYPES));

/** A rule in a request. Clients may send the id that they read; the id in the URL is used. */
export const MaskingRuleBody = z
  .object({ type: RuleTypeText, expression: z.string() })
  .meta({ id: 'MaskingRuleBody' });
