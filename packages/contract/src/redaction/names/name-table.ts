/**
 * Words that make up names of secrets. Names are compared by whole words: in lower case, without accents, and in the singular. Words of a
 * phrase must be in this order; a phrase also matches if it is written as one word (`apikey`). Other languages are in `name-languages.ts`.
 */

export const splitWords = (text: string): readonly string[] => text.trim().split(/\s+/);
export const splitPhrases = (text: string): readonly string[] =>
  text
    .trim()
    .split(/\s*,\s*/)
    .map((phrase) => phrase.replace(/\s+/g, ' '));

/** A name with one of these words is a secret's name, unless the name only describes the secret. */
export const SECRET_WORDS = splitWords(`
  password passwd pwd pw pswd psw passwrd pword pasword passphrase passcode passkey secret token authorization cookie session
  csrf xsrf ssn tan creds card cvv cvc cvn pin iban credential jwt bearer otp totp puk wif salt signature hmac mnemonic psk
  requirepass masterauth pgpassword dbpassword userpassword adminpassword rootpassword masterpassword authtoken tok tkn mpin cred sessionid sessid phpsessid jsessionid htpasswd privkey cardnumber creditcard debitcard
`);

/** Like {@link SECRET_WORDS}, for several words in this order. */
export const SECRET_PHRASES = splitPhrases(`
  social security, social security number, national insurance number, service role key, connection string, connect sid, security answer, secret answer, code verifier, saml response, saml assertion,
  client assertion, pass word, pass phrase, pass code, seed phrase, recovery phrase, backup phrase, mnemonic phrase, secret phrase, one time pass, 
  bank account number, passport number, mfa seed, wallet seed, snmp community, server community, community string, stellar seed, master seed, root seed, seed words, recovery words, backup words, sdk key, encryption customer key,
  key material, manual entry key, setup key, otp key, totp key, cc number, cc num, card no, card num,
  card pin, user pin, sim pin, atm pin, door pin, unlock pin, wallet pin, github pat, gitlab pat, azure pat, devops pat, azure sas, sas uri, pre shared key, two factor code, one time code, basic auth, proxy auth, x auth, http auth, redis auth, rediscli auth, npm auth, registry auth, docker auth, mqtt auth, db auth
`);

/** Kinds of keys that grant access. Other keys, such as primary or public keys, do not. */
export const KEY_OWNERS = splitWords(`
  api app application access private secret signing sign encryption enc decryption crypto cipher master auth authentication authorization account shared ssh
  deploy license licence session storage service client consumer server root webhook hmac aes rsa cookie jwt token subscription functions function
  ingest plaintext nwk integration validation write admin instrumentation recovery backup wrapping symmetric wallet vault unseal rapidapi stripe openai sendgrid twilio aws google
  network stream content firebase azure mailgun algolia maps hash tls ssl pem cert certificate pgp gpg preshared wifi wpa activation product serial bearer merchant gateway
`);

/** Kinds of codes that prove a person's identity. */
export const CODE_OWNERS = splitWords(`
  verification verify otp auth authorization authentication security confirmation access activation recovery backup reset login signin sms fa mfa totp pin
  lockbox keybox garage locker safe setup master unlock device invitation validation secret entry door gate alarm pairing scratch emergency challenge passcode cvv cvc
`);

/**
 * Words that, before `pass`, make a name that is not a secret's: an admission ticket (`boardingPass`), one pass over data (`renderPass`),
 * or a verb (`mustPass`).
 */
export const OTHER_PASSES = splitWords(`
  lunch boarding season day week month year bus ski park parking train rail ferry festival gate visitor guest event museum battle hall travel mountain
  first second third single multi final one two each last low high band render test tests build compiler optimization did does do will can must should may not to or and
`);

/** Words that are a secret's name if they are the whole name. */
export const SECRET_ALONE = splitWords('pass auth sid sig pwrd passw');

/**
 * Names of objects that contain credentials together with useful data, such as user, role and expiry. In such an object, strings are hidden
 * unless `isShownInContainer` is true for their name.
 */
export const CONTAINERS = splitWords('auth credential credentials cred creds jwt');

/** Words that end the names of objects with data about a secret: `jwtPayload`, `tokenClaims`, `sessionOptions`. */
export const CONTAINER_ENDS = splitWords(`
  payload claims info details data context user profile options option config configuration settings setting opts params parameters props state meta metadata
  result response request body form dto schema
`);

/** Words that end names which only describe a secret: `passwordLength`, `tokenType`, `accessTokenExpires`. */
export const ABOUT_ENDS = splitWords(`
  login
  length len count counts size sizes total max min limit limits type types kind name names label title placeholder description url uri urls endpoint endpoints path
  paths route algorithm alg algo policy policies strength score rating complexity status valid validity invalid expired expires expire expiry expiration exp ttl age
  lifetime duration timeout at on in date dates time times timestamp updated created changed modified issued rotated revoked version versions index idx
  position offset required optional enabled disabled visible hidden allowed present exists missing attempts attempt retries retry failures errors error message
  messages field fields column columns selector format pattern regex rule rules provider issuer audience scope scopes prefix suffix bits bytes rounds
  iterations brand four arn usage service repository manager parser validator factory handler controller module middleware strategy guard interceptor
  helper utils class encoder hasher bucket ratio rate rates price pricing budget remaining left symbol address decimals supply consent banner notice preferences domain
  method methods mode level reason file files filename dir directory folder event events stats statistics channel channels color colors colour colours logged verified reset network issuance network country currency layout
  location masked window threshold lockout interval encryption encoding hashing used spent consumed second seconds minute minutes hour hours day days week weeks month months year years ms sec secs millis micros gram grams kb mb
  group groups page pages holder owner last screen modal dialog button tab section step steps
`);

/**
 * Words after a secret's word with which the name still denotes the secret itself: `passwordConfirm`, `tokenProd`. If the name ends with
 * another word, the value decides if it is hidden.
 */
export const SAME_ENDS = splitWords(`
  value values val string str plain plaintext raw clear cleartext data content contents new old current previous prev next last first second third one two
  confirm confirmation confirmed again repeat repeated retype retyped reenter reentered verify verification check hash hashed hashes salt salted digest encrypted enc
  encoded decoded decrypted base hex default main primary secondary backup fallback temp tmp temporary prod production stage staging dev development test testing live
  sandbox local env var variable input answer header headers bundle master root admin user client server db database api app web mobile internal external shared
  pin key secret token password number no nr num nueva nuevo actual atual nova novo anterior confirmacion confirmacao neu alt wiederholen bestatigen wiederholung
  nouveau ancien repetir repetida repeticion utente usuario benutzer uzytkownika
`);

/** Words that name a link's token if they are the whole name: `?magic=X`, `?invite=X`. */
export const LINK_TOKENS = splitWords('magic invite invitation');

/** Words for secrets that also name other things: a card on a screen, a pin on a map, the signature of a function. */
export const OTHER_KINDS = splitWords('card cookie signature salt pin');
/** Words that can mean something other than a secret even as a whole name, so that the value decides if it is hidden. */
export const DOUBTFUL_NAMES = splitPhrases(
  'tan, stream key, content key, pepper, ott, remember me, anahtari',
);
/** Words that, before `card` or `cookie`, make a secret's name, because the name is then about money or a login: `creditCard`. */
export const MONEY_WORDS = splitWords(`
  credit debit payment bank gift sim visa amex new old current confirm account default stored saved session auth csrf access refresh set http proxy request response remember
`);

/**
 * Words at the end of the names of ids: `tokenId`. An id only describes a secret. Exception: an id of a word in `OPENING_IDS`, such as a
 * session's id, grants access itself.
 */
export const ID_ENDS = splitWords('id ids uuid');
export const OPENING_IDS = splitWords('session secret cookie csrf xsrf sid');

/** First words of names that only describe a secret: `hasPassword`, `maxTokens`. */
export const ABOUT_BEGINNINGS = splitWords(`
  has is was are can should needs need use uses using require requires allow allows enable disable show hide hides max min num count total avg average tamanho longitud longueur lange laenge lengte dlugosc minimo maximo
`);

/** First words of names that count the tokens of a text: `promptTokens`. */
export const COUNTED_BEGINNINGS = splitWords(`
  prompt completion input output cached reasoning thinking used remaining estimated generated context image audio text consumed
`);

/** Words for a password to which other words can be joined without a separator: `mypasswordhash`, `senhaatual`. */
export const PASSWORD_STEMS = splitWords(
  'password passwort kennwort contrasena senha wachtwoord parola sifre haslo heslo losenord motdepasse jeton token',
);

/** Words that can follow one of {@link PASSWORD_STEMS} in a name written as one word. */
export const PASSWORD_ENDS = splitWords(
  'hash hashed salt digest confirm confirmation again repeat new old plain text value encrypted enc actual atual nueva nova anterior acces wiederholen bestatigen',
);

/**
 * Short endings of names written as one word. No ordinary word has these endings: `mycvv`,
 * `stagingotp`.
 */
export const SHORT_ENDS = splitWords('pwd cvv cvc cvn otp totp jwt creds ssn psk hmac csrf xsrf');

/** First words in the names of decoded tokens, which contain only the token's claims: `decodedToken`. */
export const DECODED_BEGINNINGS = splitWords('decoded parsed verified validated');

/**
 * Names of objects that contain no secret, although the names contain a word for a secret. `authorizationRequest` describes a person who
 * wants to do something; `cookieSettings` lists what a page may store.
 */
export const HARMLESS_HOLDERS = splitPhrases(`
  authorization request, authorization context, authorization policy, authorization check, authorization decision, authorization info, authorization rules,
  cookie settings, page token, continuation token, stop token, eos token, bos token, pad token, unk token, sep token, cls token, mask token, special token, end token, start token, design token,
  clave producto, clave unidad, clave cliente,
  cookie setting, cookie config, cookie options, cookie option, cookie preferences, cookie opts, cookie props, cookie consent
`);

/** Ordinary words with the same ending as a secret's name. */
export const NO_SECRETS = splitWords(`
  compass spass jsonwebtoken enclave exclave conclave autoclave gyrocompass obsession possession repossession supersession encompass trespass bypass surpass overpass underpass outpass betoken
`);

/**
 * Names of members whose text is the name of a sibling value: `{name: 'password', value: 'X'}`. `path` is such a member in JSON Patch and
 * in the errors of validators.
 */
export const NAMING_NAMES = splitWords(`
  name key field header param parameter parametername parameterkey property attribute attr variable var setting option path instancepath datapath fieldpath schemapath pointer fieldname columnname keyname
  k n appid optionname settingname configname configkey metakey propertyname propertypath varname envname
`);

/**
 * Names of members whose text is a label for people, and ids of fields. Such a text names a sibling value only if its last word is a
 * secret's name.
 */
export const LABEL_NAMES = splitWords(`
  label title caption question prompt heading description placeholder displayname column slug env envvar metric entry fieldlabel fieldid controlname
  id type kind
`);

/**
 * Label members whose text often equals a secret's name although no sibling is a secret. The sibling's value must look like a secret,
 * too.
 */
export const LOOSE_NAMES = splitWords('id type kind metric entry description');

/** Names of members that contain the value which a sibling names. */
export const VALUE_NAMES = splitWords(
  'value val v values newvalue oldvalue currentvalue defaultvalue parametervalue valuestring valuetext optionvalue settingvalue configvalue metavalue propertyvalue invalidvalue rejectedvalue attemptedvalue',
);

/** Names of members that contain either the value which a sibling names, or a text about that name. */
export const CONTENT_NAMES = splitWords(`
  content contents data text default answer body input raw string plaintext plain stringvalue fieldvalue textvalue inputvalue displayvalue initialvalue
  response reply cell received actual given got provided submitted
`);

/** Names of secrets that are also names of other objects. */
export const HOLDER = /^(?:token|card|pin)$/;
/** Secrets that programs generate. An ordinary word as the value of such a name is therefore not a secret. */
export const MACHINE_MADE = new Set(['signature', 'salt']);

/**
 * Words that denote a time after a word of `ABOUT_TIME`: `passwordChangedAfter`, `pwdLastSet`. After other words, they tell two passwords
 * apart: `passwordBefore`.
 */
export const TIME_ENDS = new Set(['after', 'before', 'since', 'set']);
export const ABOUT_TIME = new Set([
  'last',
  'changed',
  'updated',
  'created',
  'issued',
  'expires',
  'expired',
  'rotated',
  'revoked',
  'modified',
]);

/** Words at the end of the names of results of comparisons: `passwordMatches: 'mismatch'`. */
export const RESULT_ENDS = new Set(['match', 'matches', 'matched', 'mismatch', 'equals']);

/** Security codes of cards, which a bank checks: the value of `cvcCheck` is the result, not the code. */
export const CHECKED = new Set(['cvv', 'cvc', 'cvn']);
export const RESULTS = new Set(['check', 'result', 'response']);

/** Words that name nothing but a secret, so that the words after them do not change the meaning: `DB_PASSWORD_ORDERS`. */
export const ALWAYS_SECRET =
  /^(?:pass(?:phrase|code)|pwd|api ?key|clientsecret|jwtsecret|dbpass)$|passw(?:or)?d$/;
export const OF_A_SECRET = new Set(['client', 'jwt', 'cookie', 'session', 'signing', 'webhook', 'app']);
