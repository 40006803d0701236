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
  #rest = '';
  #type = '';
  #data: string[] = [];

  push(text: string): StreamEvent[] {
    this.#rest += text;
    const events: StreamEvent[] = [];
    for (;;) {
      const end = /\r\n|\n|\r(?=.)/s.exec(this.#rest);
      if (end === null) break;
      const line = this.#rest.slice(0, end.index);
      this.#rest = this.#rest.slice(end.index + end[0].length);
      const event = this.#line(line);
      if (event !== undefined) events.push(event);
    }
    if (this.#rest.length > MAX_EVENT_LENGTH) throw new Error('an event of the live feed is too long');
    return events;
  }

  #line(line: string): StreamEvent | undefined {
    if (line === '') {
      const event = { type: this.#type === '' ? 'message' : this.#type, data: this.#data.join('\n') };
      const complete = this.#data.length > 0;
      this.#type = '';
      this.#data = [];
      return complete ? event : undefined;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#type = value;
    else if (field === 'data') this.#data.push(value);
    return undefined;
  }
}
