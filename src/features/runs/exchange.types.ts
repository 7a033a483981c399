import { Field, Float, Int, ObjectType } from 'type-graphql';
import type {
  HttpMethod as HttpMethodName,
  RecordedExchange,
  RequestSegment as SentSegment,
  ResponseSegment as ReceivedSegment,
} from '../../engine';
import { JSONValue } from '../../platform/graphql/schema/scalars';
import { HttpMethod } from '../workflows/document/step.types';

@ObjectType({ description: 'A sent request, with secrets masked.' })
export class RequestSegment implements SentSegment {
  @Field(() => String, { description: 'Called URL.' })
  readonly url!: string;

  @Field(() => HttpMethod, { description: 'HTTP method.' })
  readonly method!: HttpMethodName;

  @Field(() => JSONValue, { description: 'Header names and values.' })
  readonly header!: Record<string, string>;

  @Field(() => String, { description: 'Body as text; long bodies are shortened.' })
  readonly payload!: string;
}

@ObjectType({ description: 'A received response, with secrets masked.' })
export class ResponseSegment implements ReceivedSegment {
  @Field(() => Int, { description: 'HTTP status.' })
  readonly status!: number;

  @Field(() => Float, { description: 'From the request to the end of the response, ms.' })
  readonly durationMs!: number;

  @Field(() => JSONValue, { description: 'Header names and values.' })
  readonly header!: Record<string, string>;

  @Field(() => String, { description: 'Body as text; long bodies are shortened.' })
  readonly payload!: string;
}

@ObjectType({ description: 'The request and the response of a step, with secrets masked.' })
export class RunExchange implements RecordedExchange {
  @Field(() => RequestSegment, { description: 'The request.' })
  readonly request!: RequestSegment;

  @Field(() => ResponseSegment, { nullable: true, description: 'The response, if there was one.' })
  readonly response?: ResponseSegment;
}
