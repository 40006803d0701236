import type { CapturedValue, Step } from '@throughline/contract';

/** Whom a message goes to. */
export type ActorKind = 'client' | 'service' | 'database' | 'cache' | 'queue' | 'host';

export interface Actor {
  readonly kind: ActorKind;
  readonly name: string;
}

/** Whom a step called, outside of its service; undefined for a step that stayed within it. */
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

/** The span by which a called service knows who called it. */
export function getSpanId(step: Step): string {
  return createFactReader(step.metadata)('spanId') ?? step.stepId;
}

/** A request to elsewhere is called `GET host/path`, or by its whole address. */
const METHOD_AND_HOST = /^[A-Z]+ (?:https?:\/\/)?([^/\s?#]+)/;

function findHost(name: string): string | undefined {
  return METHOD_AND_HOST.exec(name)?.[1];
}

/** Reads texts out of what was sent with a step: the first of the names that it has. */
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
