import { setTimeout as pause } from 'node:timers/promises';
import type { Page, WebSocketRoute } from 'playwright-core';

/** The line of a page's sockets: what is followed over it can be seen, and it can break in all the ways lines do. */
export interface WatchedLine {
  /** Waits until the page has begun so many subscriptions, in all its sockets, and follows so many of them. */
  reaches(counts: { begun: number; followed: number }): Promise<void>;
  /** Sockets break, and no others can be opened. */
  cut(): void;
  mend(): void;
  /** Nothing comes over the sockets that are open now any more, not even that they are closed. */
  fallSilent(): void;
  /** The next result comes with an error in a part of it. */
  spoil(code: string): void;
}

const PATIENCE_MS = 10_000;
const LOOK_MS = 20;

/** Sockets of this page from now on go over such a line. */
export async function watchedLine(page: Page): Promise<WatchedLine> {
  const followed = new Set<string>();
  const open = new Set<WebSocketRoute>();
  let begun = 0;
  let isCut = false;
  let spoiledBy: string | null = null;

  await page.routeWebSocket(/\/graphql$/, (socket) => {
    followed.clear();
    if (isCut) return void socket.close({ code: 4_000 });
    open.add(socket);
    const service = socket.connectToServer();
    socket.onMessage((text) => {
      if (!open.has(socket)) return;
      const { id, type } = JSON.parse(String(text));
      if (type === 'complete') followed.delete(id);
      if (type === 'subscribe') {
        begun += 1;
        followed.add(id);
      }
      service.send(text);
    });
    service.onMessage((text) => {
      if (!open.has(socket)) return;
      const message = JSON.parse(String(text));
      if (message.type === 'complete' || message.type === 'error') followed.delete(message.id);
      if (message.type === 'next' && spoiledBy !== null) {
        message.payload.errors = [
          { message: 'A part of it is missing.', extensions: { code: spoiledBy } },
        ];
        spoiledBy = null;
      }
      socket.send(JSON.stringify(message));
    });
    socket.onClose((code, reason) => {
      if (open.delete(socket)) void service.close({ code, reason });
    });
    service.onClose((code, reason) => {
      if (open.delete(socket)) void socket.close({ code, reason });
    });
  });

  return {
    async reaches(counts) {
      for (
        const begin = Date.now();
        begun !== counts.begun || followed.size !== counts.followed;
        await pause(LOOK_MS)
      ) {
        if (Date.now() - begin > PATIENCE_MS)
          throw new Error(
            `The page has begun ${begun} subscriptions, and follows ${followed.size} of them.`,
          );
      }
    },
    cut() {
      isCut = true;
      for (const socket of open) void socket.close({ code: 4_000 });
      open.clear();
    },
    mend() {
      isCut = false;
    },
    fallSilent() {
      open.clear();
    },
    spoil(code) {
      spoiledBy = code;
    },
  };
}
