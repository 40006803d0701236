import { SLOW_MS, VERY_SLOW_MS } from './formats.ts';

/** The meaning colours of the product, by name; the theme turns a name into a tone that reads on light and dark. */
export type Tone = 'blue' | 'green' | 'amber' | 'red' | 'darkRed' | 'purple' | 'grey';

const METHOD_TONES: Readonly<Record<string, Tone>> = {
  GET: 'blue',
  POST: 'green',
  PUT: 'amber',
  DELETE: 'red',
  PATCH: 'purple',
};

export function methodTone(method: string): Tone {
  return METHOD_TONES[method.toUpperCase()] ?? 'grey';
}

/** 2xx green, 3xx amber, 4xx red, 5xx dark red; no status (the request never got an answer) dark red. */
export function statusTone(statusCode: number | null): Tone {
  if (statusCode === null || statusCode >= 500) return 'darkRed';
  if (statusCode >= 400) return 'red';
  if (statusCode >= 300) return 'amber';
  if (statusCode >= 200) return 'green';
  return 'grey';
}

export function durationTone(ms: number): Tone {
  if (ms > VERY_SLOW_MS) return 'red';
  return ms > SLOW_MS ? 'amber' : 'green';
}

/** An error is a status of 400 or more, no status at all, or the error flag. */
export function isErrorTrace(statusCode: number | null, hasError: boolean): boolean {
  return hasError || statusCode === null || statusCode >= 400;
}
