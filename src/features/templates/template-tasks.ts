import type { Report } from '../../platform/contained/tasks';
import { readTemplateArchive, readTemplateFile } from './template-files';
import type { PackedTemplate } from './template-packing';

/** Tasks that read template files; large files are read in a separate process. */
export const templateTasks = {
  template: (file: Buffer): Promise<PackedTemplate> => readTemplateFile(file),
  templates: (archive: Buffer, report: Report): Promise<PackedTemplate[]> =>
    readTemplateArchive(archive, report),
};

export type TemplateTasks = typeof templateTasks;
