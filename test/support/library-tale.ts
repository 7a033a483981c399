import { EventEmitter, once } from 'node:events';
import { Arg, Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root, Subscription } from 'type-graphql';
import type { GraphqlContext } from '../../src/platform/context';
import { Refused } from '../../src/platform/errors/errors';
import { SharedEvents } from '../../src/platform/events/shared-events';
import { Needs } from '../../src/platform/graphql/needs';

@ObjectType({ description: 'A line of a tale.' })
export class Line {
  @Field(() => Int, { description: 'Which one, from 1.' })
  readonly number!: number;

  @Field(() => String, { description: 'What it says.' })
  readonly text!: string;
}

/** A tale that many hear: whoever comes later hears what he missed first. */
export class Tale {
  private readonly lines: Line[] = [];
  private isOver = false;
  private failure: Error | null = null;
  private readonly news = new EventEmitter().setMaxListeners(0);
  /** Who was told of a line, each time one was made up for somebody. */
  readonly made: string[] = [];
  /** What the making of `carefully` waits for. */
  mayBeMade: Promise<unknown> = Promise.resolve();
  /** Called when the making of `carefully` has begun. */
  onMaking: () => void = () => undefined;

  get length(): number {
    return this.lines.length;
  }

  tell(text = ''): void {
    this.lines.push({ number: this.lines.length + 1, text });
    this.news.emit('news');
  }

  end(failure: Error | null = null): void {
    this.isOver = true;
    this.failure = failure;
    this.news.emit('news');
  }

  async* read(place: number, signal: AbortSignal): AsyncGenerator<Line, void, undefined> {
    let next = place;
    while (!signal.aborted) {
      while (next < this.lines.length) {
        next += 1;
        yield this.lines[next - 1];
      }
      if (this.failure) throw this.failure;
      if (this.isOver) return;
      await once(this.news, 'news', { signal }).catch(() => undefined);
    }
  }
}

/** The tale that is told at present. */
export const telling = { tale: new Tale() };

@Resolver(() => Line)
export class TaleResolver {
  @Subscription(() => Line, {
    description: 'The tale, after a line.',
    subscribe: ({ args, context }: { args: { after: number }; context: GraphqlContext }) => {
      const { tale } = telling;
      return new SharedEvents<Line>({ channel: 'tale', start: args.after, placeOf: ({ number }) => number, open: (place, signal) => tale.read(place, signal) }, context.signal);
    },
  })
  @Needs('USER:READ')
  tale(@Root() line: Line, @Arg('after', () => Int, { defaultValue: 0, description: 'The last that was heard.' }) _after: number): Line {
    return line;
  }

  @FieldResolver(() => String, { description: 'Who is told.' })
  toldTo(@Ctx() { actor }: GraphqlContext): string {
    telling.tale.made.push(actor.email);
    return actor.email;
  }

  @FieldResolver(() => String, { description: 'What it says, made up with care.' })
  async carefully(@Root() { text }: Line): Promise<string> {
    telling.tale.onMaking();
    await telling.tale.mayBeMade;
    return text;
  }

  @FieldResolver(() => String, { nullable: true, description: 'What it says, unless that is nothing.' })
  said(@Root() { text }: Line): string {
    if (text === '') throw new Refused('BAD_REQUEST', 'Nothing was said.');
    return text;
  }
}
