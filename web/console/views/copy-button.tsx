import { useConsole } from './console.ts';

export function CopyButton({ text, title }: { text: string; title: string }) {
  const { dispatch } = useConsole();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      dispatch({ type: 'status', text: 'Copied' });
    } catch {
      prompt(title, text);
    }
  };
  return (
    <button type="button" onClick={() => void copy()}>
      {title}
    </button>
  );
}
