import { createParser } from 'eventsource-parser';

/** A server-sent event as defined in the WHATWG HTML standard. */
export interface StreamEvent {
  readonly type: string;
  readonly data: string;
}

/** The maximum length of an event; a longer event means that the stream is broken or hostile. Characters. */
const MAX_EVENT_LENGTH = 8 * 1024 * 1024;

/**
 * Parses a stream from its chunks and returns the completed events. Comments (heartbeats), ids and retry hints return
 * no event.
 */
export class EventStreamReader {
  #events: StreamEvent[] = [];
  #isTooLong = false;
  readonly #parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ event, data }) => {
      this.#events.push({ type: event ?? 'message', data });
    },
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') this.#isTooLong = true;
    },
  });

  push(text: string): StreamEvent[] {
    this.#parser.feed(text);
    if (this.#isTooLong) throw new Error('an event of the live feed is too long');
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
