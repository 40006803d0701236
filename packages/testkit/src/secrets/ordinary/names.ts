import { ALNUM, DIGITS, HEX, LOWER, type Random, uuid } from '../random.ts';

type Scalar = string | number | boolean;
type OrdinaryValue = (random: Random) => Scalar;

const count: OrdinaryValue = (random) => random.int(90_000) + 10;
const flag: OrdinaryValue = (random) => random.chance(0.5);
const date: OrdinaryValue = (random) =>
  new Date(Date.UTC(2026, random.int(12), 1 + random.int(28), random.int(24), random.int(60))).toISOString();
const seconds: OrdinaryValue = (random) => 60 * (1 + random.int(1440));
const id: OrdinaryValue = (random) => `${random.chars(LOWER, 3)}-${random.chars(DIGITS, 6)}`;
const uuidValue: OrdinaryValue = (random) => uuid(random);
const hash: OrdinaryValue = (random) => random.chars(HEX, 40);
const pickOne =
  (...texts: readonly string[]): OrdinaryValue =>
  (random) =>
    random.pick(texts);
const person = pickOne('Ada Lovelace', 'Grace Hopper', 'Barbara Liskov', 'Ken Thompson');
const path: OrdinaryValue = (random) => `/${random.chars(LOWER, 5)}/${random.chars(LOWER, 8)}`;
const url: OrdinaryValue = (random) => `https://id.example.com/${random.chars(LOWER, 8)}/v${random.int(9)}`;
const column = pickOne('order_id', 'createdAt', 'tenant_id', 'sku', 'position');
const cacheKey: OrdinaryValue = (random) => `orders:${random.int(100_000)}:en`;

const all = (value: OrdinaryValue, names: string): [string, OrdinaryValue][] =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => [name, value]);

/** Names and ordinary values for them. Each name resembles the name of a secret, or contains a word of such a name. */
export const ORDINARY_NAMES: readonly (readonly [string, OrdinaryValue])[] = [
  ...all(
    count,
    `
    tokenCount token_count maxTokens max_tokens prompt_tokens completionTokens totalTokens tokensUsed tokensPerSecond
    secretsCount passwordLength passwordAttempts minPasswordLength password_min_length passCount testsPassed passRate
    passengers keyCode keyCount apiKeyCount keySize keyframes signatureCount signInCount pinCount pingMs cardCount
    cardinality cookiePolicyVersion sessionCount sessionDuration session_duration_ms creditLimit credits creditScore
    credentialCount bearing accessCount refreshCount connectionCount seed monkeys turkeys shippingCents mappingVersion
    authorId passesPerMinute compassDegrees discardedRows dashboards otpLength pinnedPosts hashRate saltGrams
  `,
  ),
  ...all(
    flag,
    `
    hasPassword isPasswordSet mustChangePassword password_reset_required bypassCache passThrough passive authenticated
    isAuthenticated isAuthorized authorized signatureRequired pinned discard cookieConsent cookie_consent otpEnabled
    twoFactorEnabled mfaRequired csrfEnabled isPrivate privateRoom encryptionEnabled tokenized tokenValid hasApiKey
    apiKeyRequired secretSanta isSecret keyboardVisible signatureValid rememberMe showPassword cvcRequired
  `,
  ),
  ...all(
    date,
    `
    tokenExpiresAt accessTokenExpires access_token_expires_at refreshTokenExpiresAt tokenIssuedAt passwordChangedAt
    passwordUpdatedAt password_changed_at passwordExpiresAt signatureDate signedAt authorizedAt authTime apiKeyCreatedAt
    sessionStartedAt session_expires_at cardExpiresAt verifiedAt certificateExpiresAt lastAccess keyRotatedAt
    credentialsUpdatedAt secretRotatedAt otpSentAt passedAt
  `,
  ),
  ...all(
    seconds,
    `
    accessTokenExpiresIn expires_in refreshTokenTtlSeconds tokenTtl passwordMaxAge sessionTimeoutMinutes cookieMaxAge
    otpValidSeconds jwtExpirySeconds keyTtl authTimeoutMs
  `,
  ),
  ...all(
    id,
    `
    tokenId token_id keyId kid apiKeyId secretId credentialId authorRef sessionGroup passengerRef compassId cardHolderId
    signatureId dashboardId pinboard passId authorityCode shippingId discardId keynoteId
  `,
  ),
  ...all(
    uuidValue,
    `idempotencyKey idempotency_key correlationId requestId orderId traceKey tenantId messageId dedupeKey`,
  ),
  ...all(
    hash,
    `commitHash commit_sha gitSha contentHash etag checksum revision hash sha1 fingerprint digest`,
  ),
  ...all(
    person,
    `secretary secretaryName author authorName passenger signedBy cardHolder assignee keynoteSpeaker approver`,
  ),
  ...all(
    path,
    `
    forgotPasswordPath tokenPath keyPath objectKey s3Key passwordPage signaturePath cookiePath secretsPath authPath
    compassPath keysDir publicKeyPath certificatePath
  `,
  ),
  ...all(
    url,
    `tokenEndpoint tokenIssuer token_url authorizationEndpoint authUrl passwordResetUrl signInUrl keysUrl jwksUri issuer`,
  ),
  ...all(
    column,
    `primaryKey primary_key foreignKey sortKey sort_key partitionKey groupKey orderKey keyColumn indexKey rowKey uniqueKey`,
  ),
  ...all(
    cacheKey,
    `cacheKey cache_key redisKey routingKey translationKey messageKey lockKey queryKey storeKey`,
  ),
  ...all(pickOne('Bearer', 'bearer', 'DPoP'), `tokenType token_type`),
  ...all(
    pickOne('RS256', 'HS256', 'AES-256-GCM', 'EdDSA'),
    `signatureAlgorithm jwtAlgorithm encryptionAlgorithm keyType hmacAlgorithm`,
  ),
  ...all(
    pickOne('password', 'google', 'saml', 'local', 'basic'),
    `authMethod authProvider authType auth_type credentialType strategy passportStrategy grant_type`,
  ),
  ...all(
    pickOne('weak', 'strong', 'pending', 'verified', 'expired'),
    `passwordStrength password_policy tokenStatus signatureStatus verificationStatus apiKeyStatus secretState otpStatus`,
  ),
  ...all(
    pickOne('ci runner', 'mobile app', 'nightly export', 'ada laptop'),
    `apiKeyName tokenName secretName keyName api_key_label keyDescription`,
  ),
  ...all(
    pickOne('red shoes', 'winter coat', 'usb cable', 'green tea'),
    `keyword keywords searchKeywords passage compass monkey turkey donkey keyboard hockey spinner opinion wildcard postcard scorecard`,
  ),
  ...all(pickOne('visa', 'mastercard', 'amex'), `cardBrand card_brand cardType`),
  ...all((random) => random.chars(DIGITS, 4), `cardLast4 last4 card_last_four`),
  ...all(
    pickOne('NO', 'DE', 'JP', 'BR'),
    `countryCode currencyCode languageCode country_code statusCodeText`,
  ),
  ...all((random) => `sha512-${random.chars(ALNUM, 86)}==`, `integrity`),
  ...all(pickOne('cl100k_base', 'o200k_base', 'sentencepiece'), `tokenizer tokenizerName`),
  ...all(
    pickOne('read', 'write', 'admin', 'owner'),
    `accessLevel access_level authLevel accessRole tokenScope`,
  ),
];
