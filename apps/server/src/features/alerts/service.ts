import {
  ALERT_DAYS,
  type AlertDelivery,
  type AlertRule,
  type AlertRuleBody,
  describeAlert,
  describeScope,
  MAX_ALERT_RULES,
  MAX_ALERT_TESTS,
} from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import {
  type ControlDb,
  type ControlStore,
  findPeople,
  lockOwner,
  type OwnerRow,
  type Person,
} from '../../platform/control-store/index.ts';
import { AppError, refuseField } from '../../platform/http/errors.ts';
import { type AlertRuleId, createId, type ProjectId, readId, type UserId } from '../../platform/ids.ts';
import type { Actor, Audit } from '../audit/index.ts';
import { type DeliveryRow, findDeliveries } from './deliveries/deliveries-store.ts';
import { describeDelivery } from './deliveries/describe-delivery.ts';
import { dropIncidents } from './incidents-store.ts';
import { type MessageDeps, queueMessages, showAddress } from './queue-messages.ts';
import { isQuiet } from './quiet-hours.ts';
import { toColumns } from './rule-columns.ts';
import {
  countOpen,
  countRules,
  countTests,
  deleteRule,
  findRule,
  findRules,
  insertRule,
  type RuleRow,
  updateRule,
} from './rules-store.ts';
import type { Sources } from './sources.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SHOWN_DELIVERIES = 100;

interface SavedRule {
  readonly rule: AlertRule;
  readonly secret: string | null;
}

export interface AlertsService {
  list(project: ProjectId): Promise<{
    readonly rules: AlertRule[];
    readonly people: {
      readonly id: UserId;
      readonly name: string;
      readonly email: string;
      readonly confirmed: boolean;
    }[];
  }>;
  /** @throws AppError `not_found`, `validation_failed`, `plan_limit`, `too_many_alerts` */
  create(actor: Actor, project: ProjectId, body: AlertRuleBody): Promise<SavedRule>;
  /** @throws AppError `not_found`, `validation_failed`, `plan_limit` */
  update(actor: Actor, project: ProjectId, id: string, body: AlertRuleBody): Promise<SavedRule>;
  /** @throws AppError `not_found` */
  remove(actor: Actor, project: ProjectId, id: string): Promise<void>;
  /** @throws AppError `not_found`, `too_many_requests` */
  test(project: ProjectId, id: string): Promise<AlertDelivery[]>;
  deliveries(project: ProjectId): Promise<AlertDelivery[]>;
}

export function createAlertsService(
  deps: MessageDeps & {
    readonly control: ControlStore;
    readonly clock: Clock;
    readonly audit: Audit;
    readonly sources: Pick<Sources, 'requireInsights'>;
  },
): AlertsService {
  const { clock, audit, sealer } = deps;
  const { db } = deps.control;

  const describe = async (rows: readonly RuleRow[]): Promise<AlertRule[]> => {
    const open = await countOpen(
      db,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => {
      const incidents = open.get(row.id);
      return {
        id: row.id,
        kind: row.kind,
        service: row.service,
        environment: row.environment,
        endpoint: row.endpoint,
        filter: row.filter,
        threshold: row.threshold,
        minutes: row.minutes,
        severity: row.severity,
        people: row.people,
        webhook: showAddress(sealer, row, 'webhook'),
        slack: showAddress(sealer, row, 'slack'),
        quietHours: row.quietHours,
        paused: row.paused,
        createdAt: row.createdAt.toISOString(),
        firingSince: incidents?.since?.toISOString() ?? null,
        openIncidents: incidents?.open ?? 0,
        quietNow: isQuiet(row.quietHours, clock.now()),
        lastValue: row.lastValue,
      };
    });
  };

  /** @throws AppError `not_found` */
  const lock = async (tx: ControlDb, project: ProjectId): Promise<OwnerRow> => {
    const owner = await lockOwner(tx, project);
    if (owner === undefined) throw new AppError('not_found');
    return owner;
  };

  /** @throws AppError `not_found` */
  const find = async (tx: ControlDb, project: ProjectId, given: string): Promise<RuleRow> => {
    const id = readId<AlertRuleId>(given);
    const rule = id && (await findRule(tx, project, id));
    if (rule === undefined) throw new AppError('not_found');
    return rule;
  };

  const note = async (
    tx: ControlDb,
    actor: Actor,
    { organizationId, name }: OwnerRow,
    action: 'project.alert_created' | 'project.alert_changed' | 'project.alert_deleted',
    rule: Parameters<typeof describeAlert>[0] & Parameters<typeof describeScope>[0],
  ) => {
    // Solo users have no audit log, because nobody else can change their rules.
    if (organizationId === null) return;
    const target = [name, describeAlert(rule), describeScope(rule)].filter((part) => part !== '').join(', ');
    await audit.record(tx, { organizationId, action, actor, target });
  };

  /** @throws AppError `validation_failed` if a recipient cannot see the project, or has no confirmed address */
  const checkPeople = async (tx: ControlDb, project: ProjectId, body: AlertRuleBody): Promise<UserId[]> => {
    const known = new Map<string, Person>(
      (await findPeople(tx, project)).map((person) => [person.id, person]),
    );
    return body.people.map((id) => {
      const person = known.get(id);
      if (person === undefined) throw refuseField('people', `people: ${id} does not see this project`);
      if (person.verifiedAt === null)
        throw refuseField(
          'people',
          `people: ${person.email} is not confirmed. Open the link in the mail first`,
        );
      return person.id;
    });
  };

  const show = async (project: ProjectId, id: AlertRuleId, secret: string | null): Promise<SavedRule> => {
    const [rule] = await describe([await find(db, project, id)]);
    if (rule === undefined) throw new AppError('not_found');
    return { rule, secret };
  };

  return {
    async list(project) {
      const [rows, people] = await Promise.all([findRules(db, project), findPeople(db, project)]);
      return {
        rules: await describe(rows),
        people: people.map(({ verifiedAt, ...person }) => ({ ...person, confirmed: verifiedAt !== null })),
      };
    },
    async create(actor, project, body) {
      if (body.kind === 'insight') await deps.sources.requireInsights(project);
      const id = createId<AlertRuleId>();
      const secret = await db.transaction(async (tx) => {
        const owner = await lock(tx, project);
        if ((await countRules(tx, project)) >= MAX_ALERT_RULES) {
          throw new AppError(
            'too_many_alerts',
            `This project has ${MAX_ALERT_RULES} alert rules. Delete one of them first.`,
            { details: { limit: MAX_ALERT_RULES, used: MAX_ALERT_RULES } },
          );
        }
        const made = toColumns(sealer, id, body, await checkPeople(tx, project, body));
        const now = clock.now();
        await insertRule(tx, {
          ...made.columns,
          id,
          projectId: project,
          createdAt: now,
          since: now,
          dueAt: now,
        });
        await note(tx, actor, owner, 'project.alert_created', made.columns);
        return made.secret;
      });
      return show(project, id, secret);
    },
    async update(actor, project, given, body) {
      if (body.kind === 'insight') await deps.sources.requireInsights(project);
      const saved = await db.transaction(async (tx) => {
        const owner = await lock(tx, project);
        const before = await find(tx, project, given);
        const { columns, secret } = toColumns(
          sealer,
          before.id,
          body,
          await checkPeople(tx, project, body),
          before,
        );
        const now = clock.now();
        const isOther = MEASURED.some((name) => columns[name] !== before[name]);
        if (isOther) await dropIncidents(tx, before.id, now);
        const again = {
          since: now,
          checkedAt: null,
          lastValue: null,
          aboveSince: null,
          belowSince: null,
          peak: null,
        };
        await updateRule(tx, before.id, { ...columns, dueAt: now, ...(isOther ? again : {}) });
        await note(tx, actor, owner, 'project.alert_changed', columns);
        return { id: before.id, secret };
      });
      return show(project, saved.id, saved.secret);
    },
    remove: (actor, project, given) =>
      db.transaction(async (tx) => {
        const owner = await lock(tx, project);
        const rule = await find(tx, project, given);
        await deleteRule(tx, rule.id);
        await note(tx, actor, owner, 'project.alert_deleted', rule);
      }),
    async test(project, given) {
      const now = clock.now();
      const since = new Date(now.getTime() - HOUR_MS);
      const ids = await db.transaction(async (tx) => {
        const owner = await lock(tx, project);
        const rule = await find(tx, project, given);
        if ((await countTests(tx, project, since)) >= MAX_ALERT_TESTS) {
          throw new AppError(
            'too_many_requests',
            `${MAX_ALERT_TESTS} tests of this project's alerts were sent in the last hour. Try again later.`,
            { retryAfterSeconds: HOUR_MS / 1000 },
          );
        }
        const about = { rule, projectName: owner.name, now };
        return queueMessages(deps, tx, { ...about, event: 'test', incident: null });
      });
      const rows =
        ids.length === 0 ? [] : await findDeliveries(db, project, { since, ids, limit: ids.length });
      return describeDeliveries(db, project, rows);
    },
    async deliveries(project) {
      const since = new Date(clock.now().getTime() - ALERT_DAYS * DAY_MS);
      return describeDeliveries(
        db,
        project,
        await findDeliveries(db, project, { since, limit: SHOWN_DELIVERIES }),
      );
    },
  };
}

/** If an update changes one of these fields of a rule, the rule's open incidents end without a message. */
const MEASURED = [
  'kind',
  'service',
  'environment',
  'endpoint',
  'filter',
  'threshold',
  'minutes',
  'severity',
  'paused',
] as const;

async function describeDeliveries(
  db: ControlDb,
  project: ProjectId,
  rows: readonly DeliveryRow[],
): Promise<AlertDelivery[]> {
  const rules = new Map((await findRules(db, project)).map((rule) => [rule.id, rule]));
  return rows.flatMap((row) => {
    const rule = rules.get(row.ruleId);
    if (rule === undefined) return [];
    return [describeDelivery(row, rule)];
  });
}
