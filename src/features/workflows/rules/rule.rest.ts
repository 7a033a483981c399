import { z } from 'zod';
import type { Presenters } from '../../../platform/http/presenters';
import { recordReply } from '../../../platform/http/record-version';
import type { Route } from '../../../platform/http/route';
import { Reply, routesTagged } from '../../../platform/http/route';
import { IdParams, PathId } from '../../../platform/http/scalars';
import { workflowPolicy } from '../workflow.policy';
import { MaskingRuleBody } from './rule.presenter';
import type { MaskingRuleService } from './rule.service';

const route = routesTagged('Masking rules');

const OfRule = IdParams.extend({ ruleId: PathId });
const NOT_THERE = ['CONNECTION_NOT_FOUND', 'RULE_NOT_FOUND'] as const;
const EXAMPLE = { type: 'regex', expression: 'token=[^&]+' } as const;

const ruleRouteContext = (
  { maskingRules }: { maskingRules: MaskingRuleService },
  { maskingRules: shown }: Presenters,
) => ({ shown, maskingRules });
type RuleRouteContext = ReturnType<typeof ruleRouteContext>;

const getConnectionRuleAll = ({ shown, maskingRules }: RuleRouteContext): Route =>
  route('GET /connection/:id/rule/all', {
    needs: workflowPolicy.read,
    summary: 'The masking rules of a workflow',
    params: IdParams,
    answer: shown.list.answer,
    errors: ['CONNECTION_NOT_FOUND'],
    handle: async ({ params }) => shown.list(await maskingRules.rulesOf(params.id)),
  });

const postConnectionRule = ({ shown, maskingRules }: RuleRouteContext): Route =>
  route('POST /connection/:id/rule', {
    needs: workflowPolicy.update,
    success: 201,
    summary: 'Adds a masking rule',
    params: IdParams,
    body: MaskingRuleBody,
    example: { body: EXAMPLE },
    answer: shown.one.answer,
    errors: ['CONNECTION_NOT_FOUND', 'RULE_INVALID'],
    record: 'shown',
    handle: async ({ actor, params, body, origin }) => {
      const [rule] = await maskingRules.add(actor, params.id, [body], () => []);
      if (!rule) throw new Error('The masking rule was not added.');
      return recordReply(
        shown.one(rule),
        rule,
        `${origin.baseUrl}/api/connection/${params.id}/rule/${rule._id}`,
      );
    },
  });

const postConnectionRuleList = ({ shown, maskingRules }: RuleRouteContext): Route =>
  route('POST /connection/:id/rule/list', {
    needs: workflowPolicy.update,
    success: 201,
    summary: 'Adds masking rules, all or none',
    params: IdParams,
    body: z.array(MaskingRuleBody),
    example: { body: [EXAMPLE] },
    answer: shown.list.answer,
    errors: ['CONNECTION_NOT_FOUND', 'RULE_INVALID'],
    answerHeaders: { Location: { description: 'URL of the rules of the workflow.' } },
    handle: async ({ actor, params, body, origin }) => {
      const rules = await maskingRules.add(actor, params.id, body, (position) => [position]);
      return new Reply(shown.list(rules), {
        Location: `${origin.baseUrl}/api/connection/${params.id}/rule/all`,
      });
    },
  });

const deleteConnectionRuleAll = ({ maskingRules }: RuleRouteContext): Route =>
  route('DELETE /connection/:id/rule/all', {
    needs: workflowPolicy.update,
    success: 204,
    summary: 'Deletes all masking rules of a workflow',
    params: IdParams,
    errors: ['CONNECTION_NOT_FOUND'],
    handle: ({ actor, params }) => maskingRules.removeAll(actor, params.id),
  });

const getConnectionRuleByRuleId = ({ shown, maskingRules }: RuleRouteContext): Route =>
  route('GET /connection/:id/rule/:ruleId', {
    needs: workflowPolicy.read,
    summary: 'One masking rule',
    params: OfRule,
    answer: shown.one.answer,
    errors: NOT_THERE,
    record: 'shown',
    handle: async ({ params }) => {
      const rule = await maskingRules.get(params.id, params.ruleId);
      return recordReply(shown.one(rule), rule);
    },
  });

const putConnectionRuleByRuleId = ({ shown, maskingRules }: RuleRouteContext): Route =>
  route('PUT /connection/:id/rule/:ruleId', {
    needs: workflowPolicy.update,
    summary: 'Changes a masking rule',
    params: OfRule,
    body: MaskingRuleBody,
    example: { body: EXAMPLE },
    answer: shown.one.answer,
    errors: [...NOT_THERE, 'RULE_INVALID'],
    record: 'changed',
    handle: async ({ actor, params, body, expectedVersion }) => {
      const rule = await maskingRules.change(
        actor,
        params.id,
        params.ruleId,
        body,
        expectedVersion,
      );
      return recordReply(shown.one(rule), rule);
    },
  });

const deleteConnectionRuleByRuleId = ({ maskingRules }: RuleRouteContext): Route =>
  route('DELETE /connection/:id/rule/:ruleId', {
    needs: workflowPolicy.update,
    success: 204,
    summary: 'Deletes a masking rule',
    params: OfRule,
    errors: NOT_THERE,
    record: 'deleted',
    handle: async ({ actor, params, expectedVersion }) =>
      void (await maskingRules.remove(actor, params.id, params.ruleId, expectedVersion)),
  });

export const ruleRoutes = (
  services: { maskingRules: MaskingRuleService },
  presenters: Presenters,
): Route[] => {
  const context = ruleRouteContext(services, presenters);
  return [
    getConnectionRuleAll,
    postConnectionRule,
    postConnectionRuleList,
    deleteConnectionRuleAll,
    getConnectionRuleByRuleId,
    putConnectionRuleByRuleId,
    deleteConnectionRuleByRuleId,
  ].map((create) => create(context));
};
