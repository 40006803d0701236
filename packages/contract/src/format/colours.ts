/** Semantic colours. The theme maps each of them to shades that are legible on light and dark backgrounds. */
export type Tone = 'blue' | 'green' | 'amber' | 'red' | 'darkRed' | 'purple' | 'grey';

const METHOD_TONES: Readonly<Record<string, Tone>> = {
  GET: 'blue',
  POST: 'green',
  PUT: 'amber',
  DELETE: 'red',
  PATCH: 'purple',
};

export function chooseMethodTone(method: string): Tone {
  return METHOD_TONES[method.toUpperCase()] ?? 'grey';
}

/** Colour of a status: 2xx green, 3xx amber, 4xx red, 5xx dark red, 1xx grey; no status (no response was sent) dark red. */
export function chooseStatusTone(statusCode: number | null): Tone {
  if (statusCode === null || statusCode >= 500) return 'darkRed';
  if (statusCode >= 400) return 'red';
  if (statusCode >= 300) return 'amber';
  if (statusCode >= 200) return 'green';
  return 'grey';
}

/** Requests that take longer than this, in milliseconds, are amber. Above `VERY_SLOW_MS` they are red. */
export const SLOW_MS = 500;
export const VERY_SLOW_MS = 1000;

export function chooseDurationTone(ms: number): Tone {
  if (ms > VERY_SLOW_MS) return 'red';
  return ms > SLOW_MS ? 'amber' : 'green';
}

/** True if the error flag is set, the status is 400 or more, or there is no status. */
export function isErrorTrace(statusCode: number | null, hasError: boolean): boolean {
  return hasError || statusCode === null || statusCode >= 400;
}
