import type { Mount } from '../../http/trace/mount.ts';
import type { RequestTrace } from '../../http/trace/request-trace.ts';
import type { Layer, RoutedRequest } from './layer-shape.ts';

const maxMounts = 32;

/** Notes a mount point when the request enters it (`/users/42` → `/users/:id`), so that the route below gets its full name. */
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
  const actual = req.baseUrl ?? '';
  const mount = findDeepestMount(trace, actual);
  const prefix = mount.template + actual.slice(mount.actual.length);
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

/**
 * Builds a template by replacing parameter values in a path by their names: `/users/42` becomes `/users/:id`. Used where Express has no
 * template: for a mount before Express 5.2, and for a route given as a pattern or a list. Only the path and the values of its parameters
 * are known there.
 */
function buildTemplate(path: string, params: RoutedRequest['params']): string {
  const left = Object.entries(params ?? {}).filter(([, value]) => typeof value === 'string' && value !== '');
  const segments = path.split('/').map((segment) => {
    const found = left.findIndex(([, value]) => value === decodeSegment(segment));
    if (found === -1) return segment;
    const [[name] = ['']] = left.splice(found, 1);
    return `:${name}`;
  });
  return trimSlash(segments.join('/'));
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
