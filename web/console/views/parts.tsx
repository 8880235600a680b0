import type { DeployFile, UsageResponse } from '../../../client/client.ts';

export const readDropped = async (_: DataTransfer): Promise<DeployFile[]> => [];
export const readPicked = async (list: FileList): Promise<DeployFile[]> =>
  Promise.all(
    [...list].map(async (file) => ({
      path: file.webkitRelativePath || file.name,
      content: await file.text(),
    })),
  );
export const zipOf = (files: readonly DeployFile[]) => new Blob(files.map(({ path }) => path));
export const QrCode = ({ text }: { text: string }) => <p>{text}</p>;
export const Diff = ({ diff }: { diff: string }) => <pre>{diff}</pre>;
export const UsageChart = ({ report }: { report: UsageResponse }) => <p>{report.totals.calls}</p>;
export const FileTree = ({
  files,
  onSelect,
}: {
  files: readonly string[];
  selected: string | undefined;
  onSelect(path: string): void;
}) => (
  <ul>
    {files.map((path) => (
      <li key={path}>
        <button type="button" onClick={() => onSelect(path)}>
          {path}
        </button>
      </li>
    ))}
  </ul>
);
export const CodeEditor = ({
  content,
}: {
  path: string;
  content: string;
  readOnly: boolean;
  onChange?(content: string): void;
}) => <pre>{content}</pre>;
