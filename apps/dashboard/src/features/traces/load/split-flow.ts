/** A response with a trace, split into JSON strings that can be parsed separately. */
export interface SplitTrace {
  /** The response with an empty flow. */
  readonly frame: string;
  /** The flow's steps as JSON arrays of several steps each. */
  readonly parts: readonly string[];
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Nesting depth of the array `flow` in the response, `{"trace":{…,"flow":[`. */
const FLOW_DEPTH = 2;
const FLOW = new TextEncoder().encode('"flow":');

/**
 * Splits the response `{"trace":{…,"flow":[…],…}}` into parts with several steps each. Returns undefined if the JSON has no such flow, or
 * ends within the flow. Expects JSON as the server writes it, without white space between a name, its colon and its value.
 */
export function splitFlow(bytes: Uint8Array, stepsInPart: number): SplitTrace | undefined {
  const text = new TextDecoder();
  const flow = findFlow(bytes);
  if (flow === undefined) return undefined;
  const parts: string[] = [];
  let [depth, from, steps] = [0, flow, 0];
  for (let at = flow; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE_LIST && depth === 0) {
      if (at > from) parts.push(`[${text.decode(bytes.subarray(from, at))}]`);
      const frame = text.decode(bytes.subarray(0, flow)) + text.decode(bytes.subarray(at));
      return { frame, parts };
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1;
    else if (byte === COMMA && depth === 0) {
      steps += 1;
      if (steps % stepsInPart !== 0) continue;
      parts.push(`[${text.decode(bytes.subarray(from, at))}]`);
      from = at + 1;
    }
  }
  return undefined;
}

/** Returns the index of the first byte after the `[` of the flow, or undefined if the JSON has no flow. */
function findFlow(bytes: Uint8Array): number | undefined {
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth -= 1;
    else if (byte === QUOTE) {
      const value = at + FLOW.length;
      if (
        depth === FLOW_DEPTH &&
        bytes[value] === OPEN_LIST &&
        FLOW.every((each, index) => bytes[at + index] === each)
      ) {
        return value + 1;
      }
      at = endOfString(bytes, at);
    }
  }
  return undefined;
}

/**
 * Returns the index of the closing quote of the string whose opening quote is at `from`. Returns `bytes.length` if the string is not
 * closed.
 */
function endOfString(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; at < bytes.length; at += 1) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
}
