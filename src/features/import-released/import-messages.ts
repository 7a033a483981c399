import { DUMP_FILES } from './dump.schema';
import type { DumpEntry } from './dump.schema';
import { importRecord } from './import-context';
import type { ImportContext } from './import-context';
import type { Place, Report } from './report';

/** Channels of the released line, and older names of them. */
const CHANNELS: Readonly<Record<string, string>> = {
  email: 'email',
  incoming_webhook: 'incoming_webhook',
  slack: 'incoming_webhook',
  teams: 'incoming_webhook',
};
const LANGUAGES = ['en', 'de'];

/** Imports templates of messages. Returns the imported ids. */
export async function importMessages(context: ImportContext): Promise<ReadonlySet<number>> {
  const { actor, tx, report, dump, services } = context;
  const imported = new Set<number>();
  for (const [index, message] of dump.messages.entries()) {
    const place = { file: DUMP_FILES.messages.file, index };
    const { templateId: id, name, type } = message;
    const channel = CHANNELS[type.trim().toLowerCase()] ?? type;
    const contents = contentsOf(message, place, report);
    const done = await importRecord(report, place, name, () =>
      services.messageTemplates.create(actor, { name, channel, contents }, { id, tx }),
    );
    if (!done) continue;
    imported.add(id);
    if (channel !== type) report.assumed(place, `${name}: The type ${type} is ${channel} now.`);
  }
  return imported;
}

/** One content for each known language. */
function contentsOf(
  { name, content }: DumpEntry<'messages'>,
  place: Place,
  report: Report,
): { id: number | null; language: string; subject: string; body: string }[] {
  const seen = new Set<string>();
  return content.flatMap(({ contentId, subject, body, language }) => {
    const code = (language ?? '').trim().toLowerCase();
    const problem = !LANGUAGES.includes(code)
      ? 'is not known'
      : seen.has(code)
        ? 'is there already'
        : null;
    if (problem !== null) {
      report.partLeftOut(
        place,
        `${name}: The language ${JSON.stringify(code)} of a content ${problem}.`,
      );
      return [];
    }
    seen.add(code);
    const oneLine = (subject ?? '').replaceAll(/[\r\n]+/g, ' ');
    if (oneLine !== (subject ?? ''))
      report.changed(place, `${name}: Line breaks in a subject are blanks now.`);
    return [{ id: contentId ?? null, language: code, subject: oneLine, body: body ?? '' }];
  });
}
