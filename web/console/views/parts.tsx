import type { DeployFile } from '../../../client/client.ts';

export const readDropped = async (_: DataTransfer): Promise<DeployFile[]> => [];
export const readPicked = async (list: FileList): Promise<DeployFile[]> =>
  Promise.all(
    [...list].map(async (file) => ({
      path: file.webkitRelativePath || file.name,
      content: await file.text(),
    })),
  );
export const zipOf = (files: readonly DeployFile[]) => new Blob(files.map(({ path }) => path));
