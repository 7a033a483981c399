import { ObjectId } from 'bson';
import { packJson } from '../workflows/workflow-document.service';
import type { PackedJson } from '../workflows/workflow-document.service';
import type { TemplateBody } from './body/template-body';
import type { TemplateFacts } from './template.rules';

/** A template with a compressed body, ready to be written. Created outside of transactions. */
export interface PackedTemplate extends TemplateFacts {
  readonly templateId: string;
  readonly connectors: TemplateBody['connectors'];
  readonly leftOut: TemplateBody['leftOut'];
  readonly warnings: TemplateBody['warnings'];
  readonly content: PackedJson;
}

export async function packTemplate(
  templateId: string,
  { name, description, license }: TemplateFacts,
  { document, connectors, leftOut, warnings }: TemplateBody,
): Promise<PackedTemplate> {
  return {
    templateId,
    name,
    description,
    license,
    connectors,
    leftOut,
    warnings,
    content: await packJson(new ObjectId().toHexString(), document),
  };
}
