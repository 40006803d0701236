import { EchoSearch, HiddenTexts } from '@throughline/contract/redaction';
import { JsonTape } from '../record/json-tape.ts';
import { type Redactor, redactHead, redactTrace } from '../redact/redact.ts';
import type { FinishedTrace, WireTrace } from './wire.ts';
import { writeJson } from './write-json.ts';
import { writeStep } from './write-step.ts';

const FIRST_BLOCK = 64 * 1024;
/** What is kept from one trace to the next. */
const KEPT_BLOCK = 4 * 1024 * 1024;
const CLOSE = 0x7d;
const CLOSE_LIST = 0x5d;

let tape = new JsonTape(FIRST_BLOCK);

/**
 * The trace as JSON in UTF-8, without secrets (as it is, without a redactor). A text that is hidden for its name is hidden in the whole trace.
 * About 15 µs for a trace of 15 steps. The bytes are good until the next call.
 */
export function writeTrace(trace: FinishedTrace, redactor: Redactor | null): Uint8Array {
  tape.end = 0;
  if (redactor === null) write(trace, null);
  else redactor.collectSecrets(trace.secrets, () => write(trace, redactor));
  const json = tape.bytes.subarray(0, tape.end);
  if (tape.capacity > KEPT_BLOCK) tape = new JsonTape(FIRST_BLOCK);
  if (redactor === null || trace.secrets.size === 0 || !new EchoSearch(trace.secrets).isIn(json)) return json;
  return Buffer.from(writeJson(withoutTexts(json.toString(), redactor, trace.secrets)));
}

function write(trace: FinishedTrace, redactor: Redactor | null): void {
  const { flow, secrets: _, tape: __, ...head } = trace;
  tape.json(writeJson(redactor === null ? head : redactHead(head, redactor)));
  tape.end--;
  tape.json(',"flow":[');
  for (const step of flow) writeStep(tape, step, redactor);
  tape.close(CLOSE_LIST);
  tape.end--;
  tape.byte(CLOSE);
}

function withoutTexts(json: string, redactor: Redactor, secrets: ReadonlySet<string>): WireTrace {
  const trace: WireTrace = JSON.parse(json);
  return redactor.hideSecrets(new HiddenTexts(secrets), () => redactTrace(trace, redactor));
}
