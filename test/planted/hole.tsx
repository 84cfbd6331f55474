/** A hole on purpose: text that nobody escapes. */
export function Hole({ text }: { text: string }) {
  return <p>{text}</p>;
}
