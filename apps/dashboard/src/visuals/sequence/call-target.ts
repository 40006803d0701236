import type { CapturedValue, Step } from '@throughline/contract';

/** The kind of the receiver of a message. */
export type ActorKind = 'client' | 'service' | 'database' | 'cache' | 'queue' | 'host';

export interface Actor {
  readonly kind: ActorKind;
  readonly name: string;
}

/** Finds what a step called outside its service; undefined for a step that stayed within the service. */
export function findTarget(step: Step): Actor | undefined {
  const facts = createFactReader(step.metadata);
  const system = facts('db.system.name', 'db.system');
  switch (step.stepType) {
    case 'database': {
      const name = [system, facts('db.namespace', 'db.name')].filter(Boolean).join(' ');
      return { kind: 'database', name: name || 'Database' };
    }
    case 'cache':
      return { kind: 'cache', name: system ?? 'Cache' };
    case 'queue': {
      const name = [facts('messaging.system'), facts('messaging.destination.name', 'messaging.destination')]
        .filter(Boolean)
        .join(' ');
      return { kind: 'queue', name: name || 'Queue' };
    }
    case 'http':
      return {
        kind: 'host',
        name: findHost(step.stepName) ?? facts('server.address', 'net.peer.name') ?? 'Other host',
      };
    default:
      return undefined;
  }
}

/** Returns the span id by which a called service identifies its caller. */
export function getSpanId(step: Step): string {
  return createFactReader(step.metadata)('spanId') ?? step.stepId;
}

/** A request to another host is named `GET host/path`, or has its whole URL as its name. */
const METHOD_AND_HOST = /^[A-Z]+ (?:https?:\/\/)?([^/\s?#]+)/;

function findHost(name: string): string | undefined {
  return METHOD_AND_HOST.exec(name)?.[1];
}

/** Returns a function that reads the first string found under the given names in a step's metadata. */
function createFactReader(metadata: CapturedValue | undefined): (...names: string[]) => string | undefined {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return () => undefined;
  const facts = new Map<string, unknown>(Object.entries(metadata));
  return (...names) => {
    for (const name of names) {
      const value = facts.get(name);
      if (typeof value === 'string' && value !== '') return value;
    }
    return undefined;
  };
}
