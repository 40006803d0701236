import type { ErrorGroup } from '@throughline/contract';

/** Reads where an error was thrown, as it is stored for each request: the type, the function and the file, one per line. */
export function readPlace(place: string): ErrorGroup['thrownBy'] {
  if (place === '') return null;
  const [type = '', name = '', file = ''] = place.split('\n');
  return { type, function: name, file: file === '' ? null : file };
}
