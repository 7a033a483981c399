import { useState } from 'preact/hooks';
import { toFailure } from '../../api/failure';
import { request } from '../../api/request';
import { CurlAsRequestDocument } from '../../generated/operations';
import { Button } from '../../parts/button';
import type { MethodStep } from '../document';
import { useStepContext } from '../fields/step-context';

/** Fills the request from a cURL command. */
export function CurlField({ step }: { step: MethodStep }) {
  const { session } = useStepContext();
  const [command, setCommand] = useState('');
  const [messages, setMessages] = useState<readonly string[]>([]);
  if (session.isReadOnly.value) return null;
  const fill = async (): Promise<void> => {
    try {
      const { requestFromCurl } = await request(CurlAsRequestDocument, { command });
      const { httpMethod, url, header, body, warnings } = requestFromCurl;
      session.update(step.id, {
        method: { request: { httpMethod, endpoint: url, header, body } },
      });
      setMessages(warnings);
      setCommand('');
    } catch (error) {
      setMessages([toFailure(error).message]);
    }
  };
  return (
    <details>
      <summary>Fill from a cURL command</summary>
      <label class="field">
        cURL command
        <textarea
          rows={3}
          placeholder="curl https://api.example.com/tickets -H 'Accept: application/json'"
          value={command}
          onInput={({ currentTarget }) => setCommand(currentTarget.value)}
        />
      </label>
      <div role="status">
        {messages.map((message) => (
          <p key={message} class="warn">
            {message}
          </p>
        ))}
      </div>
      <Button class="button" isDisabled={command.trim() === ''} onClick={() => void fill()}>
        Fill the request
      </Button>
    </details>
  );
}
