import { Parser } from 'htmlparser2';
import type { AwsReply } from '../aws-http.ts';
import { AccessDenied } from '../iam.ts';
import { readUpload } from './body.ts';
import type { S3Call } from './call.ts';
import { S3Error } from './errors.ts';
import type { ObjectStore } from './store.ts';
import { type Element, xmlDocument } from './xml.ts';

const MAX_KEYS = 1000;

/** DeleteObjects: authorizes and deletes each key separately, and lists the results. */
export function deleteObjects(call: S3Call, store: ObjectStore): AwsReply {
  const { data } = readUpload(call.headers, call.body);
  const { keys, quiet } = readDelete(data.toString());
  const results = keys.map((key): Element => {
    try {
      call.authorize('s3:DeleteObject', key);
    } catch (error) {
      if (!(error instanceof AccessDenied)) throw error;
      const detail: Element[] = [
        ['Key', key],
        ['Code', 'AccessDenied'],
        ['Message', error.message],
      ];
      return ['Error', detail];
    }
    store.delete(call.bucket.name, key);
    return ['Deleted', [['Key', key]]];
  });
  const reported = results.filter(([name]) => name === 'Error' || !quiet);
  const headers = { 'content-type': 'application/xml' };
  return { status: 200, headers, body: xmlDocument(['DeleteResult', reported]) };
}

function readDelete(text: string): { keys: string[]; quiet: boolean } {
  const values: { path: string; text: string }[] = [];
  const open: string[] = [];
  const parser = new Parser(
    {
      onopentagname: (name) => {
        open.push(name);
        values.push({ path: open.join('/'), text: '' });
      },
      ontext: (part) => {
        const value = values.at(-1);
        if (value) value.text += part;
      },
      onclosetag: () => open.pop(),
    },
    { xmlMode: true },
  );
  parser.end(text);

  const known = ['Delete', 'Delete/Object', 'Delete/Object/Key', 'Delete/Quiet'];
  const unknown = values.find(({ path }) => !known.includes(path));
  if (unknown)
    throw new S3Error('NotImplemented', `The local cloud does not support ${unknown.path} of DeleteObjects`);
  const keys = values.filter(({ path }) => path === 'Delete/Object/Key').map((value) => value.text);
  if (keys.length > 0 && keys.length <= MAX_KEYS) {
    return { keys, quiet: values.some((value) => value.path === 'Delete/Quiet' && value.text === 'true') };
  }
  throw new S3Error('MalformedXML', `A Delete must contain 1 to ${MAX_KEYS} keys`);
}
