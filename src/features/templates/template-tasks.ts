import type { Report } from '../../platform/contained/tasks';
import { readTemplateArchive, readTemplateFile } from './template-files';
import type { PackedTemplate } from './template-packing';

/** What reads files of templates: in a process of its own where they are large. */
export const templateTasks = {
  template: (file: Buffer): Promise<PackedTemplate> => readTemplateFile(file),
  templates: (archive: Buffer, report: Report): Promise<PackedTemplate[]> =>
    readTemplateArchive(archive, report),
};

export type TemplateTasks = typeof templateTasks;
