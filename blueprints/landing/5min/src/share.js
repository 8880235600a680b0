/** Makes a button share the page: with the system's own sheet on phones, by copying the address elsewhere. */
export function offerSharing(button) {
  const label = button.textContent;
  const say = (text) => {
    button.textContent = text;
    setTimeout(() => {
      button.textContent = label;
    }, 4000);
  };
  button.hidden = false;
  button.addEventListener('click', async () => {
    const page = { title: document.title, url: location.href.replace(/#.*$/, '') };
    const isPhone = matchMedia('(hover: none)').matches;
    try {
      if (isPhone && navigator.share) return await navigator.share(page);
      await navigator.clipboard.writeText(page.url);
      say('Address copied');
    } catch (error) {
      // AbortError: the visitor closed the sheet.
      if (error.name !== 'AbortError') say(page.url);
    }
  });
}
