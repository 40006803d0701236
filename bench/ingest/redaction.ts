/**
 * Measures how fast traces without secrets are redacted: MB of JSON per second of CPU time. The result is the best of 25 rounds.
 *
 *   node --conditions=source bench/ingest/redaction.ts
 */
import { Redactor, redactStepFields, redactTraceHead } from '@throughline/contract/redaction';
import { generateTraces } from '../lib/trace-generator.ts';

const TRACES = 120;
const ROUNDS = 25;

const generated = generateTraces(7, () => 1_767_225_600_000);
const traces = Array.from({ length: TRACES }, () => generated.next().value);
const redactor = new Redactor();

function redactAll(): void {
  for (const { flow, ...head } of traces) {
    redactor.collectSecrets(new Set(), () => {
      redactTraceHead(head, redactor);
      for (const step of flow) redactStepFields(step, redactor);
    });
  }
}

/** Returns the CPU time in microseconds. */
function measure(): number {
  const before = process.cpuUsage();
  redactAll();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

const best = Math.min(...Array.from({ length: ROUNDS }, measure));
console.log(`${(JSON.stringify(traces).length / best).toFixed(0)} MB/s`);
