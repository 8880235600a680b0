import type { OperationName } from '../lambda/contract/operations.ts';

/** One call of an operation as it was made on a local service, and what came. */
export interface Example {
  /** For a shell in which `BASE`, `KEY` and `PROJECT` are set. */
  readonly curl: string;
  /** Status line, the headers that matter, an empty line, the body; `…` alone in a line is what was left out. */
  readonly answer: string;
}

const GENERATION = `  "id": "Y2vPKGHjqoGFLVo9o7L1Z",
  "status": "succeeded",
  "prompt": "a landing page for a bakery",
  "model": "auto",
  "duration": "auto",
  "createdAt": 1795276750550,
  "finishedAt": 1795276750861,
  "attempts": [
    {
      "provider": "provider-a",
      "model": "provider-a/blueprint",
      "kind": "write",
      "startedAt": 1795276750645,
      "outcome": "succeeded",
      "ms": 213,
      "tokens": 5151,
      "files": 6
    }
  ],
  "files": [
    { "path": "index.html", "language": "html", "bytes": 8332 },
    …
  ]`;

const PROJECT = `  "files": [
    {
      "path": "index.html",
      "content": "<!doctype html>\\n<html lang=\\"en\\" …",
      "language": "html"
    },
    …
  ],
  "tokensUsed": 5108,
  "duration": 311,
  "model": "provider-a/blueprint",
  "fileCount": 6,
  "prompt": "a landing page for a bakery"`;

/** @param live which of the two versions visitors see */
const deployment = (live: 'IptfX9Pv6Wk3' | 'O15UN4ci2CBf') => `HTTP/1.1 200 OK
ETag: "${live}"

{
  "id": "cjwgplc87z4r",
  "url": "http://localhost:3000/d/cjwgplc87z4r",
  "version": "${live}",
  "entry": "index.html",
  "title": "My page",
  "fileCount": 1,
  "bytes": ${live === 'IptfX9Pv6Wk3' ? 33 : 27},
  "deployedAt": ${live === 'IptfX9Pv6Wk3' ? 1795276751284 : 1795276751181},
  "createdAt": 1795276751181,
  "owner": "anonymous",
  "status": "live",
  "versions": [
    {
      "version": "IptfX9Pv6Wk3",
      "entry": "index.html",
      "title": "My page",
      "fileCount": 1,
      "bytes": 33,
      "deployedAt": 1795276751284,
      "live": ${live === 'IptfX9Pv6Wk3'}
    },
    …
  ]
}`;

const TOKEN = 'X-Deployment-Token: ptd_VIsQSGUKO2-78ArMEbvP_I8rtMUO3PMOQpmmws-M6iY';

const STAGED = `HTTP/1.1 201 Created
Location: http://localhost:3000/d/7vhjquhv5h23
ETag: "dPzlazXrTVqM"
X-Deployment-Token: ptd_v-SmCxSAzlBUfvTkihUXVZRcZy0agGcvPfw4lUkoBGU

{
  "id": "7vhjquhv5h23",
  "url": "http://localhost:3000/d/7vhjquhv5h23",
  "entry": "",
  "fileCount": 7,
  "title": null,
  "createdAt": 1795276752004
}`;

/** Of every operation, one. */
export const EXAMPLES: Readonly<Record<OperationName, Example>> = {
  generate: {
    curl: `curl -i "$BASE/api/v1/generate" \\
  -H 'Content-Type: application/json' \\
  -d '{"prompt": "a landing page for a bakery"}'`,
    answer: `HTTP/1.1 200 OK
X-Generation-Id: Y2vPKGHjqoGFLVo9o7L1Z

{
${PROJECT}
}`,
  },
  getGeneration: {
    curl: 'curl -i "$BASE/api/v1/generations/Y2vPKGHjqoGFLVo9o7L1Z"',
    answer: `HTTP/1.1 200 OK

{
${GENERATION}
}`,
  },
  cancelGeneration: {
    curl: 'curl -i -X DELETE "$BASE/api/v1/generations/T0lmdMn4l5Bzdy0DzYDPd"',
    answer: `HTTP/1.1 200 OK

{
  "id": "T0lmdMn4l5Bzdy0DzYDPd",
  "status": "canceled",
  "prompt": "a quiz",
  "model": "auto",
  "duration": "5min",
  "createdAt": 1795276750295,
  "finishedAt": 1795276750352,
  "attempts": [
    {
      "provider": "provider-a",
      "model": "provider-a/blueprint",
      "kind": "plan",
      "startedAt": 1795276750316,
      "outcome": "succeeded",
      "ms": 21,
      "tokens": 187,
      "files": 0
    }
  ],
  "plan": [
    { "path": "index.html", "purpose": "part of the starter project" },
    …
  ],
  "files": []
}`,
  },
  getGenerationResult: {
    curl: 'curl -i -L "$BASE/api/v1/generations/Y2vPKGHjqoGFLVo9o7L1Z/result"',
    answer: `HTTP/1.1 200 OK
X-Generation-Id: Y2vPKGHjqoGFLVo9o7L1Z

{
${PROJECT}
}`,
  },
  deploy: {
    curl: `curl -i -L "$BASE/api/v1/deploy" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "projectId": "'"$PROJECT"'",
    "files": [
      { "path": "index.html", "content": "<title>My page</title>Hello" }
    ]
  }'`,
    answer: `HTTP/1.1 201 Created
Location: http://localhost:3000/d/cjwgplc87z4r
ETag: "O15UN4ci2CBf"
${TOKEN}

{
  "id": "cjwgplc87z4r",
  "url": "http://localhost:3000/d/cjwgplc87z4r",
  "entry": "index.html",
  "fileCount": 1,
  "title": "My page",
  "createdAt": 1795276751181
}`,
  },
  deployStaged: {
    curl: 'curl -i "$BASE/api/v1/deploy/staged/2QqQehaVPXOqniPhlyGykUTKU9RxCzebxXG2hQcDlFg-snIwdehFjktvplnbVe7El"',
    answer: STAGED,
  },
  postDeployStaged: {
    curl: 'curl -i -X POST "$BASE/api/v1/deploy/staged/2QqQehaVPXOqniPhlyGykUTKU9RxCzebxXG2hQcDlFg-snIwdehFjktvplnbVe7El"',
    answer: STAGED,
  },
  getDeployment: {
    curl: `curl -i "$BASE/api/v1/deployments/cjwgplc87z4r" \\
  -H '${TOKEN}'`,
    answer: deployment('IptfX9Pv6Wk3'),
  },
  rollbackDeployment: {
    curl: `curl -i "$BASE/api/v1/deployments/cjwgplc87z4r/rollback" \\
  -H '${TOKEN}' \\
  -H 'Content-Type: application/json' \\
  -d '{"version": "O15UN4ci2CBf"}'`,
    answer: deployment('O15UN4ci2CBf'),
  },
  deleteDeployment: {
    curl: `curl -i -X DELETE "$BASE/api/v1/deployments/cjwgplc87z4r" \\
  -H '${TOKEN}'`,
    answer: 'HTTP/1.1 204 No Content',
  },
  createAsset: {
    curl: `curl -i "$BASE/api/v1/assets/user-assets/" \\
  -H "X-API-Key: $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{
    "attributes": { "name": "me.png", "type": "image/png" },
    "entity_type": "USER_AVATAR"
  }'`,
    answer: `HTTP/1.1 201 Created
Location: http://localhost:3000/api/v1/assets/user-assets/HuMVoKbMUylYoINFnwKt8/

{
  "asset_id": "HuMVoKbMUylYoINFnwKt8",
  "upload_url": "http://127.0.0.1:3009/…?X-Amz-Algorithm=…",
  "upload_headers": {
    "Content-Type": "image/png",
    "If-None-Match": "*",
    "x-amz-tagging": "state=pending"
  },
  "expires_at": 1795277573074
}`,
  },
  updateAsset: {
    curl: `curl -i -X PATCH "$BASE/api/v1/assets/user-assets/HuMVoKbMUylYoINFnwKt8/" \\
  -H "X-API-Key: $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"attributes": {"name": "portrait.png"}}'`,
    answer: 'HTTP/1.1 204 No Content',
  },
  getAsset: {
    curl: `curl -i "$BASE/api/v1/assets/user-assets/HuMVoKbMUylYoINFnwKt8/" \\
  -H "X-API-Key: $KEY"`,
    answer: `HTTP/1.1 200 OK

{
  "asset_id": "HuMVoKbMUylYoINFnwKt8",
  "state": "uploaded",
  "attributes": {
    "name": "portrait.png",
    "type": "image/png",
    "size": 2048
  },
  "entity_type": "USER_AVATAR",
  "created_at": 1795276673074,
  "updated_at": 1795276673185,
  "download_url": "http://127.0.0.1:3009/…?X-Amz-Algorithm=…",
  "expires_at": 1795277573215
}`,
  },
  deleteAsset: {
    curl: `curl -i -X DELETE "$BASE/api/v1/assets/user-assets/HuMVoKbMUylYoINFnwKt8/" \\
  -H "X-API-Key: $KEY"`,
    answer: 'HTTP/1.1 204 No Content',
  },
  getUsage: {
    curl: `curl -i "$BASE/api/v1/usage?from=2026-11-01" \\
  -H "X-API-Key: $KEY"`,
    answer: `HTTP/1.1 200 OK

{
  "from": "2026-11-01",
  "to": "2026-11-21",
  "totals": {
    "calls": 5,
    "statuses": { "200": 2, "201": 1, "204": 2 },
    "tokens": 4526,
    "files": 9,
    "bytes": 18108,
    "ms": 576
  },
  "days": [
    {
      "day": "2026-11-21",
      "operations": {
        "generate": {
          "calls": 1,
          "statuses": { "200": 1 },
          "tokens": 4526,
          "files": 9,
          "bytes": 18108,
          "ms": 186
        },
        …
      }
    }
  ]
}`,
  },
};
