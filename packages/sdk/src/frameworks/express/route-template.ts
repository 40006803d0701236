import type { Mount } from '../../http/trace/mount.ts';
import type { RequestTrace } from '../../http/trace/request-trace.ts';
import type { Layer, RoutedRequest } from './layer-shape.ts';

const maxMounts = 32;

/** Stores a mount point that the request enters (`/users/42` → `/users/:id`), so that the route below gets its full name. */
export function enterMount(trace: RequestTrace, layer: Layer, req: RoutedRequest): void {
  const actual = req.baseUrl ?? '';
  if (actual === '' || trace.mounts.some((mount) => mount.actual === actual)) return;
  const parent = findDeepestMount(trace, actual);
  const part = actual.slice(parent.actual.length);
  const template =
    typeof layer.rawPath === 'string' ? trimSlash(layer.rawPath) : buildTemplate(part, req.params);
  if (trace.mounts.length < maxMounts) trace.mounts.push({ actual, template: parent.template + template });
}

/** Sets the request's route: the templates of the mounts above the route, followed by the route's own path as the author wrote it. */
export function enterRoute(trace: RequestTrace, path: unknown, req: RoutedRequest): void {
  const prefix = findMountTemplate(trace, req);
  const own = typeof path === 'string' ? path : buildTemplate(stripQuery(req.url), req.params);
  const whole =
    prefix + (own === '/' && prefix !== '' ? '' : own.startsWith('/') || own === '' ? own : `/${own}`);
  trace.route = whole === '' ? '/' : whole;
}

const noMount: Mount = { actual: '', template: '' };

function findDeepestMount(trace: RequestTrace, actual: string): Mount {
  let deepest = noMount;
  for (const mount of trace.mounts) {
    if (mount.actual.length > deepest.actual.length && isBelow(actual, mount.actual)) deepest = mount;
  }
  return deepest;
}

function isBelow(path: string, mount: string): boolean {
  return path.startsWith(mount) && (path.length === mount.length || path[mount.length] === '/');
}

/** Returns the template of the path at which the request reached a layer, such as `/users/:id`. Empty if no mount was entered. */
export function findMountTemplate(trace: RequestTrace, req: RoutedRequest): string {
  const actual = req.baseUrl ?? '';
  const mount = findDeepestMount(trace, actual);
  return mount.template + actual.slice(mount.actual.length);
}

/**
 * Builds a template by replacing parameter values in a path by their names: `/users/42` becomes `/users/:id`. A value of a wildcard can
 * have several segments. Used where Express has no template: for a mount before Express 5.2, and for a route given as a pattern or a list.
 * In these cases, only the path and the values of its parameters are known.
 */
function buildTemplate(path: string, params: RoutedRequest['params']): string {
  const left = Object.entries(params ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [{ name, value }] : [],
  );
  const segments = path.split('/');
  const decoded = segments.map(decodeSegment);
  const shown: string[] = [];
  for (let at = 0; at < segments.length; ) {
    const found = left.findIndex(({ value }) => countSegments(value, decoded, at) > 0);
    const [param] = found === -1 ? [] : left.splice(found, 1);
    // Express 4 names wildcards by their number.
    if (param === undefined) shown.push(segments[at] ?? '');
    else shown.push(/^\d+$/.test(param.name) ? '*' : `:${param.name}`);
    at += param === undefined ? 1 : countSegments(param.value, decoded, at);
  }
  return trimSlash(shown.join('/'));
}

/** Returns how many of the `segments` a parameter's value fills from index `at` on; 0 if the value does not begin there. */
function countSegments(value: string, segments: readonly string[], at: number): number {
  if (segments[at] === value) return 1;
  const parts = value.split('/');
  return parts.every((part, index) => part === segments[at + index]) ? parts.length : 0;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function stripQuery(url: string | undefined): string {
  return url?.split('?', 1)[0] ?? '';
}

function trimSlash(path: string): string {
  return path === '/' ? '' : path.replace(/\/+$/, '');
}
