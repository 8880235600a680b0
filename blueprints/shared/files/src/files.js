/** Hands a text to the visitor as a file. */
export function download(name, text, type = 'text/plain') {
  const url = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

/** Lets the visitor choose files, and resolves to their texts; an empty list when nothing was chosen. */
export function chooseFiles(accept, multiple = false) {
  const input = Object.assign(document.createElement('input'), { type: 'file', accept, multiple });
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve(Promise.all([...input.files].map((file) => file.text()))));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}
