import type { Failure } from '../api/failure';
import { useCopy } from './copy-text';

/** The id of a failed request, which the log of the service has too, with a button that copies it. */
export function RequestId({ id }: { id: string | null }) {
  const { copy, result } = useCopy(id ?? '', 'Select the id to copy it.');
  if (id === null) return null;
  return (
    <small class="request-id">
      Request <code>{id}</code>{' '}
      <button type="button" class="link" aria-label="Copy the request id" onClick={copy}>
        Copy
      </button>{' '}
      <span role="status">{result}</span>
    </small>
  );
}

/** The message of a failure, with its request id. */
export const FailureText = ({ failure: { message, requestId } }: { failure: Failure }) => (
  <>
    {message}
    <RequestId id={requestId} />
  </>
);
