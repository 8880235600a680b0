const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;

/** What is wrong with a message to us, by field, as sentences; an empty object when nothing is. */
export function problemsOf({ name, email, message }) {
  const problems = {};
  if (!name.trim()) problems.name = 'Tell us what to call you.';
  if (!EMAIL.test(email.trim())) problems.email = 'We need an address to answer to, such as ana@example.com.';
  if (message.trim().length < 10) problems.message = 'A few more words, please.';
  return problems;
}

/** The address that opens the visitor's e-mail program with the message in it. */
export function mailTo(address, { name, email, message }) {
  const parts = { subject: `A message from ${name.trim()}`, body: `${message.trim()}\n\n${name.trim()}\n${email.trim()}` };
  // Line ends of mailto addresses are CRLF (RFC 6068, section 5).
  const query = Object.entries(parts).map(([part, text]) => `${part}=${encodeURIComponent(text.replaceAll('\n', '\r\n'))}`);
  return `mailto:${address}?${query.join('&')}`;
}
