/** One event of a live feed, with its data as a string. */
export interface FeedEvent {
  readonly event: string;
  readonly data: string;
}

/** Yields the events of a stream as they arrive, without comments. */
export async function* feedEvents(answer: Response): AsyncGenerator<FeedEvent> {
  if (answer.body === null) throw new Error('the stream has no body');
  let text = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n');
      text = text.slice(end + 2);
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? '';
      if (field('event') !== '') yield { event: field('event'), data: field('data') };
    }
  }
}
