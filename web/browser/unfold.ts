/** Opens the folded fields around an element, by default the target of the URL, and returns the element. */
export function unfold(id = location.hash.slice(1)): HTMLElement | null {
  const target = document.getElementById(id);
  let folded = target?.parentElement?.closest('details');
  for (; folded; folded = folded.parentElement?.closest('details')) folded.open = true;
  return target;
}
