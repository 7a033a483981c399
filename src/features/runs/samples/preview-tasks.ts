import { previewBinding, previewTexts } from '../../../engine';
import type { PreviewKind, PreviewPlace } from '../../../engine';

/** Previews: a text may insert large answers many times. */
export const previewTasks = {
  previewTexts: ({
    place,
    kind,
    texts,
  }: {
    place: PreviewPlace;
    kind: PreviewKind;
    texts: readonly string[];
  }) => previewTexts(place, kind, texts),
  previewBinding: ({ place, binding }: { place: PreviewPlace; binding: unknown }) =>
    previewBinding(place, binding),
};

export type PreviewTasks = typeof previewTasks;
