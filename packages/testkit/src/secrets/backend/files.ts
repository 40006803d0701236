import { argument, body, error, type Form, log, plain } from './case.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Secrets in configuration files, dumps, tables and commands. */
export const fileForms: readonly Form[] = [
  ['netrc', (m) => m.alnum(20), (s) => plain(`machine api.acme.example\n  login eva\n  password ${s}\n`)],
  ['netrc in one line', (m) => m.alnum(20), (s) => argument(`machine github.com login eva password ${s}`)],
  ['pgpass', (m) => m.alnum(14), (s) => plain(`db.internal:5432:shop:app:${s}\n`)],
  ['my.cnf', (m) => m.alnum(14), (s) => plain(`[client]\nuser=app\npassword="${s}"\nhost=db\n`)],
  [
    'Java properties',
    (m) => m.alnum(14),
    (s) => plain(`spring.datasource.username=app\nspring.datasource.password=${s}\nserver.port=8080\n`),
  ],
  [
    'Spring YAML',
    (m) => m.alnum(14),
    (s) => body('application/yaml', `spring:\n  datasource:\n    username: app\n    password: "${s}"\n`),
  ],
  [
    'compose file',
    (m) => m.alnum(14),
    (s) =>
      body(
        'application/yaml',
        `services:\n  db:\n    image: postgres:16\n    environment:\n      - POSTGRES_USER=app\n      - POSTGRES_PASSWORD=${s}\n`,
      ),
  ],
  [
    'Kubernetes secret',
    (m) => base64(m.alnum(18)),
    (s) =>
      body(
        'application/yaml',
        `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: ${s}\n`,
      ),
  ],
  [
    'Kubernetes secret with neutral key',
    (m) => base64(m.alnum(18)),
    (s) =>
      body(
        'application/yaml',
        `apiVersion: v1\nkind: Secret\ntype: Opaque\nmetadata:\n  name: db\ndata:\n  shop: ${s}\n`,
      ),
  ],
  [
    'Kubernetes env list',
    (m) => m.alnum(20),
    (s) =>
      body(
        'application/yaml',
        `env:\n  - name: DB_PASSWORD\n    value: ${s}\n  - name: PORT\n    value: "80"\n`,
      ),
  ],
  [
    'kubeconfig token',
    (m) => m.base64url(60),
    (s) => body('application/yaml', `users:\n- name: admin\n  user:\n    token: ${s}\n`),
  ],
  [
    'kubeconfig key',
    (m) => base64(`-----BEGIN RSA PRIVATE KEY-----\n${m.base64(64)}\n`),
    (s) => body('application/yaml', `users:\n- name: admin\n  user:\n    client-key-data: ${s}\n`),
  ],
  [
    'docker config',
    (m) => base64(`eva:${m.alnum(20)}`),
    (s) => argument({ auths: { 'registry.acme.example': { auth: s } } }),
  ],
  [
    'docker config text',
    (m) => base64(`eva:${m.alnum(20)}`),
    (s) => argument(`{"auths":{"https://index.docker.io/v1/":{"auth":"${s}"}}}`),
  ],
  ['TOML', (m) => m.alnum(20), (s) => plain(`[database]\nuser = "app"\npassword = '${s}'\n`)],
  ['dotenv with quotes', (m) => m.password(), (s) => plain(`PORT=80\nDB_PASS="${s}"\nDEBUG=1`)],
  [
    'systemd unit',
    (m) => m.alnum(20),
    (s) => plain(`[Service]\nEnvironment="APP_SECRET=${s}"\nExecStart=/usr/bin/node`),
  ],
  ['Dockerfile', (m) => m.alnum(20), (s) => plain(`FROM node:24\nENV SESSION_SECRET ${s}\nCMD ["node"]`)],
  [
    'web.config',
    (m) => m.alnum(24),
    (s) =>
      body(
        'application/xml',
        `<appSettings><add key="Port" value="80" /><add key="ApiSecret" value="${s}" /></appSettings>`,
      ),
  ],
  [
    'web.config connection',
    (m) => m.alnum(14),
    (s) =>
      body(
        'application/xml',
        `<connectionStrings><add name="Shop" connectionString="Server=db;User Id=app;Password=${s};" /></connectionStrings>`,
      ),
  ],
  [
    'Maven settings',
    (m) => m.alnum(14),
    (s) =>
      body(
        'application/xml',
        `<server><id>nexus</id><username>ci</username><password>${s}</password></server>`,
      ),
  ],
  [
    'XML CDATA',
    (m) => m.password(),
    (s) => body('application/xml', `<login><user>eva</user><password><![CDATA[${s}]]></password></login>`),
  ],
  [
    'Plist',
    (m) => m.alnum(20),
    (s) =>
      body(
        'application/xml',
        `<dict><key>ApiToken</key><string>${s}</string><key>Port</key><integer>80</integer></dict>`,
      ),
  ],
  [
    'WordPress config',
    (m) => m.alnum(20),
    (s) => plain(`define('DB_USER', 'wp');\ndefine('DB_PASSWORD', '${s}');`),
  ],
  ['PHP array', (m) => m.alnum(20), (s) => argument(`['username' => 'app', 'password' => '${s}']`)],
  [
    'PHP serialized',
    (m) => m.alnum(16),
    (s) => argument(`a:2:{s:4:"user";s:3:"eva";s:8:"password";s:16:"${s}";}`),
  ],
  ['Python dict', (m) => m.alnum(16), (s) => log(`config {'user': 'app', 'password': '${s}', 'port': 5432}`)],
  [
    'Ruby hash',
    (m) => m.alnum(16),
    (s) => log(`Parameters: {"user"=>{"email"=>"a@b.c", "password"=>"${s}"}}`),
  ],
  ['Ruby symbols', (m) => m.alnum(16), (s) => log(`{:adapter=>"pg", :password=>"${s}"}`)],
  ['Go struct', (m) => m.alnum(16), (s) => log(`cfg={User:app Password:${s} Port:5432}`)],
  ['Java record', (m) => m.alnum(16), (s) => error(`bad Credentials[username=eva, password=${s}]`)],
  ['Java map', (m) => m.alnum(16), (s) => log(`headers={accept=*/*, x-api-key=${s}, host=a}`)],
  ['logfmt', (m) => m.alnum(16), (s) => log(`level=info msg="login" user=eva secret=${s} ms=12`)],
  [
    'logfmt with quotes',
    (m) => m.password(),
    (s) => log(`level=warn msg="denied" password="${s}" ip=10.0.0.1`),
  ],
  [
    'access log',
    (m) => m.hex(40),
    (s) => log(`10.0.0.1 - eva [01/Jun/2025:10:10:10 +0000] "GET /feed?auth_token=${s} HTTP/1.1" 200 512`),
  ],
  [
    'JSON log line',
    (m) => m.hex(40),
    (s) => log(`{"level":30,"req":{"headers":{"host":"a","authorization":"Bearer ${s}"}},"msg":"in"}`),
  ],
  [
    'Terraform',
    (m) => m.alnum(20),
    (s) => plain(`resource "aws_db_instance" "db" {\n  username = "app"\n  password = "${s}"\n}`),
  ],
  [
    'Ansible',
    (m) => m.alnum(20),
    (s) => body('application/yaml', `ansible_user: root\nansible_become_pass: ${s}\n`),
  ],
  [
    'CSV column',
    (m) => m.password(),
    (s) => body('text/csv', `name,email,password\nEva,a@b.c,${s}\nTom,t@b.c,x\n`),
  ],
  ['CSV with semicolons', (m) => m.password(), (s) => body('text/csv', `Name;Passwort;Ort\nEva;${s};Bonn\n`)],
  [
    'TSV column',
    (m) => m.hex(32),
    (s) => body('text/tab-separated-values', `id\tapi_token\tcity\n1\t${s}\tBonn\n`),
  ],
  [
    'Markdown table',
    (m) => m.password(),
    (s) => argument(`| user | password |\n|---|---|\n| eva | ${s} |\n`),
  ],
  ['curl user', (m) => m.alnum(14), (s) => log(`curl -u eva:${s} https://api.acme.example/v1`)],
  [
    'curl header',
    (m) => m.base64url(40),
    (s) => log(`curl -H "Authorization: Bearer ${s}" https://api.acme.example`),
  ],
  ['mysql command', (m) => m.alnum(14), (s) => log(`mysql -h db -uapp -p${s} shop < dump.sql`)],
  ['psql command', (m) => m.alnum(14), (s) => log(`PGPASSWORD=${s} psql -h db -U app shop`)],
  ['sshpass', (m) => m.alnum(14), (s) => argument(['sshpass', '-p', s, 'ssh', 'root@10.0.0.1'])],
  ['option with space', (m) => m.alnum(20), (s) => argument(['backup', '--user', 'eva', '--password', s])],
  ['option with equal sign', (m) => m.alnum(20), (s) => argument(['deploy', `--token=${s}`, '--dry-run'])],
  ['docker login', (m) => m.alnum(20), (s) => log(`docker login -u eva -p ${s} registry.acme.example`)],
  ['redis-cli', (m) => m.alnum(20), (s) => log(`redis-cli -h cache -a ${s} ping`)],
  ['openssl', (m) => m.alnum(20), (s) => log(`openssl rsa -in a.pem -passin pass:${s} -out b.pem`)],
  ['zip command', (m) => m.alnum(12), (s) => log(`zip -P ${s} out.zip a.pdf`)],
];
