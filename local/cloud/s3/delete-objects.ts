import { Parser } from 'htmlparser2';
import type { AwsReply } from '../aws-http.ts';
import { AccessDenied } from '../iam.ts';
import { readUpload } from './body.ts';
import type { S3Call } from './call.ts';
import { S3Error } from './errors.ts';
import { optional } from './list-objects.ts';
import type { ObjectHead } from './object-file.ts';
import { deleteOne } from './objects.ts';
import type { ObjectStore } from './store.ts';
import { versionIdOf } from './version-folder.ts';
import { type Element, xmlDocument } from './xml.ts';

const MAX_KEYS = 1000;
const MEMBERS = ['Delete/Object/Key', 'Delete/Object/VersionId'];

/** DeleteObjects: authorizes and deletes each key separately, and lists the results. */
export function deleteObjects(call: S3Call, store: ObjectStore): AwsReply {
  const { data } = readUpload(call.headers, call.body);
  const { objects, quiet } = readDelete(data.toString());
  const results = objects.map(({ key, versionId }): Element => {
    try {
      const deleted = deleteOne(call, store, key, versionId);
      const named: Element[] = [['Key', key], ...optional('VersionId', versionId)];
      return ['Deleted', [...named, ...markerOf(deleted)]];
    } catch (error) {
      if (!(error instanceof AccessDenied)) throw error;
      const detail: Element[] = [
        ['Key', key],
        ['Code', 'AccessDenied'],
        ['Message', error.message],
      ];
      return ['Error', detail];
    }
  });
  const reported = results.filter(([name]) => name === 'Error' || !quiet);
  const headers = { 'content-type': 'application/xml' };
  return { status: 200, headers, body: xmlDocument(['DeleteResult', reported]) };
}

/** Returns the elements for a delete marker that was created or deleted. */
function markerOf(deleted: ObjectHead | undefined): Element[] {
  if (!deleted?.deleteMarker) return [];
  return [
    ['DeleteMarker', 'true'],
    ['DeleteMarkerVersionId', versionIdOf(deleted)],
  ];
}

interface DeletedObject {
  readonly key: string;
  readonly versionId: string | undefined;
}

function readDelete(text: string): { objects: DeletedObject[]; quiet: boolean } {
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

  const known = ['Delete', 'Delete/Object', ...MEMBERS, 'Delete/Quiet'];
  const unknown = values.find(({ path }) => !known.includes(path));
  if (unknown)
    throw new S3Error('NotImplemented', `The local cloud does not support ${unknown.path} of DeleteObjects`);
  const objects = readObjects(values);
  if (objects.length > 0 && objects.length <= MAX_KEYS) {
    return { objects, quiet: values.some((value) => value.path === 'Delete/Quiet' && value.text === 'true') };
  }
  throw new S3Error('MalformedXML', `A Delete must contain 1 to ${MAX_KEYS} keys`);
}

/** Returns the objects from the elements, which are in document order. */
function readObjects(values: readonly { readonly path: string; readonly text: string }[]): DeletedObject[] {
  const starts = values.flatMap(({ path }, i) => (path === 'Delete/Object' ? [i] : []));
  return starts.map((start, i) => {
    const members = values.slice(start, starts[i + 1]);
    const [key = '', versionId] = MEMBERS.map((name) => members.find(({ path }) => path === name)?.text);
    return { key, versionId };
  });
}
