import {
  argument,
  body,
  error,
  type Form,
  form,
  header,
  json,
  log,
  multipart,
  path,
  plain,
  query,
  statement,
} from './case.ts';

/** Keys of cloud providers and of other companies' services. */
export const cloudForms: readonly Form[] = [
  [
    'AWS secret beside its id',
    (m) => m.base64(40),
    (s, m) => argument({ region: 'eu-west-1', accessKeyId: `AKIA${m.base32(16)}`, secretAccessKey: s }),
  ],
  [
    'AWS id in a sentence',
    (m) => `AKIA${m.base32(16)}`,
    (s) => log(`Uploading with ${s} to bucket invoices-prod`),
  ],
  [
    'AWS credentials file',
    (m) => m.base64(40),
    (s, m) =>
      plain(
        `[default]\naws_access_key_id = AKIA${m.base32(16)}\naws_secret_access_key = ${s}\nregion = eu-central-1\n`,
      ),
  ],
  [
    'AWS session token header',
    (m) => `FwoGZXIvYXdzE${m.base64(120)}`,
    (s) => header('x-amz-security-token', s),
  ],
  [
    'AWS presigned URL',
    (m) => m.hex(64),
    (s, m) =>
      argument(
        `https://invoices.s3.eu-west-1.amazonaws.com/2025/06/a.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA${m.base32(16)}%2F20250601%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Date=20250601T101010Z&X-Amz-Expires=900&X-Amz-SignedHeaders=host&X-Amz-Signature=${s}`,
      ),
  ],
  [
    'AWS signature header',
    (m) => m.hex(64),
    (s, m) =>
      header(
        'authorization',
        `AWS4-HMAC-SHA256 Credential=AKIA${m.base32(16)}/20250601/us-east-1/sqs/aws4_request, SignedHeaders=host;x-amz-date, Signature=${s}`,
      ),
  ],
  [
    'CloudFront signed URL',
    (m) => m.base64url(120),
    (s) =>
      argument({
        link: `https://d111.cloudfront.net/film.mp4?Expires=1767225600&Signature=${s}&Key-Pair-Id=K2JCJMDEHXQW5F`,
      }),
  ],
  [
    'Google service account',
    (m) => m.base64(64),
    (s, m) =>
      argument(
        JSON.stringify({
          type: 'service_account',
          project_id: 'shop-prod',
          private_key_id: m.hex(40),
          private_key: `-----BEGIN PRIVATE KEY-----\n${m.pemBody(3)}\n${s}\n-----END PRIVATE KEY-----\n`,
          client_email: 'ci@shop-prod.iam.gserviceaccount.com',
        }),
      ),
  ],
  ['Google API key', (m) => `AIzaSy${m.base64url(33)}`, (s) => query('key', s)],
  ['Google access token alone', (m) => `ya29.${m.base64url(100)}`, (s) => argument(s)],
  [
    'Google refresh token',
    (m) => `1//0g${m.base64url(60)}`,
    (s) => json({ grant_type: 'refresh_token', refresh_token: s }),
  ],
  [
    'Google client secret in YAML',
    (m) => `GOCSPX-${m.base64url(28)}`,
    (s) =>
      body(
        'application/yaml',
        `oauth:\n  clientId: 1234-abc.apps.googleusercontent.com\n  clientSecret: ${s}\n  scopes: [openid, email]\n`,
      ),
  ],
  [
    'Google Cloud signed URL',
    (m) => m.hex(128),
    (s) =>
      log(
        `redirect to https://storage.googleapis.com/files/a.zip?X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Date=20250601T000000Z&X-Goog-Expires=600&X-Goog-Signature=${s}`,
      ),
  ],
  [
    'Azure storage connection string',
    (m) => `${m.base64(86)}==`,
    (s) =>
      argument(
        `DefaultEndpointsProtocol=https;AccountName=shopfiles;AccountKey=${s};EndpointSuffix=core.windows.net`,
      ),
  ],
  [
    'Azure SAS URL',
    (m) => encodeURIComponent(`${m.base64(43)}=`),
    (s) =>
      argument(
        `https://shopfiles.blob.core.windows.net/pics/a.png?sv=2022-11-02&st=2025-06-01T00%3A00%3A00Z&se=2025-06-02T00%3A00%3A00Z&sr=b&sp=r&sig=${s}`,
      ),
  ],
  [
    'Azure service bus',
    (m) => `${m.base64(43)}=`,
    (s) =>
      error(
        `Cannot connect to Endpoint=sb://orders.servicebus.windows.net/;SharedAccessKeyName=RootManage;SharedAccessKey=${s}`,
      ),
  ],
  [
    'Azure client secret',
    (m) => `${m.alnum(3)}8Q~${m.base64url(34)}`,
    (s, m) => plain(`AZURE_TENANT_ID=${m.uuid()}\nAZURE_CLIENT_ID=${m.uuid()}\nAZURE_CLIENT_SECRET=${s}\n`),
  ],
  ['Azure subscription key header', (m) => m.hex(32), (s) => header('ocp-apim-subscription-key', s)],
  ['DigitalOcean token alone', (m) => `dop_v1_${m.hex(64)}`, (s) => argument([s])],
  [
    'Alibaba secret',
    (m) => m.alnum(30),
    (s, m) => argument({ accessKeyId: `LTAI5t${m.alnum(18)}`, accessKeySecret: s }),
  ],
  [
    'Cloudflare token in env',
    (m) => m.base64url(40),
    (s) => plain(`export CF_API_TOKEN=${s}\nexport CF_ZONE=example.com`),
  ],
  ['Cloudflare global key header', (m) => m.hex(37), (s) => header('x-auth-key', s)],
  [
    'Heroku key in env',
    (m) => m.uuid(),
    (s) => argument({ env: { NODE_ENV: 'production', HEROKU_API_KEY: s } }),
  ],
  ['Fly token', (m) => `FlyV1 fm2_${m.base64(90)}`, (s) => argument({ value: s })],
  ['Stripe key alone', (m) => `sk_live_${m.alnum(24)}`, (s) => argument(s)],
  [
    'Stripe restricted key in an error',
    (m) => `rk_live_${m.alnum(24)}`,
    (s) => error(`Invalid API Key provided: ${s}`),
  ],
  [
    'Stripe webhook secret',
    (m) => `whsec_${m.alnum(32)}`,
    (s) => argument({ endpoint: 'we_1N', signing: s }),
  ],
  ['Stripe signature header', (m) => m.hex(64), (s) => header('stripe-signature', `t=1717200000,v1=${s}`)],
  [
    'PayPal client secret',
    (m) => `E${m.base64url(79)}`,
    (s) => form(`grant_type=client_credentials&client_id=AbC&client_secret=${s}`),
  ],
  ['Square token', (m) => `EAAA${m.base64url(60)}`, (s) => header('authorization', `Bearer ${s}`)],
  [
    'Razorpay pair',
    (m) => m.alnum(24),
    (s, m) => argument({ key_id: `rzp_live_${m.alnum(14)}`, key_secret: s }),
  ],
  ['Plaid access token', (m) => `access-production-${m.uuid()}`, (s) => argument({ item: s })],
  ['Adyen key header', (m) => `AQE${m.base64(80)}`, (s) => header('x-api-key', s)],
  [
    'Slack bot token',
    (m) => `xoxb-${m.digits(12)}-${m.digits(12)}-${m.alnum(24)}`,
    (s) => argument({ slack: s }),
  ],
  [
    'Slack webhook URL',
    (m) => m.alnum(24),
    (s, m) => argument(`https://hooks.slack.com/services/T${m.upper(8)}/B${m.upper(8)}/${s}`),
  ],
  [
    'Discord webhook URL',
    (m) => m.base64url(68),
    (s, m) => log(`POST https://discord.com/api/webhooks/${m.digits(18)}/${s} 204`),
  ],
  [
    'Teams webhook URL',
    (m) => m.hex(32),
    (s, m) =>
      argument(
        `https://acme.webhook.office.com/webhookb2/${m.uuid()}@${m.uuid()}/IncomingWebhook/${s}/${m.uuid()}`,
      ),
  ],
  [
    'Telegram bot in a path',
    (m) => `${m.digits(10)}:AA${m.base64url(33)}`,
    (s) => argument(`https://api.telegram.org/bot${s}/sendMessage`),
  ],
  [
    'Discord bot token',
    (m) => `M${m.alnum(23)}.${m.base64url(6)}.${m.base64url(38)}`,
    (s) => header('authorization', `Bot ${s}`),
  ],
  ['Twilio auth token', (m) => m.hex(32), (s, m) => argument({ accountSid: `AC${m.hex(32)}`, authToken: s })],
  [
    'Twilio basic in a URL',
    (m) => m.hex(32),
    (s, m) => error(`401 from https://AC${m.hex(32)}:${s}@api.twilio.com/2010-04-01/Messages.json`),
  ],
  [
    'SendGrid key alone',
    (m) => `SG.${m.base64url(22)}.${m.base64url(43)}`,
    (s) => argument(`mailer ready (${s})`),
  ],
  [
    'Mailgun key',
    (m) => `key-${m.hex(32)}`,
    (s) => log(`curl -s --user 'api:${s}' https://api.mailgun.net/v3/domains`),
  ],
  ['Postmark header', (m) => m.uuid(), (s) => header('x-postmark-server-token', s)],
  ['Mailchimp key', (m) => `${m.hex(32)}-us14`, (s) => argument({ list: 'news', token: s })],
  [
    'GitHub token in a URL',
    (m) => `ghp_${m.alnum(36)}`,
    (s) => log(`Cloning into https://x-access-token:${s}@github.com/acme/shop.git`),
  ],
  [
    'GitHub fine-grained token',
    (m) => `github_pat_${m.alnum(22)}_${m.alnum(59)}`,
    (s) => argument(new Map([['gh', s]])),
  ],
  ['GitHub app token', (m) => `ghs_${m.alnum(36)}`, (s) => header('authorization', `token ${s}`)],
  ['GitHub webhook signature', (m) => m.hex(64), (s) => header('x-hub-signature-256', `sha256=${s}`)],
  ['GitLab token header', (m) => `glpat-${m.base64url(20)}`, (s) => header('private-token', s)],
  [
    'npmrc',
    (m) => `npm_${m.alnum(36)}`,
    (s) =>
      plain(
        `registry=https://registry.npmjs.org/\n//registry.npmjs.org/:_authToken=${s}\nalways-auth=true\n`,
      ),
  ],
  [
    'npmrc of a private registry',
    (m) => m.base64(40),
    (s) => plain(`//npm.acme.example/:_auth=${s}\n//npm.acme.example/:email=ci@acme.example\n`),
  ],
  [
    'PyPI token',
    (m) => `pypi-AgEIcHlwaS5vcmc${m.base64url(90)}`,
    (s) => plain(`[pypi]\nusername = __token__\npassword = ${s}\n`),
  ],
  ['RubyGems key', (m) => `rubygems_${m.hex(48)}`, (s) => argument({ gem: { host: s } })],
  [
    'NuGet key',
    (m) => `oy2${m.lower(43)}`,
    (s) => log(`dotnet nuget push a.nupkg --api-key ${s} --source nuget.org`),
  ],
  [
    'OpenAI key',
    (m) => `sk-proj-${m.base64url(48)}`,
    (s) => error(`Incorrect API key provided: ${s}. You can find your key in the console.`),
  ],
  ['Anthropic key header', (m) => `sk-ant-api03-${m.base64url(93)}AA`, (s) => header('x-api-key', s)],
  ['Hugging Face token', (m) => `hf_${m.alnum(34)}`, (s) => argument({ options: ['--model', 'bert', s] })],
  ['Replicate token', (m) => `r8_${m.alnum(37)}`, (s) => argument({ auth: { kind: 'replicate', raw: s } })],
  ['Shopify token', (m) => `shpat_${m.hex(32)}`, (s) => header('x-shopify-access-token', s)],
  ['Datadog key header', (m) => m.hex(32), (s) => header('dd-api-key', s)],
  ['New Relic key', (m) => `NRAK-${m.upper(27)}`, (s) => argument(s)],
  [
    'Sentry DSN with a secret',
    (m) => m.hex(32),
    (s, m) => argument(`https://${m.hex(32)}:${s}@sentry.acme.example/4`),
  ],
  ['Grafana token', (m) => `glsa_${m.alnum(32)}_${m.hex(8)}`, (s) => argument(new Set([s]))],
  ['Vault token header', (m) => `hvs.${m.base64url(90)}`, (s) => header('x-vault-token', s)],
  [
    'Terraform Cloud token',
    (m) => `${m.alnum(14)}.atlasv1.${m.base64url(67)}`,
    (s) => plain(`credentials "app.terraform.io" {\n  token = "${s}"\n}\n`),
  ],
  ['Pulumi token', (m) => `pul-${m.hex(40)}`, (s) => argument({ backend: s })],
  ['Doppler token', (m) => `dp.pt.${m.alnum(43)}`, (s) => argument({ cfg: s })],
  ['Databricks token', (m) => `dapi${m.hex(32)}`, (s) => argument(`connecting to adb-1 with ${s}`)],
  ['Atlassian token', (m) => `ATATT3xFfGF0${m.base64url(180)}`, (s) => argument({ jira: s })],
  ['Linear key', (m) => `lin_api_${m.alnum(40)}`, (s) => header('authorization', s)],
  ['Notion token', (m) => `ntn_${m.alnum(46)}`, (s) => argument({ notion: { value: s } })],
  ['Figma token header', (m) => `figd_${m.base64url(40)}`, (s) => header('x-figma-token', s)],
  ['Airtable token', (m) => `pat${m.alnum(14)}.${m.hex(64)}`, (s) => argument(s)],
  ['Okta token', (m) => `00${m.base64url(40)}`, (s) => header('authorization', `SSWS ${s}`)],
  [
    'Mapbox secret token',
    (m) => `sk.eyJ1Ijoi${m.base64url(60)}.${m.base64url(22)}`,
    (s) => query('access_token', s),
  ],
  [
    'Firebase server key',
    (m) => `AAAA${m.base64url(7)}:APA91b${m.base64url(130)}`,
    (s) => header('authorization', `key=${s}`),
  ],
  ['Facebook token', (m) => `EAAC${m.alnum(120)}`, (s) => path(`/graph/me?fields=id&access_token=${s}`)],
  ['Supabase token', (m) => `sbp_${m.hex(40)}`, (s) => argument({ s })],
  [
    'PlanetScale password',
    (m) => `pscale_pw_${m.base64url(43)}`,
    (s) => argument(`mysql://u1:${s}@aws.connect.psdb.cloud/shop`),
  ],
  [
    'Tailscale key',
    (m) => `tskey-auth-${m.alnum(16)}-${m.alnum(32)}`,
    (s) => log(`tailscale up --authkey ${s}`),
  ],
  ['Algolia admin key', (m) => m.hex(32), (s) => argument({ appId: 'XK4', adminApiKey: s })],
  [
    'Cloudinary URL',
    (m) => m.base64url(27),
    (s, m) => argument({ url: `cloudinary://${m.digits(15)}:${s}@acme` }),
  ],
  ['LaunchDarkly key', (m) => `sdk-${m.uuid()}`, (s) => argument({ sdkKey: s })],
  ['Pusher secret', (m) => m.hex(20), (s) => multipart('app_secret', s)],
  [
    'Vendor key in SQL',
    (m) => `sk_live_${m.alnum(24)}`,
    (s) => statement(`INSERT INTO settings (name, value) VALUES ('stripe', '${s}')`),
  ],
  [
    'Apple push key',
    (m) => m.base64(64),
    (s, m) =>
      argument({
        keyId: 'ABC123DEFG',
        p8: `-----BEGIN PRIVATE KEY-----\n${m.base64(64)}\n${s}\n${m.base64(24)}\n-----END PRIVATE KEY-----`,
      }),
  ],
];
