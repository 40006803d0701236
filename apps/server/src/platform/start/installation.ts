import type { Config } from '../config.ts';
import {
  type ControlDb,
  findInstallation,
  findSealedKeys,
  hasAccounts,
  insertInstallation,
} from '../control-store/index.ts';
import { createId } from '../ids.ts';
import { OperatorError } from '../operator-error.ts';
import { readFolderMark, writeFolderMark } from './data-folder.ts';
import { computeSecretMark, createSealer, createSecret, findSecret, findSecretFile } from './secrets.ts';

type InstallationConfig = Pick<Config, 'dataDir' | 'secretKey' | 'databaseUrl' | 'clickhouse'>;

/** The server's secret is missing, or differs from the one that encrypted the stored keys. */
class WrongSecret extends OperatorError {
  override readonly name = 'WrongSecret';
}

/** The data folder and the control store, which contains the accounts, belong to different installations. */
class OtherInstallation extends OperatorError {
  override readonly name = 'OtherInstallation';
}

/**
 * Returns the secret that encrypts this installation's keys. Creates a secret only if nothing was stored yet.
 * The first call also stores the secret's fingerprint with the accounts, and the installation's id in the
 * data folder, so that later starts detect the loss of either.
 * @throws WrongSecret, OtherInstallation, BadSecretFile
 */
export async function openInstallation(
  config: InstallationConfig,
  db: ControlDb,
  now: Date,
): Promise<Buffer> {
  const known = await findInstallation(db);
  const secret = findSecret(config) ?? (await createFirstSecret(config, db, known !== undefined));
  const secretMark = computeSecretMark(secret);
  if (known === undefined) await refuseUnlessItOpens(config, db, secret);
  const folder = readFolderMark(config.dataDir);
  const id = known?.id ?? folder?.id ?? createId();
  // Servers that start together on one store all read the row that was stored first.
  const kept = known ?? (await insertInstallation(db, { id, secretMark, createdAt: now }));
  if (kept.secretMark !== secretMark) throw buildOtherSecretError(config);
  if (folder !== undefined && folder.id !== kept.id) throw buildOtherInstallationError(config);
  writeFolderMark(config, kept.id);
  return secret;
}

/**
 * Returns the secret for a command that only reads the stores. Creates and writes nothing.
 * @throws WrongSecret, BadSecretFile
 */
export async function readInstallationSecret(config: InstallationConfig, db: ControlDb): Promise<Buffer> {
  const secret = findSecret(config);
  if (secret === undefined) throw buildMissingSecretError(config);
  const known = await findInstallation(db);
  if (known !== undefined && known.secretMark !== computeSecretMark(secret))
    throw buildOtherSecretError(config);
  if (known === undefined) await refuseUnlessItOpens(config, db, secret);
  return secret;
}

async function createFirstSecret(
  config: InstallationConfig,
  db: ControlDb,
  isKnown: boolean,
): Promise<Buffer> {
  if (isKnown || (await hasAccounts(db))) throw buildMissingSecretError(config);
  return createSecret(config.dataDir);
}

/**
 * Rejects the secret if it decrypts none of the stored keys. Needed for stores of older versions, which have no fingerprint. Several keys
 * are tried, because a single key could be damaged.
 */
async function refuseUnlessItOpens(config: InstallationConfig, db: ControlDb, secret: Buffer): Promise<void> {
  const sealer = createSealer(secret, 'api-keys');
  const keys = await findSealedKeys(db);
  if (keys.length > 0 && keys.every(({ sealed, place }) => sealer.tryOpen(sealed, place) === undefined))
    throw buildOtherSecretError(config);
}

const REMEDY = 'A backup of this installation contains the secret, too.';

function buildMissingSecretError({ dataDir }: InstallationConfig): WrongSecret {
  return new WrongSecret(
    `The secret of this installation is missing: ${findSecretFile(dataDir)} is gone, and SECRET_KEY is not set. API keys, second factors and emails are encrypted with the secret, so no new secret is created. Put the file back, or set SECRET_KEY to its content. ${REMEDY}`,
  );
}

function buildOtherSecretError({ secretKey, dataDir }: InstallationConfig): WrongSecret {
  const given = secretKey === undefined ? findSecretFile(dataDir) : 'SECRET_KEY';
  return new WrongSecret(
    `${given} is not the secret that encrypted this installation's API keys and second factors. Put the earlier secret back. ${REMEDY}`,
  );
}

function buildOtherInstallationError({ dataDir, databaseUrl }: InstallationConfig): OtherInstallation {
  const accounts = databaseUrl === undefined ? `${dataDir}/control` : 'the database of DATABASE_URL';
  return new OtherInstallation(
    `${dataDir} belongs to a different accounts database than ${accounts}. Correct DATA_DIR or DATABASE_URL, so that both belong to the same installation. To use this folder with this database on purpose, delete ${dataDir}/installation.json.`,
  );
}
