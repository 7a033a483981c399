import type { UnloadedMessages } from './use-run-view';

/** Loads the events of a run that is read from its log. */
export function LoadEvents({
  unloaded: { load, progress },
  text,
}: {
  unloaded: UnloadedMessages;
  text: string;
}) {
  return progress === null ? (
    <button type="button" class="button" onClick={load}>
      {text}
    </button>
  ) : (
    <span class="quiet num" role="status">
      {progress}
    </span>
  );
}
