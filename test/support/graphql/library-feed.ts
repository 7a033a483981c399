import { EventEmitter, once } from 'node:events';
import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  Int,
  ObjectType,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import type { GraphqlContext } from '../../../src/platform/context';
import { Refused } from '../../../src/platform/errors/errors';
import { SharedEvents } from '../../../src/platform/events/shared-events';
import { Needs } from '../../../src/platform/graphql/schema/needs';
import { JSONValue } from '../../../src/platform/graphql/schema/scalars';

@ObjectType({ description: 'A line of a feed.' })
export class Line {
  @Field(() => Int, { description: 'Number of the line, from 1.' })
  readonly number!: number;

  @Field(() => String, { description: 'Text of the line.' })
  readonly text!: string;
}

/** A stream of lines; late subscribers receive the missed lines first. */
export class Feed {
  private readonly all: Line[] = [];
  private isOver = false;
  private failure: Error | null = null;
  private readonly news = new EventEmitter().setMaxListeners(0);
  /** Number of lines read from the source. */
  read = 0;
  /** Number of `plainly` executions. */
  executed = 0;
  /** Number of `plainly` serialisations. */
  written = 0;
  /** Delays `carefully`. */
  mayBeMade: Promise<unknown> = Promise.resolve();
  /** Called when `carefully` starts. */
  onMaking: () => void = () => undefined;

  get length(): number {
    return this.all.length;
  }

  append(text = ''): void {
    this.all.push({ number: this.all.length + 1, text });
    this.news.emit('news');
  }

  end(failure: Error | null = null): void {
    this.isOver = true;
    this.failure = failure;
    this.news.emit('news');
  }

  async *lines(place: number, signal: AbortSignal): AsyncGenerator<Line, void, undefined> {
    let next = place;
    while (!signal.aborted) {
      while (next < this.all.length) {
        next += 1;
        this.read += 1;
        yield this.all[next - 1];
      }
      if (this.failure) throw this.failure;
      if (this.isOver) return;
      await once(this.news, 'news', { signal }).catch(() => undefined);
    }
  }
}

/** The current feed. */
export const current = { feed: new Feed() };

@Resolver(() => Line)
export class FeedResolver {
  @Subscription(() => Line, {
    description: 'The lines after a line.',
    subscribe: ({ args, context }: { args: { after: number }; context: GraphqlContext }) => {
      const { feed } = current;
      return new SharedEvents<Line>(
        {
          channel: 'feed',
          start: args.after,
          placeOf: ({ number }) => number,
          open: (place, signal) => feed.lines(place, signal),
        },
        context.signal,
      );
    },
  })
  @Needs('USER:READ')
  feed(
    @Root() line: Line,
    @Arg('after', () => Int, { defaultValue: 0, description: 'Number of the last received line.' })
    _after: number,
  ): Line {
    return line;
  }

  @FieldResolver(() => String, { description: 'The recipient.' })
  recipient(@Ctx() { actor }: GraphqlContext): string {
    return actor.email;
  }

  @FieldResolver(() => JSONValue, { description: 'The text, equal for all callers.' })
  plainly(@Root() { text }: Line): unknown {
    const { feed } = current;
    feed.executed += 1;
    return {
      get text() {
        feed.written += 1;
        return text;
      },
    };
  }

  @FieldResolver(() => JSONValue, {
    description: 'Properties of the caller and the request.',
  })
  asSeen(
    @Arg('of', () => [String], { description: 'Names.' }) of: string[],
    @Ctx() { actor, origin }: GraphqlContext,
  ): unknown {
    return of.map((name) => {
      const seen: unknown =
        name in origin ? origin[name as keyof typeof origin] : actor[name as keyof typeof actor];
      return seen instanceof Set ? [...(seen as ReadonlySet<string>)] : seen;
    });
  }

  @FieldResolver(() => String, { description: 'The text, computed with a delay.' })
  async carefully(@Root() { text }: Line): Promise<string> {
    current.feed.onMaking();
    await current.feed.mayBeMade;
    return text;
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The text; an error if it is empty.',
  })
  checkedText(@Root() { text }: Line): string {
    if (text === '') throw new Refused('BAD_REQUEST', 'The line is empty.');
    return text;
  }
}
