import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import { JobAccepted } from '../../platform/http/respond-async';
import { Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { IdParams, PathId, QueryFlag } from '../../platform/http/scalars';
import { MaskingRuleBody } from '../workflows/rules/rule.presenter';
import { findWorkflows } from './support-log.presenter';
import { supportLogPolicy } from './support-log.policy';
import type { SupportFile } from './support-log.service';

const route = routesTagged('Support files');

const OfWorkflow = z.object({ connectionId: PathId });
const FileName = z.string().meta({ description: 'Name of the file.' });
const DISPOSITION = { 'Content-Disposition': { description: 'Name of the file.' } };
const Execute = QueryFlag.default(true).meta({
  description: 'False: the workflow is not executed; only existing logs are packed.',
});

const sendFile = ({ record, bytes }: SupportFile): Reply =>
  new Reply(Readable.from(bytes, { highWaterMark: 1 }), {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${record.fileName}"`,
  });

const supportLogRouteContext = (
  { supportLogs, workflows }: Pick<Services, 'supportLogs' | 'workflows'>,
  { supportLogs: shown, requests }: Presenters,
) => {
  const find = findWorkflows({ workflows });
  return { shown, supportLogs, find, requests };
};
type SupportLogRouteContext = ReturnType<typeof supportLogRouteContext>;

const postConnectionExecuteSupportFile = ({ shown, supportLogs }: SupportLogRouteContext): Route =>
  route('POST /connection/execute/:id/support-file', {
    needs: supportLogPolicy.create,
    summary: 'Executes a workflow and packs its logs for support',
    description:
      'Runs in the background; the result of the job is the support file. Executing the workflow also requires CONNECTION:UPDATE. The rules are applied to this file in addition to those of the workflow, and are not stored.',
    params: IdParams,
    query: z.object({ execute: Execute }),
    body: z.array(MaskingRuleBody).optional(),
    example: { body: [{ type: 'regex', expression: 'token=[^&]+' }] },
    answer: JobAccepted,
    answerHeaders: { Location: { description: 'URL of the job.' } },
    errors: ['CONNECTION_NOT_FOUND', 'RULE_INVALID'],
    handle: async ({ actor, params, query, body = [], origin }) => {
      const sent = body.map((rule, at) => ({ rule, at, part: shown.partOfRule(rule) }));
      const rules = sent.filter(({ part }) => part === null);
      const { _id: jobId } = await supportLogs.create(actor, {
        workflowId: params.id,
        rules: rules.map(({ rule }) => rule),
        hiddenParts: sent.flatMap(({ part }) => part ?? []),
        place: (position) => [rules[position]?.at ?? position],
        execute: query.execute,
        present: shown.one,
      });
      return new Reply({ jobId }, { Location: `${origin.baseUrl}/api/job/${jobId}` });
    },
  });

const getConnectionSupportFileList = ({
  shown,
  supportLogs,
  find,
}: SupportLogRouteContext): Route =>
  route('GET /connection/support-file/list', {
    needs: supportLogPolicy.read,
    summary: 'All support files, newest first',
    answer: shown.list.answer,
    handle: async () => shown.list(await supportLogs.list(), find),
  });

const getConnectionSupportFileListOfWorkflow = ({
  shown,
  supportLogs,
  find,
}: SupportLogRouteContext): Route =>
  route('GET /connection/support-file/:connectionId/list', {
    needs: supportLogPolicy.read,
    summary: 'The support files of a workflow, newest first',
    params: OfWorkflow,
    answer: shown.list.answer,
    handle: async ({ params }) => shown.list(await supportLogs.list(params.connectionId), find),
  });

const getConnectionSupportFileByWhich = ({ supportLogs }: SupportLogRouteContext): Route =>
  route('GET /connection/support-file/:which', {
    needs: supportLogPolicy.read,
    summary: 'The newest support file of a workflow',
    params: z.object({ which: PathId.meta({ description: 'The id of the workflow.' }) }),
    produces: 'application/zip',
    answerHeaders: DISPOSITION,
    errors: ['SUPPORT_FILE_NOT_FOUND'],
    sentAs: [[['id'], ['which']]],
    handle: async ({ params }) => sendFile(await supportLogs.file(params.which)),
  });

const getConnectionSupportFileByZip = ({ supportLogs }: SupportLogRouteContext): Route =>
  route('GET /connection/support-file/:connectionId/:zip', {
    needs: supportLogPolicy.read,
    summary: 'A support file',
    params: OfWorkflow.extend({ zip: FileName }),
    produces: 'application/zip',
    answerHeaders: DISPOSITION,
    errors: ['SUPPORT_FILE_NOT_FOUND'],
    sentAs: [[['id'], ['zip']]],
    handle: async ({ params }) => sendFile(await supportLogs.file(params.connectionId, params.zip)),
  });

const deleteConnectionSupportFileByWhich = ({ supportLogs }: SupportLogRouteContext): Route =>
  route('DELETE /connection/support-file/:which', {
    needs: supportLogPolicy.delete,
    success: 204,
    summary: 'Deletes a support file',
    params: z.object({ which: FileName }),
    errors: ['SUPPORT_FILE_NOT_FOUND'],
    sentAs: [[['id'], ['which']]],
    handle: async ({ actor, params }) =>
      void (await supportLogs.remove(actor, { fileName: params.which })),
  });

const putConnectionSupportFileDeleteList = ({
  requests,
  supportLogs,
}: SupportLogRouteContext): Route =>
  route('PUT /connection/support-file/delete/list', {
    servedOnFullDisk: true,
    needs: supportLogPolicy.delete,
    success: 204,
    summary: 'Deletes support files, all or none',
    body: z.object({ filenames: z.array(z.string()) }),
    example: { body: { filenames: [] } },
    errors: ['SUPPORT_FILE_NOT_FOUND'],
    sentAs: [[['ids'], ['filenames']]],
    handle: ({ actor, body }) =>
      requests.deleteListed(body.filenames, (names) => supportLogs.removeList(actor, names)),
  });

/** REST routes of support files, at the paths of the released API. */
export const supportLogRoutes = (
  services: Pick<Services, 'supportLogs' | 'workflows'>,
  presenters: Presenters,
): Route[] => {
  const context = supportLogRouteContext(services, presenters);
  return [
    postConnectionExecuteSupportFile,
    getConnectionSupportFileList,
    getConnectionSupportFileListOfWorkflow,
    getConnectionSupportFileByWhich,
    getConnectionSupportFileByZip,
    deleteConnectionSupportFileByWhich,
    putConnectionSupportFileDeleteList,
  ].map((create) => create(context));
};
