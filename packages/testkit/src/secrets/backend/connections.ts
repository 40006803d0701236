import { argument, error, type Form, log } from './case.ts';

/** Connection strings. */
export const connectionForms: readonly Form[] = [
  [
    'PostgreSQL URL',
    (m) => m.alnum(14),
    (s) => argument(`postgres://app:${s}@db.internal:5432/shop?sslmode=require`),
  ],
  [
    'PostgreSQL URL with signs',
    (m) => encodeURIComponent(m.password()),
    (s) => argument({ DATABASE_URL: `postgresql://app:${s}@db.internal/shop` }),
  ],
  [
    'MySQL URL in an error',
    (m) => m.alnum(14),
    (s) => error(`connect ECONNREFUSED mysql+pymysql://shop:${s}@10.0.0.4:3306/shop`),
  ],
  [
    'MongoDB URL',
    (m) => m.alnum(16),
    (s) => argument(`mongodb+srv://reader:${s}@cluster0.abcde.mongodb.net/shop?retryWrites=true`),
  ],
  ['Redis URL without user', (m) => m.alnum(24), (s) => log(`cache at redis://:${s}@cache.internal:6379/0`)],
  ['AMQP URL', (m) => m.alnum(12), (s) => argument({ broker: `amqps://worker:${s}@mq.internal/orders` })],
  [
    'SMTP URL',
    (m) => m.alnum(16),
    (s) => argument(`smtps://mailer%40acme.example:${s}@smtp.acme.example:465`),
  ],
  ['FTP URL', (m) => m.alnum(10), (s) => error(`530 login failed: ftp://upload:${s}@files.acme.example/in`)],
  ['LDAP URL', (m) => m.alnum(10), (s) => argument(`ldaps://cn=reader:${s}@ldap.acme.example`)],
  [
    'user and password as query',
    (m) => m.alnum(12),
    (s) => argument(`jdbc:postgresql://db:5432/shop?user=app&password=${s}&ssl=true`),
  ],
  [
    'JDBC SQL Server',
    (m) => m.password(),
    (s) => argument(`jdbc:sqlserver://db:1433;databaseName=shop;user=sa;password=${s};encrypt=true`),
  ],
  ['JDBC Oracle', (m) => m.alnum(12), (s) => argument(`jdbc:oracle:thin:scott/${s}@//db.internal:1521/ORCL`)],
  [
    'ODBC',
    (m) => m.password(),
    (s) =>
      argument(`Driver={ODBC Driver 18 for SQL Server};Server=db;Database=shop;Uid=sa;Pwd=${s};Encrypt=yes;`),
  ],
  [
    'ODBC with braces',
    (m) => m.password(),
    (s) => argument(`Driver={PostgreSQL};Server=db;Uid=app;Pwd={${s}};`),
  ],
  [
    'ADO.NET',
    (m) => m.password(),
    (s) => error(`Login failed for 'Server=db;User ID=app;Password=${s};Trusted_Connection=False'`),
  ],
  [
    'libpq words',
    (m) => m.alnum(14),
    (s) => argument(`host=db port=5432 dbname=shop user=app password='${s}' sslmode=require`),
  ],
  [
    'libpq without quotes',
    (m) => m.alnum(14),
    (s) => log(`connecting: host=db user=app password=${s} dbname=shop`),
  ],
  ['Go MySQL DSN', (m) => m.alnum(14), (s) => argument(`app:${s}@tcp(db.internal:3306)/shop?parseTime=true`)],
  ['Oracle EZ connect', (m) => m.alnum(12), (s) => log(`sqlplus scott/${s}@db.internal:1521/ORCL`)],
  [
    'Elasticsearch URL',
    (m) => m.alnum(20),
    (s) => argument({ node: `https://elastic:${s}@es.internal:9200` }),
  ],
  [
    'git remote',
    (m) => m.alnum(20),
    (s) => argument({ remotes: { origin: `https://deploy:${s}@git.acme.example/shop.git` } }),
  ],
  [
    'proxy variable',
    (m) => m.alnum(12),
    (s) => argument({ HTTPS_PROXY: `http://eva:${s}@proxy.acme.example:3128` }),
  ],
];
