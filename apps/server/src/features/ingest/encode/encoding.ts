import type { IngestBody } from '@throughline/contract';
import type { Redactor } from '@throughline/contract/redaction';
import type { z } from 'zod';
import type { ProjectId } from '../../../platform/ids.ts';
import type { StepKinds } from '../../rollups/index.ts';
import type { CapturedStep } from '../decode/captured-step.ts';
import type { ErrorPlace } from './error-place.ts';
import type { TraceAttributes } from './trace-attributes.ts';

export interface Encoding {
  readonly projectId: ProjectId;
  readonly service: z.output<typeof IngestBody>['service'];
  readonly redactor: Redactor;
  readonly nowMicros: bigint;
  /** Returns a step's captured values by the step's position in the flow, if the trace's JSON does not contain them. */
  readonly captured?: (step: number) => CapturedStep | undefined;
}
/** An encoding that also records attributes and step kinds for search, and where the request's error was thrown. */
export interface NotingEncoding extends Encoding {
  readonly found: TraceAttributes;
  readonly kinds: StepKinds;
  readonly place: ErrorPlace;
}
