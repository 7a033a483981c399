import { Client } from '@stomp/stompjs';
import SockJS from 'sockjs-client';

/** `token`: the whole `Authorization` value of a login. `onLine` hears the tests that this user starts with `?channelId=` of this channel. */
export function watchTests(
  url: string,
  token: string,
  channelId: string,
  onLine: (line: unknown) => void,
  onSignedOut: () => void,
): Client {
  const client = new Client({
    webSocketFactory: () => new SockJS(`${url}/websocket?token=${encodeURIComponent(token)}`),
    onConnect: () => {
      client.subscribe('/user/session', onSignedOut);
      client.subscribe(`/execution/logs/${channelId}`, ({ body }) => onLine(JSON.parse(body)));
    },
  });
  client.activate();
  return client;
}
