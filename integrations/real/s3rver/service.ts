import { buildMarker, type Scenario } from '../harness/runs.ts';
import type { RealService } from '../harness/service.ts';

const text = { 'content-type': 'text/plain' };
const xml = { 'content-type': 'application/xml' };

/** A signature that does not belong to the key of the service's dummy account. */
export const WRONG_SIGNATURE = 'dGhpcyBpcyBubyBzaWduYXR1cmU=';
/** A signature in the form of AWS signature version 4. The service accepts such signatures without checking them. */
export const UNCHECKED_SIGNATURE = '5f2b8ad71c09e64bd3b3a9c27e418f06a1d5e7c8b94f3620dce1b7a85f096e3d';
/** The service refuses dates that differ by more than 15 minutes from its clock. */
const now = new Date().toUTCString();

/** S3rver 3: Koa 2 with @koa/router, JavaScript as written, file streams, a generator that walks folders, multipart bodies. */
export const service: RealService = {
  name: 's3rver',
  own: ['s3rver'],
  script: 's3rver/bin/s3rver.js',
  args: (port) => ['-d', 'data', '-a', '127.0.0.1', '-p', `${port}`, '--silent'],
  volatile: [/^last-modified: .*$/gim, /\d{4}-\d\d-\d\dT[\d:.]+Z/g],
};

const cors = `<CORSConfiguration><CORSRule>
<AllowedOrigin>https://*.example.com</AllowedOrigin><AllowedMethod>GET</AllowedMethod>
<AllowedHeader>x-*</AllowedHeader><ExposeHeader>ETag</ExposeHeader><MaxAgeSeconds>60</MaxAgeSeconds>
</CORSRule></CORSConfiguration>`;

const BOUNDARY = 'boundary-of-parts';
const form = [
  ...['key', 'success_action_status'].map(
    (name) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${
        name === 'key' ? 'notes/form.txt' : '201'
      }\r\n`,
  ),
  `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="form.txt"\r\ncontent-type: application/octet-stream\r\n\r\n`,
  `Sent by a form\r\n--${BOUNDARY}--\r\n`,
].join('');

export const scenario: Scenario = {
  inTurn: [
    { method: 'PUT', path: '/shop' },
    { method: 'PUT', path: '/shop/notes/a.txt', headers: text, body: 'A note that is stored' },
    { path: '/shop/notes/a.txt' },
    { path: '/shop/notes/a.txt', headers: { range: 'bytes=2-5' } },
    { method: 'PUT', path: '/shop/copies/a.txt', headers: { 'x-amz-copy-source': '/shop/notes/a.txt' } },
    {
      method: 'POST',
      path: '/shop',
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      body: form,
    },
    { path: '/shop?prefix=notes/' },
    { method: 'PUT', path: '/shop?cors', headers: xml, body: cors },
    { path: '/shop/notes/a.txt', headers: { origin: 'https://ada.example.com' } },
    { path: '/shop/missing.txt' },
    { method: 'PUT', path: '/shop?cors', headers: xml, body: '<CORSConfiguration><CORSRule>' },
    {
      method: 'POST',
      path: '/shop?delete',
      headers: xml,
      body: '<Delete><Object><Key>notes/form.txt</Key></Object><Object><Key>none.txt</Key></Object></Delete>',
    },
    { method: 'DELETE', path: '/shop/copies/a.txt' },
    { path: '/shop', headers: { authorization: `AWS S3RVER:${WRONG_SIGNATURE}`, 'x-amz-date': now } },
    {
      path: '/shop/notes/a.txt?response-content-type=text/markdown',
      headers: {
        authorization: `AWS4-HMAC-SHA256 Credential=S3RVER/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=${UNCHECKED_SIGNATURE}`,
        'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
        'x-amz-date': now,
      },
    },
    { path: '/' },
  ],
  // Half of the requests write a file through a stream, half read one.
  overlapping: Array.from({ length: 100 }, (_, nth) =>
    nth % 2 === 0
      ? {
          method: 'PUT',
          path: `/shop/drafts/${buildMarker(nth)}.txt`,
          headers: text,
          body: buildMarker(nth),
        }
      : { path: `/shop/notes/a.txt?q=${buildMarker(nth)}` },
  ),
};
