import { describe, expect, it } from 'vitest';
import type { CapturedValue } from '../values.ts';
import { Redactor } from './redactor.ts';

const redactor = new Redactor();
const shown = (value: CapturedValue) => JSON.stringify(redactor.value(value));

const CARD = '4295 6029 0003 9628';

/** Secrets in the forms in which services, logs and protocols write secrets. */
const SECRETS: readonly (readonly [form: string, value: CapturedValue, secret: string])[] = [
  ['HTML mail', '<p>Your password: <b>Orchid6579?</b></p>', 'Orchid6579?'],
  ['cell of a table in HTML', '<td>Password</td><td>Orchid6579?</td>', 'Orchid6579?'],
  ['one-time code with a dash', 'Your one-time code is 818080. It expires soon.', '818080'],
  ['French one-time code', 'Votre code de vérification est 642311', '642311'],
  ['Turkish one-time code', 'Doğrulama kodunuz: 943362', '943362'],
  ['one-time code of a brand', 'Your WhatsApp code: 584-841', '584-841'],
  ['one-time code at the beginning', '487967 - your sign-in code', '487967'],
  ['one-time code after a request', 'Enter this code to sign in: 972980', '972980'],
  ['one-time code before its purpose', 'Use 978811 to verify your account.', '978811'],
  ['list below its name', 'Backup codes:\n1. 5i5y6-oyeyd\n2. x3k9p-11abc', 'x3k9p-11abc'],
  ['dump of PHP', 'array(1) {\n  ["password"]=>\n  string(12) "D3bsdDEtOBJx"\n}', 'D3bsdDEtOBJx'],
  ['bytes of Python', "{b'password': b'velvet-anchor-34'}", 'velvet-anchor-34'],
  ['command of FTP', '< 331 need password\n> PASS copper-willow-17', 'copper-willow-17'],
  ['command of Redis', { command: 'AUTH', args: ['default', 'MJBdmPVBieTP0z'] }, 'MJBdmPVBieTP0z'],
  [
    'value under a key of Redis',
    { command: 'SET', args: ['refresh_token:7', 'NwNcK2G5zVsg'] },
    'NwNcK2G5zVsg',
  ],
  [
    'variable of GraphQL',
    { query: 'mutation L($p: String!) { login(password: $p) { id } }', variables: { p: 'fzAbIC@g15b4' } },
    'fzAbIC@g15b4',
  ],
  ['header with a short token', { Authorization: 'Bearer abc' }, 'abc'],
  ['header with a word as its token', { authorization: 'Bearer Expired' }, 'Expired'],
  ['folded header', 'POST / HTTP/1.1\r\nX-Api-Key:\r\n 5jvDxLJl6hgRTuc\r\nHost: x', '5jvDxLJl6hgRTuc'],
  ['name split in a word', { sUserPassWd: 'Meadow2937?' }, 'Meadow2937?'],
  ['name of a wallet key', { privKey: '0x3eb8b8ba42fdc7726a2d' }, '0x3eb8b8ba42fdc7726a2d'],
  ['personal access token', { AZURE_DEVOPS_EXT_PAT: '9u9k2bn0k4n4427' }, '9u9k2bn0k4n4427'],
  ['name in pinyin', { mima: 'Badger8611&' }, 'Badger8611&'],
  [
    'body of a PEM key',
    { data: `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC${'aSHDCSs6'.repeat(40)}` },
    'aSHDCSs6aSHDCSs6',
  ],
  ['key of Tencent', { note: 'AKID8kwMEAdGv41ffBcrWArgCursEgE7YTrW' }, 'AKID8kwMEAdGv41ff'],
  [
    'token of a bot',
    'Bot MvBAMdtI2fdAdRLqAQRppPmT.EHR3ni.Vf0Xim7C89hhJypT9eb6GF7PYKERe7UBEY3PDt',
    'Vf0Xim7C89hhJypT9eb6GF7PYK',
  ],
  ['PASETO', { note: `v4.local.${'czkBGSOrxw'.repeat(9)}` }, 'czkBGSOrxwczkBGSOrxw'],
  [
    'JWE without a key',
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..qtAn73u9vZcnKj8U.A0mYYavK6BVDl',
    'A0mYYavK6BVDl',
  ],
  ['card number with dots', { note: CARD.replaceAll(' ', '.') }, CARD.replaceAll(' ', '.')],
  [
    'card number with no-break spaces',
    { note: CARD.replaceAll(' ', '\u00a0') },
    CARD.replaceAll(' ', '\u00a0'),
  ],
  [
    'member of a path',
    { code: 'too_small', path: ['user', 'password'], received: 'Orchid6950%' },
    'Orchid6950%',
  ],
  ['pointer of a validator', { instancePath: '/password', data: 'meadow-velvet-40' }, 'meadow-velvet-40'],
  [
    'link with a short parameter',
    'https://a.example/magic-link?t=Ou7H3hR-H4fHeGCUs74ZIyHjPG',
    'Ou7H3hR-H4fHeGCUs74Z',
  ],
  ['htpasswd', 'htpasswd -b .htpasswd ada aKMnMVPBDluJCL', 'aKMnMVPBDluJCL'],
  ['flag of Java', 'keytool -list -storepass 0cVEpxusz01VRp -keystore k', '0cVEpxusz01VRp'],
  ['user and password', 'creds are ada / 5OVdvk@CWrPH', '5OVdvk@CWrPH'],
  ['base64 with slashes', 'webhook secret: NpIeq9r3LASdGe/AQtHIKeb0R0XrVvyJ4p1xAOZRgjp', 'NpIeq9r3LASdGe'],
  [
    'URL encoded twice',
    '/go?to=https%253A%252F%252Fx%253Fpassword%253DW1dY6YTkB94G%2526a%253D1',
    'W1dY6YTkB94G',
  ],
  ['password with commas', { name: 'card_pin', value: 'TZJfG,emcqF,XO07' }, 'TZJfG,emcqF,XO07'],
  ['signature like a setting', { _oauthSignature: 'kAbfk=f6HkK/YCPi' }, 'kAbfk=f6HkK/YCPi'],
  ['signature of a webhook', { 'stripe-signature': 't=1700000000,v1=534f68ef667baea6' }, '534f68ef667baea6'],
  [
    'OAuth code beside its grant',
    { grant_type: 'authorization_code', code: 'zrYLNda-Tey2ozXR94iriRr' },
    'zrYLNda',
  ],
  ['OAuth code of Google', 'GET /cb?code=4%2F0AX4XfWh7Kq&state=x HTTP/1.1', '0AX4XfWh7Kq'],
  ['one-time code in a link', 'myapp://verify?code=830155&type=otp', '830155'],
  ['one-time code in two parts', 'Use code 915 204 to sign in to Acme.', '915 204'],
  ['one-time code with a number in the sentence', 'Ihre TAN über 250,00 EUR lautet 718204.', '718204'],
  ['code of a door', 'The gate code for hall 4 is 7731#, valid today.', '7731#'],
  ['French code of a door', 'Le code de la porte est 4471B.', '4471B'],
  ['password of a network with a blank', 'WIFI:T:WPA;S:Office;P:W1fi pass;;', 'W1fi pass'],
  ['session as the key of a map', { sessions: { sess_Zk8Wq3Lx7Vt2Rm: { userId: 7 } } }, 'Zk8Wq3Lx7Vt2Rm'],
  ['quoted setting after a colon', "app1 auth[22]: pwd='wren4!' uid=7", 'wren4!'],
  ['message of a validator', '"password" with value "plover+7" fails to match the pattern', 'plover+7'],
  ['SET PASSWORD of SQL', "SET PASSWORD FOR 'bo'@'%' = PASSWORD('auk3')", 'auk3'],
  ['hash of a short name', "SELECT id FROM u WHERE pass_hash = crypt('guille5', pass_hash)", 'guille5'],
  ['plain word in SET of Redis', ['SET', 'user:4:password', 'bobolink'], 'bobolink'],
  ['password of a server', { REDISCLI_AUTH: 'smew5' }, 'smew5'],
  ['key that signs a token', "jwt.sign({ id: 1 }, 'ruddyruddy', { expiresIn: '1h' })", 'ruddyruddy'],
  ['secure string', "$cred = ConvertTo-SecureString 'harlequin1' -AsPlainText", 'harlequin1'],
  ['directive of Redis', 'maxmemory 100mb\nrequirepass magpiegoose\n', 'magpiegoose'],
  ['directive with a name', 'FROM node\nENV ADMIN_PASS spurwing\n', 'spurwing'],
  ['directive that ends in pass', 'authentication {\n  auth_pass Pfanne_28\n}', 'Pfanne_28'],
  ['default of a variable', 'variable "db_password" {\n  default = "egyptgoose"\n}', 'egyptgoose'],
  ['parameter of FHIR', { name: 'password', valueString: 'Thermometer' }, 'Thermometer'],
  ['call that logs in', "ldap.bind('cn=admin,dc=x', 'Globus_17', cb)", 'Globus_17'],
  ['LOGIN of IMAP', 'a1 LOGIN "ada@a.example" "Umschlag_C5"', 'Umschlag_C5'],
  ['AUTH of SMTP', 'C: AUTH PLAIN AG5vcmVwbHkAUG9zdGthc3RlbjEy', 'AG5vcmVwbHkAUG9zdGthc3RlbjEy'],
  ['hash of SNMP', 'snmp-server user ada grp v3 auth sha Schneebesen7', 'Schneebesen7'],
  ['user and password after a scheme', 'API 401 for basic hotel77:Fruehstueck6', 'Fruehstueck6'],
  ['user of lftp', 'lftp -u lab,Lazarett77 sftp://a.example', 'Lazarett77'],
  ['user of smbclient', 'smbclient //files/hr -U hr%Ordner_9', 'Ordner_9'],
  ['password in a pipe', "echo 'Kochloeffel_9' | sudo -S make", 'Kochloeffel_9'],
  ['new phrase of a key', 'ssh-keygen -p -P Altpapier3 -N Neupapier4 -f id_rsa', 'Neupapier4'],
  ['argument of vault', 'vault login s.7Kq2Zw9Lm4XtVn1Rb', '7Kq2Zw9Lm4XtVn1Rb'],
  ['key in a URL', 'https://a.example/v2?key=trk_live_8wq2Mz5Xr1Tb6Nc', '8wq2Mz5Xr1Tb6Nc'],
  ['token of a webhook', 'https://a.example/api/webhooks/99120/hW8kZq3LxV7tRm2Yb', 'hW8kZq3LxV7tRm2Yb'],
  ['token of a bot in code', "new Telegraf('580911:AAFz8Qk3Lw7Xv2Tm')", 'AAFz8Qk3Lw7Xv2Tm'],
  ['Dutch change', 'Uw wachtwoord is gewijzigd in Molenwiek-62.', 'Molenwiek-62'],
  ['Danish change', 'Adgangskoden for ole er nulstillet til Holzklotz-12.', 'Holzklotz-12'],
  ['French sentence with an article', 'le mot de passe root de la prod est Rakete_1', 'Rakete_1'],
  ['old and new password', { passwordBefore: 'velvet', passwordAfter: 'lantern' }, 'lantern'],
  ['change of a password', { passwordChange: { from: 'velvet-4', to: 'lantern-5' } }, 'lantern-5'],
  ['passphrase like a sentence', { password: 'correct horse battery staple' }, 'horse'],
  ['capitals', { password: 'CORRECT_HORSE' }, 'HORSE'],
  ['key of a content', { contentKey: '3a2b1c68fd974de5b6f7c8091a2b3c4d' }, '3a2b1c68fd974de5'],
  [
    'parameters of OpenTelemetry',
    { query: 'UPDATE u SET name = $1, password = $2', parameters: { 0: 'ada', 1: 'Harbor4711!' } },
    'Harbor4711!',
  ],
  [
    'parameters in a list of attributes',
    { 'db.statement': 'UPDATE u SET password = $1', 'db.postgresql.values': ['Harbor4711!'] },
    'Harbor4711!',
  ],
  [
    'parameters as JSON',
    { query: 'INSERT INTO u (email, password) VALUES ($1, $2)', params: '["a@b.example","Harbor4711!"]' },
    'Harbor4711!',
  ],
  ['password of a call', "bcrypt.compare('Sunfl0wer', hash)", 'Sunfl0wer'],
  ['key of a call', "createHmac('sha256', 'harlequin').update(body)", 'harlequin'],
  ['stack of PHP', "PDO->__construct('mysql:host=db', 'shop', '72Walnut*Fern')", '72Walnut*Fern'],
  ['password without a name', 'relay@a.example:48Walnut*Fern', '48Walnut*Fern'],
  [
    'quoted password without a name',
    "EXEC sp_addlinkedsrvlogin 'A1', NULL, 'sa', 'FernWalnut65!'",
    'FernWalnut65!',
  ],
  ['user and password in a chat', 'the login is admin / Walnut2017!, keep it', 'Walnut2017!'],
  ['user and password in a log', '[auth] received credentials (bob, Sunfl0wer!)', 'Sunfl0wer!'],
  ['number of a person', { cpf: '877.344.880-05' }, '877.344.880-05'],
  ['number of a person with a letter', { dni: '20668282E' }, '20668282E'],
  ['number of a citizen', { 身份证号: '110101199003077758' }, '110101199003077758'],
  ['short name', { x_auth_tok: '2f814c0282ed80173d9e' }, '2f814c0282ed80173d9e'],
  ['key of an owner', { encryption: { key: '4463f71e6848a85829d3e87cebce9066' } }, '4463f71e6848a858'],
  ['code of an owner', { mfa: { code: '492039' } }, '492039'],
  ['password of digits', { user: 'ada', pass: 482913 }, '482913'],
  ['user and password of letters', 'basic_auth: admin:swordfish', 'swordfish'],
  ['digits beside three stars', { password: '482913***', pin: '***4821' }, '4821'],
  ['password beside three stars', { password: '482913***' }, '482913'],
  ['parts of a PIN in a list', { pin: ['48', '29'] }, '48'],
  ['history of passwords', { passwordHistory: ['hunter2', 'sunshine'] }, 'sunshine'],
  ['password with the beginning of a reference', 'password=vault:Hunter2x9', 'Hunter2x9'],
  ['PIN code beside a state', { lock: { pincode: '4821', state: 'locked' } }, '4821'],
  ['token as the key of a map', { resetTokens: { 'pw-91fbc0a7d4e2': 'user 31' } }, '91fbc0a7d4e2'],
  ['dialog of SMTP', 'S: 334 UGFzc3dvcmQ6\nC: V2FsbnV0NzdGZXJu\nS: 235 OK', 'V2FsbnV0NzdGZXJu'],
  ['protocol of Redis', '*2\r\n$4\r\nAUTH\r\n$9\r\nwalnut-77\r\n', 'walnut-77'],
  ['monitor of Redis', '1718.5 [0 10.0.0.7:41] "CONFIG" "SET" "requirepass" "walnut"', '"walnut"'],
  ['user of Redis', 'ACL SETUSER worker on >YAMxLAk0Ddfe ~jobs:* +@all', 'YAMxLAk0Ddfe'],
  ['command of IRC', 'PRIVMSG NickServ :IDENTIFY fern.walnut43', 'fern.walnut43'],
  ['level before a password', 'username admin privilege 15 password 0 Fern-Walnut9', 'Fern-Walnut9'],
  ['user before a password', 'rabbitmqctl change_password reports Fern-Walnut-56', 'Fern-Walnut-56'],
  ['apostrophe in a sentence', "Le code PIN de l'alarme du garage est 60417.", '60417'],
  ['word for a card in a sentence', 'she read out the PIN of her card, it is 8305', '8305'],
  [
    'message with the entered password',
    "Ungültiges Kennwort für Benutzer bo: eingegeben 'fern.walnut42'",
    'walnut42',
  ],
  [
    'seed of NATS',
    '-----BEGIN USER NKEY SEED-----\nSUAGNZAQNLYOYWXA7RHBF3\n------END',
    'SUAGNZAQNLYOYWXA7RHBF3',
  ],
  [
    'key of a robot in a URL',
    'https://a.example/webhook/send?key=1f62dcbc-a93e-4c91-bcd5-644983576ea8',
    '1f62dcbc',
  ],
  [
    'recovery phrase in Chinese',
    `助记词:${'meadow citizen liberty '.repeat(4).trim()},请保管`,
    'meadow citizen',
  ],
  [
    'protocol of Kubernetes',
    'base64url.bearer.authorization.k8s.io.dk4KzL8_OYVFHUnwNAdw',
    'dk4KzL8_OYVFHUnwNAdw',
  ],
  [
    'names of arguments in a list',
    { args: ['a@b.example', 'fern_61!'], paramNames: ['email', 'password'] },
    'fern_61!',
  ],
  ['key with a version', { apiV3Key: '57whbCVX1UDo7Su5xUMadu' }, '57whbCVX1UDo7Su5xUMadu'],
  [
    'key after the name of a vendor',
    { note: 'sup_sk_Bl8YlWP6uu26vperPzDPTqZgVX70QZJa' },
    'Bl8YlWP6uu26vperPzDPT',
  ],
  ['number of a passport', { reisepassnr: 'CW0NW5FFM' }, 'CW0NW5FFM'],
  ['number of a person in a sentence', 'meu CPF é 464.697.271-90 e não consigo acessar', '464.697.271-90'],
  ['number of a person in Turkish', 'TC kimlik numaram 30564729512 ama', '30564729512'],
  ['number of a person in Chinese', '我的身份证号码是110105198108013997,请核实', '110105198108013997'],
  [
    'number of a person in French',
    'Mon numéro de sécurité sociale est le 272123169215532',
    '272123169215532',
  ],
  ['prompt of Redis', 'redis> AUTH worker e9nyJELWjSa8ftUF', 'e9nyJELWjSa8ftUF'],
  ['value with a time under a key of Redis', ['setex', 'otp:+4917', '300', '912235'], '912235'],
  ['value in a message', "password: Value 'fernwalnut#' must contain a digit", 'fernwalnut#'],
  [
    'code with dashes',
    { grant_type: 'authorization_code', code: '4/0AJS3CKE-HxUs8_xSAG6VX' },
    '0AJS3CKE-HxUs8',
  ],
  [
    'recovery phrase in a sentence',
    `my phrase is ${'shrimp cattle brisk '.repeat(4)}please help`,
    'shrimp cattle',
  ],
  ['row of settings', "UPDATE s SET value = 'Fern_Walnut.5' WHERE name = 'smtp_password'", 'Fern_Walnut.5'],
  ['header in brackets', '{X-Merchant-Key=[VB5lLyPBR6aLmiLxa9Bi], Accept=[*]}', 'VB5lLyPBR6aLmiLxa9Bi'],
  ['change in German', 'Passwort zurückgesetzt auf "Fernwalnut_14" für Nutzer bo', 'Fernwalnut_14'],
  ['link in Turkish', 'https://a.example/sifre-sifirla/3d926d771f0824819312750a6029ce52?e=1', '3d926d771f08'],
  ['id of a session', 'session 44bc1aee6a2f2ed8d048f165c59fab4a created for user=bo', '44bc1aee6a2f'],
];

/** Ordinary values that must stay readable, although they have names like those of secrets, or texts like those around secrets. */
const ORDINARY: readonly (readonly [form: string, value: CapturedValue])[] = [
  ['standard of a token', { tokenStandard: 'ERC-721' }],
  ['holder of a token', { tokenHolder: 'granite' }],
  ['kind of a login', { passwordLogin: 'granite-flow' }],
  ['icon on a map', { mapPinIcon: 'lantern' }],
  ['card on a screen', { dashboardCard: { title: 'Revenue', subtitle: 'May' } }],
  ['business card', { businessCard: 'pepper' }],
  ['fortune cookie', { fortuneCookie: 'velvet brings luck' }],
  ['category of a cookie', { cookieCategory: 'analytics' }],
  ['signature of a function', { functionSignature: '(comet: string) => void' }],
  ['start of a session', { sessionStart: '2024-01-11T11:28:30.667Z' }],
  ['kind of a session', { trainingSession: 'nectar-phxl' }],
  ['ordinary word', { obsession: 'lantern-liet' }],
  ['token of a model', { stop_token: 'velvet>' }],
  ['id of an account', { sid: 'SM15ee8d5ffb85f5c08e4d9fb51c45c806' }],
  ['resource name', { secretArn: 'arn:aws:secretsmanager:eu-west-1:1:secret:badger' }],
  ['schema', { password: { type: 'string', minLength: 8 } }],
  ['messages of a validator', { errors: { password: ['must be at least 8 characters'] } }],
  ['name of a cookie', 'Cookie "saffron" has been rejected because it is in a cross-site context'],
  ['name of a secret', 'secret "nickel-db" not found in namespace default'],
  ['flag with a count', 'run --max-tokens 6942'],
  ['condition of SQL', "SELECT count(*) FROM tokens WHERE type = 'quartz'"],
  ['assignment of SQL', "UPDATE cards SET title = 'maple' WHERE id = 7"],
  ['place of a device', 'PIN pad on door jasper offline'],
  ['code of a parcel', 'Your tracking code is 58484100'],
  ['code beside no grant', { code: 'E_VALIDATION_404', state: 'failed' }],
  ['code of a discount', 'Use code 915204 to get 10 % off'],
  ['code of a country in a link', 'https://a.example/shop?code=830155'],
  ['tangent', 'sin 30 cos 60 tan 4500'],
  ['variable without a secret', 'ENV NODE_ENV production'],
  ['binding of an event', "socket.bind('message', 'handleMessage')"],
  ['command with a pipe', "echo 'made in 2024' | grep -v make"],
  ['key of a file in a URL', 'https://a.example/files?key=photos-2024-summer-holiday'],
  ['key of a page', { contentKey: 'home.title' }],
  ['name of a webhook', '/api/webhooks/we_1MqqbKLt4dXK03v5'],
  ['label', { labels: { password: 'Your password' } }],
  ['question', { forgotPassword: 'Mot de passe oublié' }],
  ['code of an error', { passwordConfirmation: 'PASSWORD_MISMATCH' }],
  ['result of a check', { cvcCheck: 'unavailable', cvvResult: 'M' }],
  ['mode of a request', { credentials: 'same-origin' }],
  ['permission to send cookies', { 'access-control-allow-credentials': 'true' }],
  ['time of a change', { pwdLastSet: '133500000000000000', passwordChangedAfter: '2024-05-01' }],
  ['date of a change', { lastPasswordChange: '2024-03-11' }],
  ['working folder', { OLDPWD: '/srv/old' }],
  ['working folder in a text', 'env: PWD=/srv/app SHELL=/bin/sh'],
  ['user of a database without a password', 'postgres://app@db:5432/shop'],
  ['schema in a text', '{"properties":{"password":{"type":"string","minLength":8}}}'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: A configuration, not a template.
  ['placeholder', 'database:\n  password: ${DB_PASSWORD}\n'],
  ['unchanged secret', 'k8s: Secret "db-credentials" not modified'],
  ['count in a command', ['node', 'app.js', '--max-tokens', '3000']],
  ['name of a permission', { permissions: ['posts:delete', 'tokens:read'] }],
  ['words that end like a name', { enclave: 'Kaliningrad', spass: 'Viel', jsonwebtoken: '9.0.2' }],
  ['Italian message', 'La password è stata cambiata con successo.'],
  ['Dutch message', 'Je pincode is geblokkeerd na drie pogingen.'],
  ['Turkish rule', 'Şifre en az sekiz karakter olmalıdır.'],
  ['long id', { cell: '2372430835972154116' }],
  [
    'object below a name with other senses',
    { token: { symbol: 'USDC', decimals: 6 }, card: { brand: 'visa' } },
  ],
  ['words of a text', { tokens: ['the', 'secret', 'of', 'success'] }],
  ['place on a map', { pin: { lat: 53.5, label: 'Depot Nord' } }],
  ['word below a name of random values', { signature: '(a: number) => void', salt: 'two pinches' }],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: A configuration, not a template.
  ['reference of a workflow', 'token: ${{ secrets.NPM_TOKEN }}\n'],
  ['reference of a template', '  password: !Ref DatabasePassword\n'],
  ['reference to a vault', 'apiKey: vault:secret/data/mail#api_key'],
  ['output of a command', 'TOKEN=$(cat /run/token)'],
  ['name of a resource', 'secret "edge-wildcard-tls" not found'],
  ['name of a forbidden resource', 'secrets "grafana-admin-creds" is forbidden'],
  ['name of a resource in a command', 'kubectl get secret wildcard-2025-tls -n edge'],
  ['id of a secret in a command', 'docker build --secret id=npmrc_ci,src=.npmrc .'],
  ['permissions', { scopes: 'read:secrets write:packages' }],
  ['list that describes secrets', { secrets: [{ name: 'SMTP_RELAY_AUTH', createdAt: '2025-01-04' }] }],
  ['described schema', { password: { type: 'string', description: "The user's password, at least ten" } }],
  ['name of a header', { apiKeyHeader: 'X-Api-Key' }],
  ['cookies with settings', { Cookie: 'theme=solarized-dark; density=compact' }],
  ['method of authentication', { amr: ['pwd', 'hwk-fido2'] }],
  ['user beside a password', 'reset password for user JSmith42'],
  ['masked values', { password: '********', cardNumber: '411111******5482', token: '[REDACTED]' }],
  ['name of a variable', { passwordEnv: 'DB_PASSWORD' }],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: A configuration, not a template.
  ['variable in a URL', 'postgres://app:${PGPASSWORD}@db:5432/app'],
  ['message with parentheses', { errors: { password: ['is too short (minimum is 8 characters)'] } }],
  ['number of a field', 'message Login { string password = 2; }'],
  ['variable of the environment', 'api_key = os.environ["PAYMENTS_API_KEY"]'],
  ['part of a program', "SyntaxError: Unexpected token 'export'"],
  ['sentence after the name of a header', 'Authorization: the caller needs role billing.admin'],
  ['state of a token', 'auth: token refreshed for user=551'],
  ['postal code', { pincode: '560085', city: 'Bengaluru' }],
  ['row of a list of articles', 'article;price;count\nCofre com senha digital;349,00;4\n'],
  ['paths of members', { redact: ['req.headers.authorization', '*.password'] }],
  ['last digits of a card', { card: { brand: 'visa', last4: '1881' } }],
  [
    'parameter that is no secret',
    { query: 'UPDATE u SET name = $1, password = $2', parameters: { 0: 'Harbor4711!', 1: null } },
  ],
];

describe('secrets in everyday values', () => {
  it.each(SECRETS)('are hidden in the form: %s', (_form, value, secret) => {
    expect(JSON.stringify(value)).toContain(JSON.stringify(secret).slice(1, -1));
    expect(shown(value)).not.toContain(JSON.stringify(secret).slice(1, -1));
  });
});

describe('ordinary values that contain words for secrets', () => {
  it.each(ORDINARY)('stay readable in the form: %s', (_form, value) => {
    expect(redactor.value(value)).toEqual(value);
  });
});

describe('a project’s own redaction rules', () => {
  it('hide a postal code at a path of the rules, even beside other fields of an address', () => {
    const redactor = new Redactor({ paths: ['customer.pincode'] });
    const shown = JSON.stringify(redactor.value({ customer: { pincode: '482913', city: 'Pune' } }));
    expect(shown).not.toContain('482913');
  });

  const own = new Redactor({ keys: ['diagnoses', 'answerSchema'], paths: ['body.notes', 'body.sid'] });

  it.each<CapturedValue>([
    { diagnoses: ['The patient has a broken leg and was sent home'] },
    { answerSchema: { type: 'string', minLength: 8 } },
    { body: { notes: ['He is allergic to all nuts'] } },
    { body: { sid: 'AC0123456789abcdef0123456789abcdef' } },
  ])('hide every value below the names and paths of the rules: %j', (value) => {
    expect(JSON.stringify(own.value(value))).not.toMatch(/patient|minLength|allergic|AC0123/);
  });
});

describe('a plain word below a secret’s name', () => {
  it.each<CapturedValue>([
    { mnemonics: ['abandon lawsuit will canvas that oxygen tiger'] },
    { securityAnswers: ['we lived in the yellow house'] },
    { password: { type: 'string', minimum: { token: 'yellow-Zx81kQ9' } } },
    { DB_PASSWORD_ORDERS: 'yellow' },
    { passwordMysql: 'yellow' },
    { clientSecretAzure: 'yellowhunter' },
    { log: 'DB_PASSWORD_ORDERS=yellowfish' },
    { log: 'JWT_SECRET_SHOP=yellowvalue' },
    { log: 'api_key_stripe=yellowqwerty' },
    { log: 'urn:secret=yellow2xx' },
  ])('is hidden: %j', (value) => {
    expect(shown(value)).not.toMatch(/yellow|lawsuit/);
  });
});
