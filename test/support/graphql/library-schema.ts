import 'reflect-metadata';
import type { FileUpload } from 'graphql-upload-minimal';
import {
  Arg,
  Args,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import { BadInput, Conflict, RateLimited, Refused } from '../../../src/platform/errors/errors';
import type { GraphqlContext } from '../../../src/platform/context';
import {
  ConnectionArgs,
  ConnectionOf,
  nestedPage,
} from '../../../src/platform/graphql/schema/connection';
import { enumFilter } from '../../../src/platform/graphql/schema/filters';
import { databaseId } from '../../../src/platform/graphql/schema/ids';
import { Needs, SurvivesSessionEnd } from '../../../src/platform/graphql/schema/needs';
import { Node, registerNode } from '../../../src/platform/graphql/schema/node';
import { MutationPayload, payload } from '../../../src/platform/graphql/schema/payload';
import { DateTime, JSONValue, Upload } from '../../../src/platform/graphql/schema/scalars';
import { events } from '../../../src/platform/graphql/subscriptions/event-queue';
import { readUpload } from '../../../src/platform/graphql/schema/upload';
import { viewerCan, viewerCanType } from '../../../src/platform/graphql/schema/viewer-can';
import { Page } from '../../../src/platform/store/lists/page';
import { FeedResolver } from './library-feed';

const bookPolicy = { read: 'USER:READ', burn: 'admin' } as const;
const BookViewerCan = viewerCanType('BookViewerCan', bookPolicy);

export const Genre = { NOVEL: 'NOVEL', POEMS: 'POEMS' } as const;
registerEnumType(Genre, {
  name: 'Genre',
  description: 'Kind of book.',
  valuesConfig: { NOVEL: { description: 'Prose.' }, POEMS: { description: 'Verse.' } },
});
const GenreFilter = enumFilter(Genre, 'Genre');

@ObjectType({ implements: Node, description: 'Where books stand.' })
class Shelf {
  readonly _id!: number;

  @Field(() => String, { description: 'Its name.' })
  readonly name!: string;
}

@ObjectType({ implements: Node, description: 'A book.' })
export class Book {
  readonly _id!: number;

  @Field(() => String, { description: 'Its title.' })
  readonly title!: string;

  @Field(() => Genre, { description: 'Its kind.' })
  readonly genre!: string;

  @Field(() => String, { nullable: true, description: 'What only administrators read.' })
  @Needs('admin')
  readonly secret!: string | null;

  readonly shelfId!: number;
}

const BookConnection = ConnectionOf(Book, 'BookConnection');

@ObjectType({ description: 'A hole without ground.' })
class Well {
  @Field(() => Well, { description: 'Deeper.' })
  get down(): Well {
    return new Well();
  }

  @Field(() => Int, { description: 'How deep.' })
  readonly depth: number = 1;
}

@InputType({ description: 'A new book.' })
class BookCreateInput {
  @Field(() => String, { description: 'Its title.' })
  readonly title!: string;
}

@ObjectType({ description: 'Result of a new book.' })
class BookPayload extends MutationPayload {
  @Field(() => Book, { nullable: true, description: 'The book.' })
  readonly book!: Book | null;
}

@ObjectType({ description: 'What came with a request.' })
class Cover {
  @Field(() => String, { description: 'Name of the file.' })
  readonly fileName!: string;

  @Field(() => Int, { description: 'Its size.' })
  readonly bytes!: number;
}

@ObjectType({ description: 'Something happened.' })
class Tick {
  @Field(() => Int, { description: 'Which one.' })
  readonly number!: number;

  @Field(() => String, { nullable: true, description: 'A text of any length.' })
  readonly text?: string;
}

const BOOKS: Book[] = Array.from({ length: 250 }, (_, index) => ({
  _id: index + 1,
  title: `Book ${index + 1}`,
  genre: index % 2 ? 'POEMS' : 'NOVEL',
  secret: 'in the binding',
  shelfId: (index % 5) + 1,
}));
const SHELVES: Shelf[] = [1, 2, 3, 4, 5].map((_id) => ({ _id, name: `Shelf ${_id}` }));

/** Counts the batched reads of shelves and their books. */
export const shelfReads: number[][] = [];
export const booksReads: number[][] = [];
const forever = new Promise<string>(() => undefined);

/** Every created cursor. */
export const cursorsMade: string[] = [];
function cursor(book: Book | undefined): string {
  cursorsMade.push(`cursor ${book?._id}`);
  return `cursor ${book?._id}`;
}

const pageOfAll = (all: readonly Book[], first?: number | null): Page<Book> =>
  new Page(
    () =>
      Promise.resolve({
        nodes: all.slice(0, first ?? 20),
        cursorAt: (index) => cursor(all[index]),
        more: { before: false, after: true },
      }),
    () => Promise.resolve(all.length),
  );

@Resolver(() => Shelf)
class ShelfResolver {
  @FieldResolver(() => BookConnection, { description: 'What stands there.' })
  books(
    @Root() { _id }: Shelf,
    @Args() { first }: ConnectionArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<Book>> {
    return nestedPage(context, 'books of shelves', _id, { first }, async (shelves) => {
      booksReads.push([...shelves]);
      return shelves.map((shelf) => {
        const all = BOOKS.filter(({ shelfId }) => shelfId === shelf);
        return pageOfAll(all, first);
      });
    });
  }
}

@Resolver(() => Book)
class BookResolver {
  @Query(() => BookConnection, { description: 'The books.' })
  @Needs('USER:READ')
  books(
    @Args() { first }: ConnectionArgs,
    @Arg('genre', () => GenreFilter, { nullable: true, description: 'Of this kind.' })
    genre?: InstanceType<typeof GenreFilter>,
  ): Page<Book> {
    const all = BOOKS.filter((book) => genre?.eq === undefined || book.genre === genre.eq);
    return pageOfAll(all, first);
  }

  @Query(() => Book, { nullable: true, description: 'One book.' })
  @Needs('USER:READ')
  book(@Arg('id', () => ID, { description: 'Its id.' }) id: string): Book | null {
    return BOOKS[databaseId(id, 'Book') - 1] ?? null;
  }

  @FieldResolver(() => Shelf, { description: 'Where it stands.' })
  shelf(@Root() { shelfId }: Book, @Ctx() context: GraphqlContext): Promise<Shelf | null> {
    return context
      .loader<number, Shelf>('shelves', async (ids) => {
        shelfReads.push([...ids]);
        return ids.map((id) => SHELVES[id - 1] ?? null);
      })
      .load(shelfId);
  }

  @FieldResolver(() => BookViewerCan, { description: 'What you may do with it.' })
  viewerCan(@Ctx() { actor }: GraphqlContext): InstanceType<typeof BookViewerCan> {
    return viewerCan(bookPolicy, actor);
  }

  @Mutation(() => BookPayload, { description: 'Adds a book.' })
  @Needs('USER:CREATE')
  bookCreate(
    @Arg('input', { description: 'The book.' }) { title }: BookCreateInput,
  ): Promise<BookPayload> {
    return payload('book', async () => {
      if (title === 'taken')
        throw new Conflict('CONFLICT', 'There is one of this title.', { path: ['title'] });
      if (title === 'bad')
        throw new BadInput('BAD_REQUEST', 'Not a title.', {
          problems: [
            { code: 'TEXT_TOO_LONG', path: ['title'], message: 'Too short.' },
            { code: 'LIST_TOO_LONG', path: ['pages', 3], message: 'Torn.' },
          ],
        });
      if (title === 'burnt') throw new Refused('CHANGE_DENIED', 'Not this one.');
      if (title === 'limited') throw new RateLimited('Slowly.', 30, 'TOO_MANY_CALLS');
      if (title === 'broken') throw new Error('the press is on fire at 10.0.0.7');
      return { _id: 1000, title, genre: 'NOVEL', secret: null, shelfId: 1 };
    });
  }
}

@Resolver()
class OddsResolver {
  @Query(() => String, { description: 'For everybody.' })
  @Needs('public')
  open(): string {
    return 'come in';
  }

  @Query(() => String, { description: 'Who you are.' })
  @Needs('authenticated')
  me(@Ctx() { actor }: GraphqlContext): string {
    return actor.email;
  }

  @Query(() => String, { nullable: true, description: 'A profile.' })
  @Needs({ own: 'MYPROFILE:READ', others: 'USER:READ' })
  profile(@Arg('id', () => ID, { description: 'Whose.' }) id: string): string {
    return `profile ${databaseId(id, 'User')}`;
  }

  @Query(() => String, { nullable: true, description: 'Breaks.' })
  @Needs('public')
  fault(): string {
    throw new Error('password=hunter2 at 10.0.0.7');
  }

  @Query(() => String, { description: 'Never answers.' })
  @Needs('public')
  forever(@Ctx() { signal }: GraphqlContext): Promise<string> {
    signal.addEventListener('abort', () => abandoned.push('forever'));
    return forever;
  }

  @Query(() => Well, { description: 'A hole.' })
  @Needs('public')
  well(): Well {
    return new Well();
  }

  @Query(() => JSONValue, { nullable: true, description: 'What you say.' })
  @Needs('public')
  echo(
    @Arg('value', () => JSONValue, { nullable: true, description: 'Anything.' }) value: unknown,
    @Arg('at', () => DateTime, { nullable: true, description: 'When.' }) at?: Date,
  ): unknown {
    return at ?? value;
  }

  @Query(() => JSONValue, { nullable: true, description: 'What cannot be written.' })
  @Needs('public')
  unwritable(@Arg('how', () => String, { description: 'In which way.' }) how: string): unknown {
    const circle: Record<string, unknown> = {
      password: 'hunter2',
      text: 'x'.repeat(how.length ** 3),
    };
    circle.self = how.startsWith('circle') ? circle : 10n;
    return circle;
  }

  @Mutation(() => Cover, { description: 'Takes a picture.' })
  @Needs('USER:UPDATE')
  async cover(
    @Arg('file', () => Upload, { description: 'The picture.' }) file: Promise<FileUpload>,
  ): Promise<Cover> {
    const { fileName, bytes } = await readUpload(file, 20 * 1024 * 1024);
    return { fileName, bytes: bytes.length };
  }

  @Mutation(() => Boolean, { description: 'Ignores what it gets.' })
  @Needs('public')
  throwAway(
    @Arg('file', () => Upload, { description: 'Anything.' }) _file: Promise<FileUpload>,
  ): boolean {
    return true;
  }
}

/** Delays the final event of an ended session. */
export const lastWords = { mayBeSent: Promise.resolve() };

/** Operations that noticed an abort. */
export const abandoned: string[] = [];

/** The recipient of each computed tick. */
export const ticksMade: string[] = [];

@Resolver(() => Tick)
class TickResolver {
  @FieldResolver(() => String, { description: 'The recipient.' })
  recipient(@Ctx() { actor }: GraphqlContext): string {
    ticksMade.push(actor.email);
    return actor.email;
  }

  @Subscription(() => Tick, { description: 'Every tick.', subscribe: events<Tick>('tick') })
  @Needs('USER:READ')
  ticks(@Root() tick: Tick): Tick {
    return tick;
  }

  @Subscription(() => String, {
    description: 'Your session was ended.',
    subscribe: events<{ sessionId: string }>(
      'session.ended',
      ({ sessionId }, { context }) => sessionId === context.actor.sessionId,
    ),
  })
  @Needs('authenticated')
  @SurvivesSessionEnd()
  async sessionEnded(@Root() { reason }: { reason: string }): Promise<string> {
    await lastWords.mayBeSent;
    return reason;
  }

  @Subscription(() => Int, {
    description: 'Counts, then waits.',
    subscribe: async function* ({
      args,
      context,
    }: {
      args: { to: number };
      context: GraphqlContext;
    }) {
      try {
        for (let number = 1; number <= args.to; number += 1) yield number;
        await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
      } finally {
        abandoned.push('count');
      }
    },
  })
  @Needs('public')
  count(
    @Root() number: number,
    @Arg('to', () => Int, { description: 'Up to.' }) _to: number,
  ): number {
    return number;
  }
}

registerNode('Book', async (id) => BOOKS[id - 1] ?? null, 'USER:READ');
registerNode('Shelf', async (id) => SHELVES[id - 1] ?? null, 'admin');

export const LIBRARY = [BookResolver, ShelfResolver, OddsResolver, TickResolver, FeedResolver];
