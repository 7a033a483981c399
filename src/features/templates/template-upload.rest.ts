import type { Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { Accepted } from '../../platform/http/respond-async';
import { Reply, routesTagged } from '../../platform/http/route';
import type { Route, UploadedFile } from '../../platform/http/route';
import { templatePolicy } from './template.policy';
import type { TemplateRecord } from './template.model';

const route = routesTagged('Templates');

const bytesOf = (file: UploadedFile | undefined): Buffer => file?.bytes ?? Buffer.alloc(0);

export function templateUploadRoutes(
  { templateImports }: Services,
  { templates: shown }: Presenters,
): Route[] {
  return [
    route('POST /storage/template', {
      needs: templatePolicy.create,
      success: 201,
      record: 'shown',
      upload: { part: 'file' },
      summary: 'Import a template from a JSON file',
      description:
        'Accepts templates of any version and converts them to the form of 5.0. A template with the same id is replaced, which needs SCHEDULE:UPDATE.',
      statuses: { TEMPLATE_INVALID: 400 },
      answer: shown.uploaded.answer,
      errors: ['INPUT_TOO_COMPLEX'],
      handle: async ({ actor, file, origin }) => {
        const record = await templateImports.importFile(actor, bytesOf(file));
        return recordReply(
          shown.uploaded(record, origin.baseUrl),
          record,
          `${origin.baseUrl}/api/template/${record.templateId}`,
        );
      },
    }),
    route('POST /storage/template/zip', {
      needs: templatePolicy.create,
      success: 201,
      upload: { part: 'file' },
      mayRespondAsync: true,
      summary: 'Import the templates of a zip archive of JSON files, all or none',
      description: 'Each gets a new id.',
      statuses: { TEMPLATE_INVALID: 400, ZIP_FILE_REQUIRED: 400, ZIP_INVALID: 400 },
      answer: shown.uploadedList.answer,
      errors: ['INPUT_TOO_COMPLEX'],
      handle: async ({ actor, file, origin, respondAsync }) => {
        const present = (records: readonly TemplateRecord[]): unknown =>
          shown.uploadedList(records, origin.baseUrl);
        if (respondAsync)
          return new Accepted(
            (await templateImports.startArchive(actor, bytesOf(file), present))._id,
            origin.baseUrl,
          );
        return new Reply(present(await templateImports.importArchive(actor, bytesOf(file))), {
          Location: `${origin.baseUrl}/api/template/all`,
        });
      },
    }),
  ];
}
